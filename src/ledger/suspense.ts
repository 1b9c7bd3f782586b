import { type NotedAttention, noteAttention } from '../database/attention.ts';
import { type Payment, PaymentEntity } from '../database/entities/payment.ts';
import { type PaymentReturn, PaymentReturnEntity } from '../database/entities/payment-return.ts';
import { insertNew } from '../database/insert-new.ts';
import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { PaymentId } from '../domain/ids.ts';
import { returnReservedAmounts, returnSettledAmounts } from '../domain/ledger.ts';
import type { StoreEnvironment } from '../domain/store-environment.ts';
import { paymentReturnIdOf } from '../ids.ts';
import { type MovementOwner, writeMovement } from './write-movement.ts';

/** A payment that is being returned to its payer. */
export type Returning = Pick<Payment, 'id' | 'provider' | 'providerPaymentId' | 'createdAt'>;

/**
 * Records that a payment is returned to its payer: it becomes RETURNING, and its money is in suspense, until the
 * provider has answered. One transaction, and once per payment.
 *
 * @returns the payment as first recorded; null if its return has already ended.
 */
export function beginReturn(
  em: Em,
  { storeId, devMode }: StoreEnvironment,
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
 * Records that a provider refused to return a payment: the payment becomes HELD, its money stays in suspense, and a
 * person is asked to return it by hand. One transaction, and once per payment.
 *
 * @returns the note; null if another run has already recorded it.
 */
export function holdPayment(
  em: Em,
  { storeId, devMode }: StoreEnvironment,
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

const LOCK_HELD = statement<{ id: PaymentId }, MovementOwner>(
  'lock a payment that is held',
  () => `
    select charges.store_id as "storeId", charges.dev_mode as "devMode", payments.provider
    from payments join charges on charges.id = payments.charge_id
    where payments.id = :id and payments.outcome = 'HELD' for update of payments`,
);

/**
 * Takes the returned part of a HELD payment out of suspense, unless it was taken before. The rest stays in
 * suspense, and the payment stays HELD. May be repeated, also concurrently.
 *
 * @param returnedCents the total that its provider has returned: less than the payment.
 */
export function settlePart(em: Em, id: PaymentId, returnedCents: number, now: Date): Promise<void> {
  return em.transactional(async (tx) => {
    const [owner] = await LOCK_HELD(tx, { id });
    if (owner === undefined) return;
    const amountCents = returnedCents - (await returnedInPartsCents(tx, id));
    if (amountCents <= 0) return;
    const part: PaymentReturn = {
      id: paymentReturnIdOf(id, returnedCents),
      paymentId: id,
      amountCents,
      returnedCents,
      createdAt: now,
    };
    await tx.insert(PaymentReturnEntity, part);
    const amounts = returnSettledAmounts(amountCents);
    await writeMovement(tx, owner, {
      kind: 'RETURN_PART_SETTLED',
      subjectId: part.id,
      amounts,
      createdAt: now,
    });
  });
}

const IN_PARTS = statement<{ paymentId: string }, { cents: number }>(
  'what has gone of a payment in suspense',
  () => `
    select coalesce(max(returned_cents), 0)::float8 as cents from payment_returns where payment_id = :paymentId`,
);

async function returnedInPartsCents(em: Em, paymentId: string): Promise<number> {
  const [gone] = await IN_PARTS(em, { paymentId });
  return gone?.cents ?? 0;
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
 * Records, in the caller's transaction, that the payer has the whole payment back. A payment that is not in
 * suspense stays unchanged. Parts that were taken out before ({@link settlePart}) do not count again. Called by
 * `writeReturned`, which also writes the event.
 *
 * @param from RETURNING if the provider returned it, HELD if a person did.
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
  // The payment's row is locked, so no other part can be booked meanwhile.
  const restCents = returned.amountCents - (await returnedInPartsCents(em, paymentId));
  const amounts = returnSettledAmounts(restCents);
  await writeMovement(em, returned, {
    kind: 'RETURN_SETTLED',
    subjectId: paymentId,
    amounts,
    createdAt: now,
  });
  return true;
}
