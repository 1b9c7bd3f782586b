import { type Charge, ChargeEntity } from '../../database/entities/charge.ts';
import { CheckoutEntity } from '../../database/entities/checkout.ts';
import type { Em } from '../../database/orm.ts';
import { type CheckoutId, ID_PREFIX } from '../../domain/ids.ts';
import { brokenRule, notFound } from '../frame/errors.ts';
import type { Caller } from '../keys/caller.ts';
import { chargeIds } from '../transparents/find-charge.ts';

/**
 * The payments in which to look up an id: without a checkout, of any checkout, of payment links, or all.
 * Under `/checkouts`, payment links count as checkouts.
 */
export type PaymentScope = 'transparents' | 'checkouts' | 'payment-links' | 'any';

/**
 * Reads the payment for an id from the database again: the id of a charge, or of a checkout it paid. For a
 * subscription's checkout, the first payment. Null if the checkout is unpaid.
 * @throws ApiError 404 if it does not exist in the scope, store and environment; 422 for the id of a payment
 * link, whose payments have ids of their own (contract section 5).
 */
export async function findPayment(
  em: Em,
  caller: Caller,
  id: string,
  scope: PaymentScope,
): Promise<Charge | null> {
  if (id.startsWith(ID_PREFIX.checkout)) return findPaymentOf(em, caller, id as CheckoutId, scope);
  const { storeId, devMode } = caller;
  const where = { id: { $in: chargeIds(id) }, storeId, devMode };
  const charge = await em.findOne(ChargeEntity, where, { disableIdentityMap: true });
  if (charge === null || !(await isIn(em, charge, scope))) throw notFound('Payment');
  return charge;
}

async function findPaymentOf(
  em: Em,
  { storeId, devMode }: Caller,
  id: CheckoutId,
  scope: PaymentScope,
): Promise<Charge | null> {
  if (scope === 'transparents') throw notFound('Payment');
  const checkout = await em.findOne(CheckoutEntity, { id, storeId, devMode }, { disableIdentityMap: true });
  if (checkout === null) throw notFound('Payment');
  const { frequency, paidByChargeId } = checkout;
  if (frequency === 'MULTIPLE_PAYMENTS') {
    const message = "must be the id of one of the link's payments, not of the link";
    throw brokenRule('ID_OF_LINK', 'id', message);
  }
  if (scope === 'payment-links') throw notFound('Payment');
  if (paidByChargeId === null) return null;
  return em.findOneOrFail(ChargeEntity, { id: paidByChargeId }, { disableIdentityMap: true });
}

async function isIn(em: Em, { checkoutId }: Charge, scope: PaymentScope): Promise<boolean> {
  if (scope === 'any') return true;
  if (checkoutId === null || scope === 'transparents') return checkoutId === null && scope === 'transparents';
  if (scope === 'checkouts') return true;
  const { frequency } = await em.findOneOrFail(CheckoutEntity, { id: checkoutId });
  return frequency === 'MULTIPLE_PAYMENTS';
}
