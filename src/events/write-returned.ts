import { ChargeEntity } from '../database/entities/charge.ts';
import { CheckoutEntity } from '../database/entities/checkout.ts';
import { CustomerEntity } from '../database/entities/customer.ts';
import type { DeliveryToStart } from '../database/entities/delivery.ts';
import { PaymentEntity } from '../database/entities/payment.ts';
import type { Em } from '../database/orm.ts';
import type { PaymentId } from '../domain/ids.ts';
import { settleReturn } from '../ledger/suspense.ts';
import { cycleOf } from './charged-cycle.ts';
import { writeEvent } from './record.ts';
import { returnedPaymentEventData } from './returned-payment.ts';

/**
 * Records, in the caller's transaction, that a payment was returned to its payer: its status, its ledger
 * movement and `payment.returned`. Payments that are not in suspense, or no longer, stay unchanged.
 *
 * @param from RETURNING if the provider has returned it, HELD if a person has.
 * @returns the deliveries to start after the commit. After a minute the sweeper starts missed ones.
 */
export async function writeReturned(
  em: Em,
  paymentId: PaymentId,
  from: 'RETURNING' | 'HELD',
  now: Date,
): Promise<DeliveryToStart[]> {
  if (!(await settleReturn(em, paymentId, from, now))) return [];
  const fresh = { disableIdentityMap: true } as const;
  const payment = await em.findOneOrFail(PaymentEntity, { id: paymentId }, fresh);
  const charge = await em.findOneOrFail(ChargeEntity, { id: payment.chargeId }, fresh);
  const { customerId, checkoutId } = charge;
  const customer = customerId === null ? null : await em.findOne(CustomerEntity, { id: customerId }, fresh);
  const checkout = checkoutId === null ? null : await em.findOne(CheckoutEntity, { id: checkoutId }, fresh);
  const subscriptionId = checkout?.subscriptionId ?? null;
  const cycle = checkout && (await cycleOf(em, charge, checkout));
  const data = returnedPaymentEventData({ payment, charge, subscriptionId, cycle, customer }, now);
  return writeEvent(em, charge, 'payment.returned', paymentId, data, now);
}
