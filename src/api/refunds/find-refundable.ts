import { type Charge, ChargeEntity } from '../../database/charge.ts';
import { CheckoutEntity } from '../../database/checkout.ts';
import type { Em } from '../../database/orm.ts';
import { type ChargeId, type CheckoutId, ID_PREFIX } from '../../domain/ids.ts';
import type { Caller } from '../caller.ts';
import { ApiError, notFound } from '../errors.ts';

/** `char_` stands for the prefix of any method (contract section 1, "Ids"). */
const ANY_CHARGE_PREFIX = 'char_';
const CHARGE_PREFIXES = [
  ID_PREFIX.pixCharge,
  ID_PREFIX.boletoCharge,
  ID_PREFIX.cardCharge,
  ID_PREFIX.freeCharge,
];

/** Which endpoint is asked: each knows its own payments only. */
export type RefundOf = 'transparents' | 'checkouts' | 'payment-links';

/**
 * The payment that is to be refunded: by the id of a charge, or of the checkout that it has paid.
 * @throws ApiError 404 where there is none of this kind in the caller's store and environment; 422 where the checkout is not
 *   paid, or is a payment link, of which each payment is refunded by its own id (contract section 5).
 */
export async function findRefundable(em: Em, caller: Caller, id: string, of: RefundOf): Promise<Charge> {
  if (id.startsWith(ID_PREFIX.checkout)) return findPaymentOf(em, caller, id as CheckoutId, of);
  const { storeId, devMode } = caller;
  const where = { id: { $in: chargeIds(id) }, storeId, devMode };
  const charge = await em.findOne(ChargeEntity, where, { disableIdentityMap: true });
  if (charge === null || (await kindOf(em, charge)) !== of) throw notFound('Payment');
  return charge;
}

async function findPaymentOf(
  em: Em,
  { storeId, devMode }: Caller,
  id: CheckoutId,
  of: RefundOf,
): Promise<Charge> {
  const checkout =
    of === 'transparents'
      ? null
      : await em.findOne(CheckoutEntity, { id, storeId, devMode }, { disableIdentityMap: true });
  const isLink = checkout?.frequency === 'MULTIPLE_PAYMENTS';
  if (checkout === null || isLink !== (of === 'payment-links')) throw notFound('Payment');
  if (isLink) {
    const message = 'must be the id of one payment of the link: each is refunded on its own';
    throw new ApiError(422, 'NOT_ACCEPTABLE', `id: ${message}`, [{ path: 'id', message }]);
  }
  if (checkout.paidByChargeId === null) {
    throw new ApiError(422, 'TRANSACTION_NOT_REFUNDABLE', 'id: the checkout has not been paid');
  }
  return em.findOneOrFail(ChargeEntity, { id: checkout.paidByChargeId }, { disableIdentityMap: true });
}

async function kindOf(em: Em, { checkoutId }: Charge): Promise<RefundOf> {
  if (checkoutId === null) return 'transparents';
  const { frequency } = await em.findOneOrFail(CheckoutEntity, { id: checkoutId });
  return frequency === 'MULTIPLE_PAYMENTS' ? 'payment-links' : 'checkouts';
}

function chargeIds(id: string): ChargeId[] {
  if (!id.startsWith(ANY_CHARGE_PREFIX)) return [id as ChargeId];
  const rest = id.slice(ANY_CHARGE_PREFIX.length);
  return CHARGE_PREFIXES.map((prefix) => `${prefix}${rest}` as ChargeId);
}
