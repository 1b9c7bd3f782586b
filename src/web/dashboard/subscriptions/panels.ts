import { listProducts } from '../../../api/products/routes.ts';
import type { Subscription } from '../../../database/entities/subscription.ts';
import { canBePaidNow, isPaused } from '../../../domain/subscription.ts';
import { isInTrial } from '../../../subscriptions/change-trial.ts';
import { type Html, html } from '../../frame/html.ts';
import { formDialog } from '../frame/dialog.ts';
import { fieldsOf } from '../frame/fields.ts';
import { form } from '../frame/form.ts';
import { read } from '../frame/operation.ts';
import type { Visit } from '../frame/visit.ts';
import { amount, perCycle } from '../words.ts';
import { previewButton } from './charge-preview.ts';
import { authorizeDialog } from './mandate-forms.ts';
import { startField } from './plan-start.ts';
import { quantityDialog } from './quantity-form.ts';

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
  return html`${plans.length > 0 && planDialog(visit, subscription, plans)}
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
${cancelDialog(visit, id, { isEnding: cancelAt !== null, usageCents })}`;
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
    preview: previewButton(visit, id, 'plan'),
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
    preview: previewButton(visit, id, 'cancel'),
  });
}
