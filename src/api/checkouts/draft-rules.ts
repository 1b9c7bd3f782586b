import { MAX_ADD_ONS } from '../../domain/subscribed-plan.ts';
import { type DraftRules, listIn, textIn } from '../frame/draft.ts';
import { ApiError } from '../frame/errors.ts';
import { soldAddOns } from './add-ons.ts';
import { type Plan, soldItems, soldPlan, wrongReferences } from './references.ts';
import { MAX_COUPONS, MAX_ITEMS } from './schema.ts';

/** Products, customer, coupons and upsell of a checkout whose other fields may have the wrong form. */
export const wrongReferencesOfDraft: DraftRules = async (body, { em, key, now }) => {
  const { wrong } = await soldItems(em, key, orderedIn(body, 'items', MAX_ITEMS));
  return [...wrong, ...(await wrongReferences(em, key, referencesIn(body), now))];
};

/** The same for a subscription, whose only item must have a cycle, and its add-ons. */
export const wrongReferencesOfSubscription: DraftRules = async (body, { em, key, now }) => {
  const id = textIn(listIn(body, 1, 'items')[0], 'id');
  const found: Plan | ApiError[] =
    id === null ? [] : await soldPlan(em, key, id, 'items[0].id').catch(refusalIn);
  const plan = Array.isArray(found) ? null : { productId: found.id, cycle: found.cycle };
  const named = orderedIn(body, 'addOns', MAX_ADD_ONS);
  return [
    ...(Array.isArray(found) ? found : []),
    ...(await soldAddOns(em, key, named, plan)).wrong,
    ...(await wrongReferences(em, key, referencesIn(body), now)),
  ];
};

/** The products of a list; null for an item that names none. Quantities are for the schema to check. */
function orderedIn(body: unknown, field: 'items' | 'addOns', most: number) {
  return listIn(body, most, field).map((item) => {
    const id = textIn(item, 'id');
    return id === null ? null : { id, quantity: 1 };
  });
}

function referencesIn(body: unknown) {
  const codes = listIn(body, MAX_COUPONS, 'coupons').map((code) => (typeof code === 'string' ? code : null));
  return {
    customerId: textIn(body, 'customerId'),
    coupons: codes,
    upSellProductId: textIn(body, 'upSellProductId'),
  };
}

/** @throws what is no refusal. */
export function refusalIn(error: unknown): ApiError[] {
  if (error instanceof ApiError) return [error];
  throw error;
}
