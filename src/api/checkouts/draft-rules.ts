import { type DraftRules, listIn, textIn } from '../frame/draft.ts';
import { ApiError } from '../frame/errors.ts';
import { soldItems, soldPlan, wrongReferences } from './references.ts';
import { MAX_COUPONS, MAX_ITEMS } from './schema.ts';

/** Products, customer, coupons and upsell of a checkout whose other fields may have the wrong form. */
export const wrongReferencesOfDraft: DraftRules = async (body, { em, key, now }) => {
  const items = listIn(body, MAX_ITEMS, 'items').map((item) => {
    const id = textIn(item, 'id');
    return id === null ? null : { id, quantity: 1 };
  });
  const { wrong } = await soldItems(em, key, items);
  return [...wrong, ...(await wrongReferences(em, key, referencesIn(body), now))];
};

/** The same for a subscription, whose only item must have a cycle. */
export const wrongReferencesOfSubscription: DraftRules = async (body, { em, key, now }) => {
  const id = textIn(listIn(body, 1, 'items')[0], 'id');
  const plan = id === null ? [] : await soldPlan(em, key, id, 'items[0].id').then(() => [], refusalIn);
  return [...plan, ...(await wrongReferences(em, key, referencesIn(body), now))];
};

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
