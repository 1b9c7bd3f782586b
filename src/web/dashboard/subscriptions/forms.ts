import type { Operation } from '../../../api/frame/route.ts';
import {
  cancelSubscriptionRoute,
  changeSubscriptionPlan,
  getSubscription,
  pauseSubscriptionRoute,
  paySubscriptionRoute,
  recordSubscriptionUsage,
  resumeSubscriptionRoute,
  updateSubscriptionRoute,
} from '../../../api/subscriptions/routes.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';
import { carryOut } from '../frame/operation.ts';
import { type DashboardRoute, seeOther } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { formAction, formPreview } from '../lists/form-action.ts';
import { chargePreview, type PreviewedAction } from './charge-preview.ts';
import { startOf, startsNow } from './plan-start.ts';
import { quantityBody } from './quantity-form.ts';

type PageHandler = DashboardRoute['handler'];

interface SubscriptionForm<Answer> {
  /** The last segment of its path, and its dialog. */
  readonly name: string;
  readonly operation: Operation<Answer>;
  /** What the form adds to the id of the subscription. */
  readonly bodyOf?: (visit: Visit) => object;
  /** What its dialog previews; left out if it has no preview. */
  readonly previewed?: PreviewedAction;
  /** What the page says afterwards. */
  readonly done: MessageKey | ((visit: Visit) => MessageKey);
}

/** @param page the handler of the page with its dialog; null for a button alone. */
function subscriptionForm<Answer>(
  page: PageHandler | null,
  { name, operation, bodyOf, previewed, done }: SubscriptionForm<Answer>,
): readonly DashboardRoute[] {
  const path = `/subscriptions/:id/${name}` as const;
  const bodyIn = (visit: Visit) => ({ id: visit.params.id ?? '', ...bodyOf?.(visit) });
  const sent = formAction({
    ...{ path, action: 'sell', back: pathOf },
    ...(page !== null && { form: { name, page } }),
    async work(visit) {
      const body = bodyIn(visit);
      await carryOut(visit, operation, { body, subjectId: body.id, readBy: getSubscription });
      const message = typeof done === 'function' ? done(visit) : done;
      return seeOther(visit.link(pathOf(visit)), visit.say(message));
    },
  });
  if (page === null || previewed === undefined) return [sent];
  const preview = formPreview({
    ...{ path: `${path}/preview`, action: 'sell', back: pathOf, form: { name, page } },
    work: (visit) => chargePreview(visit, { operation, action: previewed, body: bodyIn(visit) }),
  });
  return [sent, preview];
}

const planWords = (visit: Visit): MessageKey =>
  startsNow(visit)
    ? 'dashboard.subscriptions.thePlanWasChanged'
    : 'dashboard.subscriptions.thePlanChangesWithTheNext';
const endsWithPeriod = (visit: Visit) => visit.field('cancelWhen') === 'period';

function pathOf({ params }: Visit): `/${string}` {
  return `/subscriptions/${params.id}`;
}

/** @param page the handler of the page with the dialogs. */
export function subscriptionForms(page: PageHandler): readonly DashboardRoute[] {
  return [
    ...subscriptionForm(page, {
      name: 'plan',
      previewed: 'changePlan',
      operation: changeSubscriptionPlan,
      bodyOf: (visit) => ({
        productId: visit.field('productId'),
        quantity: Number(visit.field('quantity')),
        ...(visit.field('planAddOns') === 'remove' && { addOns: [] }),
        ...startOf(visit),
      }),
      done: planWords,
    }),
    ...subscriptionForm(page, {
      name: 'quantity',
      previewed: 'update',
      operation: updateSubscriptionRoute,
      bodyOf: quantityBody,
      done: planWords,
    }),
    ...subscriptionForm(page, {
      name: 'cancel',
      previewed: 'cancel',
      operation: cancelSubscriptionRoute,
      bodyOf: (visit) => ({ atPeriodEnd: endsWithPeriod(visit) }),
      done: (visit) =>
        endsWithPeriod(visit)
          ? 'dashboard.subscriptions.itWillEnd'
          : 'dashboard.subscriptions.theSubscriptionWasCancelled',
    }),
    ...subscriptionForm(page, {
      name: 'pause',
      operation: pauseSubscriptionRoute,
      bodyOf: (visit) => ({
        until: visit.field('pausedUntil') || null,
        keepAnchor: visit.field('dates') !== 'move',
      }),
      done: 'dashboard.subscriptions.itIsPaused',
    }),
    ...subscriptionForm(null, {
      name: 'resume',
      operation: resumeSubscriptionRoute,
      done: 'dashboard.subscriptions.theSubscriptionWasResumed',
    }),
    ...subscriptionForm(null, {
      name: 'pay',
      operation: paySubscriptionRoute,
      done: 'dashboard.subscriptions.theCycleWasTried',
    }),
    ...subscriptionForm(page, {
      name: 'trial',
      operation: updateSubscriptionRoute,
      bodyOf: (visit) => ({ trialEnd: visit.field('trialEnd') || 'now' }),
      done: 'dashboard.subscriptions.theTrialWasChanged',
    }),
    ...subscriptionForm(page, {
      name: 'usage',
      operation: recordSubscriptionUsage,
      bodyOf: (visit) => ({
        productId: visit.field('usedProductId'),
        units: Number(visit.field('units')),
        action: visit.field('counted'),
      }),
      done: 'dashboard.subscriptions.theUsageWasRecorded',
    }),
  ];
}
