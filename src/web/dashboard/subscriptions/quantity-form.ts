import type { Subscription } from '../../../database/entities/subscription.ts';
import { planOfNextCycle } from '../../../subscriptions/changed-plan.ts';
import { type Html, html } from '../../frame/html.ts';
import { formDialog } from '../frame/dialog.ts';
import { fieldsOf } from '../frame/fields.ts';
import { FormRefused } from '../frame/refusals.ts';
import type { Visit } from '../frame/visit.ts';
import { amount } from '../words.ts';
import { previewButton } from './charge-preview.ts';
import { startField, startOf } from './plan-start.ts';

/** A product that can be an add-on: its field is empty without it. */
export interface AddOnChoice {
  readonly productId: string;
  readonly name: string;
  readonly priceCents: number;
  readonly cycle: string | null;
}

const PREFIX = 'addOn-';

/**
 * Changes the quantity of the plan and the add-ons. It shows what the next cycle will have, and every product that fits the plan with
 * a field for its quantity, so it works without JavaScript.
 */
export async function quantityDialog(
  visit: Visit,
  subscription: Subscription,
  products: readonly AddOnChoice[],
): Promise<Html> {
  const { say, em } = visit;
  const { plan, cycle } = await planOfNextCycle(em, subscription);
  const { addOns = [] } = plan;
  const added = new Set<string>(addOns.map(({ productId }) => productId));
  const others = products.filter(
    (product) =>
      product.cycle === cycle && product.productId !== plan.productId && !added.has(product.productId),
  );
  const fields = fieldsOf(visit, 'quantity');
  const addOnField = (productId: string, name: string, cents: number, value: string) =>
    fields.text({
      name: `${PREFIX}${productId}`,
      label: `${name} · ${amount(cents)}`,
      value,
      required: false,
      maxLength: 7,
    });
  return formDialog(visit, {
    name: 'quantity',
    button: say('dashboard.subscriptions.quantityAndAddOns'),
    style: 'quiet',
    title: say('dashboard.subscriptions.quantityAndAddOns'),
    text: say('dashboard.subscriptions.quantityEffects'),
    action: `/subscriptions/${subscription.id}/quantity`,
    fields: html`${fields.text({ name: 'planQuantity', label: `${plan.name} · ${amount(plan.unitPriceCents)}`, value: String(plan.quantity), maxLength: 7 })}
${addOns.map(({ productId, name, unitPriceCents, quantity }) => addOnField(productId, name, unitPriceCents, String(quantity)))}
${others.map(({ productId, name, priceCents }) => addOnField(productId, name, priceCents, ''))}
${startField(visit, subscription, fields)}`,
    submit: say('dashboard.change'),
    preview: previewButton(visit, subscription.id, 'quantity'),
  });
}

/** The form as the body of `subscriptions/update`. @throws FormRefused that names every field without a whole number. */
export function quantityBody(visit: Visit): object {
  const names = [...new Set(visit.form.keys())].filter((name) => name.startsWith(PREFIX));
  const wrong = ['planQuantity', ...names].filter((name) => !isQuantity(visit.field(name), name));
  if (wrong.length > 0) {
    const problem = visit.say('dashboard.subscriptions.wholeNumber');
    throw new FormRefused(Object.fromEntries(wrong.map((name) => [name, problem])));
  }
  const addOns = names
    .map((name) => ({ id: name.slice(PREFIX.length), quantity: Number(visit.field(name)) }))
    .filter(({ quantity }) => quantity > 0);
  return { quantity: Number(visit.field('planQuantity')), addOns, ...startOf(visit) };
}

/** Nothing stands for no such add-on. */
function isQuantity(text: string, name: string): boolean {
  if (text === '') return name !== 'planQuantity';
  return /^\d{1,7}$/.test(text) && (Number(text) > 0 || name !== 'planQuantity');
}
