import type { PaymentId } from '../../domain/ids.ts';
import { returnReservedAmounts, returnSettledAmounts } from '../../domain/ledger.ts';
import { type NotedAttention, noteAttention } from '../attention.ts';
import { type Payment, PaymentEntity } from '../entities/payment.ts';
import { insertNew } from '../insert-new.ts';
import type { Em } from '../orm.ts';
import { statement } from '../statement.ts';
import { type LedgerOwner, type MovementOwner, writeMovement } from './ledger.ts';

/** A payment that is on its way back to its payer. */
export type Returning = Pick<Payment, 'id' | 'provider' | 'providerPaymentId' | 'createdAt'>;

/**
 * Writes down that a payment goes back to its payer: it is RETURNING, and its money in suspense, until the
 * provider has answered. All in one transaction, and once per payment.
 *
 * @returns the payment as it was first written down; null where it has come to its end already.
 */
export function beginReturn(
  em: Em,
  { storeId, devMode }: LedgerOwner,
  payment: Omit<Payment, 'outcome'>,
): Promise<Returning | null> {
  const { id, provider, providerPaymentId, amountCents, createdAt } = payment;
  return em.transactional(async (tx) => {
    if (await insertNew(tx, PaymentEntity, { ...payment, outcome: 'RETURNING' })) {
      const amounts = returnReservedAmounts(amountCents);
      const owner = { storeId, devMode, provider };
      await writeMovement(tx, owner, { kind: 'RETURN_RESERVED', subjectId: id, amounts, createdAt });
      return payment;
    }
    return tx.findOne(PaymentEntity, { provider, providerPaymentId, outcome: 'RETURNING' });
  });
}

const HOLD = statement<{ id: PaymentId }, { id: PaymentId }>(
  'a return was refused',
  () => `update payments set outcome = 'HELD' where id = :id and outcome = 'RETURNING' returning id`,
);

/**
 * Writes down that a provider refused to send a payment back: the payment is HELD, its money stays in suspense,
 * and somebody is asked to return it by hand. All in one transaction, and once per payment.
 *
 * @returns what was noted; null where another run has written it down already.
 */
export function holdPayment(
  em: Em,
  { storeId, devMode }: LedgerOwner,
  { id }: Returning,
  now: Date,
): Promise<NotedAttention | null> {
  const noted = { kind: 'RETURN_REFUSED', subjectId: id, storeId, devMode, since: now, now } as const;
  return em.transactional(async (tx) => {
    const [held] = await HOLD(tx, { id });
    if (held === undefined) return null;
    await noteAttention(tx, noted);
    return noted;
  });
}

const RETURNED = statement<
  { paymentId: string; from: Payment['outcome'] },
  MovementOwner & { amountCents: number }
>(
  'a payment is back with its payer',
  () => `
    update payments set outcome = 'RETURNED' from charges
    where payments.id = :paymentId and payments.outcome = :from and charges.id = payments.charge_id
    returning charges.store_id as "storeId", charges.dev_mode as "devMode", payments.provider,
      payments.amount_cents as "amountCents"`,
);

/**
 * Writes down, in the caller's transaction, that a payment in suspense is back with its payer. What is not
 * in suspense, or not any more, stays as it is. Called by `writeReturned`, which writes the event with it.
 *
 * @param from RETURNING where the provider has sent it, HELD where a person has.
 * @returns whether it was in suspense.
 */
export async function settleReturn(
  em: Em,
  paymentId: string,
  from: 'RETURNING' | 'HELD',
  now: Date,
): Promise<boolean> {
  const [returned] = await RETURNED(em, { paymentId, from });
  if (returned === undefined) return false;
  const amounts = returnSettledAmounts(returned.amountCents);
  await writeMovement(em, returned, {
    kind: 'RETURN_SETTLED',
    subjectId: paymentId,
    amounts,
    createdAt: now,
  });
  return true;
}
