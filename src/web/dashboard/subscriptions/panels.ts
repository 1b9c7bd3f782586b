import type { Operation } from '../../../api/frame/route.ts';
import { listProducts } from '../../../api/products/routes.ts';
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
import type { Subscription } from '../../../database/entities/subscription.ts';
import { canBePaidNow, isPaused } from '../../../domain/subscription.ts';
import { isInTrial } from '../../../subscriptions/change-trial.ts';
import { type Html, html } from '../../frame/html.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';
import { formDialog } from '../frame/dialog.ts';
import { fieldsOf } from '../frame/fields.ts';
import { form } from '../frame/form.ts';
import { carryOut, read } from '../frame/operation.ts';
import { type DashboardRoute, seeOther } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { formAction } from '../lists/form-action.ts';
import { amount, perCycle } from '../words.ts';
import { authorizeDialog } from './mandate-forms.ts';
import { startField, startOf, startsNow } from './plan-start.ts';
import { quantityBody, quantityDialog } from './quantity-form.ts';

/** The actions on an active subscription, each in a dialog. @param usageCents what was recorded since the last charge. */
export async function subscriptionPanels(
  visit: Visit,
  subscription: Subscription,
  usageCents: number,
): Promise<Html> {
  const { say } = visit;
  const { id, cancelAt } = subscription;
  const isInPause = isPaused(subscription);
  const { items } = await read(visit, listProducts, { query: { limit: '100' } });
  const plans = items.flatMap(({ id: productId, name, price, cycle }) =>
    cycle === null ? [] : [[productId, `${name} · ${amount(price)} ${perCycle(cycle, say)}`] as const],
  );
  const goods = items.flatMap(({ id: productId, name, price, cycle }) =>
    cycle === null ? [[productId, `${name} · ${amount(price)}`] as const] : [],
  );
  return html`<div class="buttons">${plans.length > 0 && planDialog(visit, subscription, plans)}
${await quantityDialog(
  visit,
  subscription,
  items.map(({ id: productId, price: priceCents, ...product }) => ({ ...product, productId, priceCents })),
)}
${goods.length > 0 && usageDialog(visit, id, goods)}
${canBePaidNow(subscription, visit.storeNow) && form(visit, { action: `/subscriptions/${id}/pay`, submit: say('dashboard.subscriptions.chargeNow'), style: 'quiet' })}
${isInTrial(subscription) && trialDialog(visit, id)}
${await authorizeDialog(visit, subscription)}
${!isInPause && pauseDialog(visit, id)}
${(cancelAt !== null || isInPause) && form(visit, { action: `/subscriptions/${id}/resume`, submit: say('dashboard.subscriptions.resume'), style: 'quiet' })}
${cancelDialog(visit, id, { isEnding: cancelAt !== null, usageCents })}</div>`;
}

type Options = readonly (readonly [productId: string, label: string])[];

/** Add-ons that stay must have the cycle of the new plan. */
function planDialog(visit: Visit, subscription: Subscription, options: Options): Html {
  const { say } = visit;
  const { id } = subscription;
  const fields = fieldsOf(visit, 'plan');
  const hasAddOns = (subscription.plan.addOns ?? []).length > 0;
  const addOns = [
    ['keep', say('dashboard.subscriptions.keepTheAddOns')],
    ['remove', say('dashboard.subscriptions.removeTheAddOns')],
  ] as const;
  return formDialog(visit, {
    name: 'plan',
    button: say('dashboard.subscriptions.changeThePlan'),
    style: 'quiet',
    title: say('dashboard.subscriptions.changeThePlan'),
    text: say('dashboard.subscriptions.changeOfPlanEffects'),
    action: `/subscriptions/${id}/plan`,
    fields: html`${fields.select({ name: 'productId', label: say('dashboard.subscriptions.newPlan'), options })}
${fields.text({ name: 'quantity', label: say('dashboard.quantity'), value: '1', maxLength: 7 })}
${hasAddOns && fields.select({ name: 'planAddOns', label: say('dashboard.addOns'), value: 'keep', options: addOns })}
${startField(visit, subscription, fields)}`,
    submit: say('dashboard.change'),
  });
}

function usageDialog(visit: Visit, id: string, options: Options): Html {
  const { say } = visit;
  const fields = fieldsOf(visit, 'usage');
  const actions = [
    ['add', say('dashboard.subscriptions.add')],
    ['subtract', say('dashboard.subscriptions.subtract')],
  ] as const;
  const product = say('dashboard.subscriptions.productAtItsCurrentPrice');
  return formDialog(visit, {
    name: 'usage',
    button: say('dashboard.subscriptions.recordUsage'),
    style: 'quiet',
    title: say('dashboard.subscriptions.recordUsage'),
    text: say('dashboard.subscriptions.itIsChargedWithThe'),
    action: `/subscriptions/${id}/usage`,
    fields: html`${fields.select({ name: 'usedProductId', label: product, options })}
${fields.text({ name: 'units', label: say('dashboard.subscriptions.units'), value: '1', maxLength: 10 })}
${fields.select({ name: 'counted', label: say('dashboard.subscriptions.whatToDo'), value: 'add', options: actions })}`,
    submit: say('dashboard.subscriptions.record'),
  });
}

function pauseDialog(visit: Visit, id: string): Html {
  const { say } = visit;
  const fields = fieldsOf(visit, 'pause');
  const dates = [
    ['keep', say('dashboard.subscriptions.keepTheDates')],
    ['move', say('dashboard.subscriptions.moveTheDates')],
  ] as const;
  return formDialog(visit, {
    name: 'pause',
    button: say('dashboard.subscriptions.pause'),
    style: 'quiet',
    title: say('dashboard.subscriptions.pauseTheSubscription'),
    text: say('dashboard.subscriptions.pauseEffects'),
    action: `/subscriptions/${id}/pause`,
    fields: html`${fields.text({ name: 'pausedUntil', type: 'date', label: say('dashboard.subscriptions.resumesOn'), hint: say('dashboard.subscriptions.withoutADate'), required: false })}
${fields.select({ name: 'dates', label: say('dashboard.subscriptions.chargeDates'), value: 'keep', options: dates })}`,
    submit: say('dashboard.subscriptions.pause'),
  });
}

function trialDialog(visit: Visit, id: string): Html {
  const { say } = visit;
  const hint = say('dashboard.subscriptions.withoutATrialDate');
  return formDialog(visit, {
    name: 'trial',
    button: say('dashboard.subscriptions.changeTheTrial'),
    style: 'quiet',
    title: say('dashboard.subscriptions.changeTheTrial'),
    text: say('dashboard.subscriptions.trialEffects'),
    action: `/subscriptions/${id}/trial`,
    fields: fieldsOf(visit, 'trial').text({
      name: 'trialEnd',
      type: 'date',
      label: say('dashboard.subscriptions.trialUntil'),
      hint,
      required: false,
    }),
    submit: say('dashboard.change'),
  });
}

interface Ending {
  /** Whether it ends with its cycle anyway, so that only its end at once can be asked for. */
  readonly isEnding: boolean;
  readonly usageCents: number;
}

function cancelDialog(visit: Visit, id: string, { isEnding, usageCents }: Ending): Html {
  const { say } = visit;
  const effects = say(
    isEnding ? 'dashboard.subscriptions.thereWillBeNoMore' : 'dashboard.subscriptions.cancelEffects',
  );
  const usage = say('dashboard.subscriptions.cancelChargesUsage', { amount: amount(usageCents) });
  const when = [
    ['period', say('dashboard.subscriptions.withTheCurrentCycle')],
    ['now', say('dashboard.subscriptions.atOnce')],
  ] as const;
  return formDialog(visit, {
    name: 'cancel',
    button: say('dashboard.subscriptions.cancelSubscription'),
    style: 'danger',
    title: say('dashboard.subscriptions.cancelTheSubscription'),
    text: usageCents > 0 ? `${effects} ${usage}` : effects,
    action: `/subscriptions/${id}/cancel`,
    ...(!isEnding && {
      fields: fieldsOf(visit, 'cancel').select({
        name: 'cancelWhen',
        label: say('dashboard.subscriptions.whenItEnds'),
        value: 'period',
        options: when,
      }),
    }),
    submit: say(
      isEnding ? 'dashboard.subscriptions.cancelNow' : 'dashboard.subscriptions.cancelSubscription',
    ),
    isDangerous: true,
  });
}

type PageHandler = DashboardRoute['handler'];

interface SubscriptionForm<Answer> {
  /** The last segment of its path, and its dialog. */
  readonly name: string;
  readonly operation: Operation<Answer>;
  /** What the form adds to the id of the subscription. */
  readonly bodyOf?: (visit: Visit) => object;
  /** What the page says afterwards. */
  readonly done: MessageKey | ((visit: Visit) => MessageKey);
}

/** @param page the handler of the page with its dialog; null for a button alone. */
function subscriptionForm<Answer>(
  page: PageHandler | null,
  { name, operation, bodyOf = () => ({}), done }: SubscriptionForm<Answer>,
): DashboardRoute {
  return formAction({
    path: `/subscriptions/:id/${name}`,
    action: 'sell',
    back: pathOf,
    ...(page !== null && { form: { name, page } }),
    async work(visit) {
      const { id = '' } = visit.params;
      const body = { id, ...bodyOf(visit) };
      await carryOut(visit, operation, { body, subjectId: id, readBy: getSubscription });
      const message = typeof done === 'function' ? done(visit) : done;
      return seeOther(visit.link(pathOf(visit)), visit.say(message));
    },
  });
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
    subscriptionForm(page, {
      name: 'plan',
      operation: changeSubscriptionPlan,
      bodyOf: (visit) => ({
        productId: visit.field('productId'),
        quantity: Number(visit.field('quantity')),
        ...(visit.field('planAddOns') === 'remove' && { addOns: [] }),
        ...startOf(visit),
      }),
      done: planWords,
    }),
    subscriptionForm(page, {
      name: 'quantity',
      operation: updateSubscriptionRoute,
      bodyOf: quantityBody,
      done: planWords,
    }),
    subscriptionForm(page, {
      name: 'cancel',
      operation: cancelSubscriptionRoute,
      bodyOf: (visit) => ({ atPeriodEnd: endsWithPeriod(visit) }),
      done: (visit) =>
        endsWithPeriod(visit)
          ? 'dashboard.subscriptions.itWillEnd'
          : 'dashboard.subscriptions.theSubscriptionWasCancelled',
    }),
    subscriptionForm(page, {
      name: 'pause',
      operation: pauseSubscriptionRoute,
      bodyOf: (visit) => ({
        until: visit.field('pausedUntil') || null,
        keepAnchor: visit.field('dates') !== 'move',
      }),
      done: 'dashboard.subscriptions.itIsPaused',
    }),
    subscriptionForm(null, {
      name: 'resume',
      operation: resumeSubscriptionRoute,
      done: 'dashboard.subscriptions.theSubscriptionWasResumed',
    }),
    subscriptionForm(null, {
      name: 'pay',
      operation: paySubscriptionRoute,
      done: 'dashboard.subscriptions.theCycleWasTried',
    }),
    subscriptionForm(page, {
      name: 'trial',
      operation: updateSubscriptionRoute,
      bodyOf: (visit) => ({ trialEnd: visit.field('trialEnd') || 'now' }),
      done: 'dashboard.subscriptions.theTrialWasChanged',
    }),
    subscriptionForm(page, {
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
