import { returnRefusedAmounts, returnSettledAmounts } from '../../domain/ledger.ts';
import { type NotedAttention, noteAttention } from '../attention.ts';
import { type Payment, PaymentEntity } from '../entities/payment.ts';
import { insertNew } from '../insert-new.ts';
import type { Em } from '../orm.ts';
import { statement } from '../statement.ts';
import { type LedgerOwner, writeMovement } from './ledger.ts';

/**
 * Writes down that a provider refused to send a payment back: the payment is HELD, its money is in suspense,
 * and somebody is asked to return it by hand. All in one transaction, and once per payment.
 *
 * @returns what was noted; null where an earlier run has written of this payment already.
 */
export function holdPayment(
  em: Em,
  { storeId, devMode }: LedgerOwner,
  payment: Omit<Payment, 'outcome'>,
): Promise<NotedAttention | null> {
  const { id, amountCents, createdAt } = payment;
  const noted: NotedAttention = {
    kind: 'RETURN_REFUSED',
    subjectId: id,
    storeId,
    devMode,
    since: createdAt,
    now: createdAt,
  };
  return em.transactional(async (tx) => {
    if (!(await insertNew(tx, PaymentEntity, { ...payment, outcome: 'HELD' }))) return null;
    await noteAttention(tx, noted);
    const amounts = returnRefusedAmounts(amountCents);
    const owner = { storeId, devMode };
    await writeMovement(tx, owner, { kind: 'RETURN_REFUSED', subjectId: id, amounts, createdAt });
    return noted;
  });
}

const RETURNED_BY_HAND = statement<{ paymentId: string }, LedgerOwner & { amountCents: number }>(
  'a held payment was returned by hand',
  () => `
    update payments set outcome = 'RETURNED' from charges
    where payments.id = :paymentId and payments.outcome = 'HELD' and charges.id = payments.charge_id
    returning charges.store_id as "storeId", charges.dev_mode as "devMode", payments.amount_cents as "amountCents"`,
);

/**
 * Writes down, in the caller's transaction, that a payment in suspense has been returned by hand. What is not
 * in suspense, or not any more, stays as it is.
 */
export async function settleReturn(em: Em, paymentId: string, now: Date): Promise<void> {
  const [held] = await RETURNED_BY_HAND(em, { paymentId });
  if (held === undefined) return;
  const amounts = returnSettledAmounts(held.amountCents);
  await writeMovement(em, held, {
    kind: 'RETURN_SETTLED',
    subjectId: paymentId,
    amounts,
    createdAt: now,
  });
}
