import type { Checkout } from '../../database/entities/checkout.ts';
import { CheckoutEntity } from '../../database/entities/checkout.ts';
import type { Em } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import type { CheckoutId, StoreId } from '../../domain/ids.ts';

interface ExternalId {
  readonly storeId: StoreId;
  readonly devMode: boolean;
  readonly externalId: string;
}

type Claim = ExternalId & { readonly checkoutId: CheckoutId };

/** Waits for a parallel transaction that claims the same id. */
const CLAIM = statement<Claim, object>(
  'claim the external id of a checkout',
  () => `
  insert into checkout_external_ids (store_id, dev_mode, external_id, checkout_id)
  values (:storeId, :devMode, :externalId, :checkoutId)
  on conflict do nothing returning 1`,
);

const HOLDER = statement<ExternalId, { checkoutId: CheckoutId }>(
  'read the checkout of an external id',
  () => `
  select checkout_id as "checkoutId" from checkout_external_ids
  where store_id = :storeId and dev_mode = :devMode and external_id = :externalId`,
);

/** One of several parallel requests takes over; the others then find its checkout. */
const TAKE_OVER = statement<Claim & { ended: CheckoutId }, object>(
  'take over the external id of a checkout',
  () => `
  update checkout_external_ids set checkout_id = :checkoutId
  where store_id = :storeId and dev_mode = :devMode and external_id = :externalId and checkout_id = :ended
  returning 1`,
);

/** The checkout that has this `externalId`; null if none has, or if it was cancelled or deleted. */
export async function checkoutOfExternalId(em: Em, sought: ExternalId): Promise<Checkout | null> {
  const holder = await holderOf(em, sought);
  return holder?.isGone === false ? holder.checkout : null;
}

/**
 * Claims an `externalId` for a new checkout, in the transaction that inserts it. Of parallel requests one claims it.
 * @returns null if it was claimed, otherwise the checkout that has it.
 */
export async function claimExternalId(em: Em, claim: Claim): Promise<Checkout | null> {
  // Each round that does not end it has seen another request claim the id and end its checkout.
  for (;;) {
    if ((await CLAIM(em, claim)).length === 1) return null;
    const holder = await holderOf(em, claim);
    if (holder?.isGone === false) return holder.checkout;
    if (holder !== null && (await TAKE_OVER(em, { ...claim, ended: holder.id })).length === 1) return null;
  }
}

async function holderOf(em: Em, sought: ExternalId) {
  const [held] = await HOLDER(em, sought);
  if (held === undefined) return null;
  const where = { id: held.checkoutId };
  const checkout = await em.findOne(CheckoutEntity, where, { disableIdentityMap: true });
  if (checkout === null) return { id: held.checkoutId, isGone: true as const };
  const isGone = checkout.status === 'CANCELLED' || checkout.deletedAt !== null;
  return isGone
    ? { id: held.checkoutId, isGone: true as const }
    : { id: held.checkoutId, isGone: false as const, checkout };
}
