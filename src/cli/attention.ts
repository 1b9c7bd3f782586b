import { LockMode } from '@mikro-orm/core';
import { resolveAttention } from '../database/attention.ts';
import { type Attention, AttentionEntity } from '../database/entities/attention.ts';
import { ChargeEntity } from '../database/entities/charge.ts';
import { PaymentEntity } from '../database/entities/payment.ts';
import { PaymentReturnEntity } from '../database/entities/payment-return.ts';
import type { Em } from '../database/orm.ts';
import type { AttentionId, ChargeId, PaymentId } from '../domain/ids.ts';
import { formatBrl } from '../domain/money.ts';
import { writeReturned } from '../events/write-returned.ts';
import { UsageError } from './usage-error.ts';

/**
 * Records that a person has dealt with an entry. For a payment in suspense this records its manual return. Resolving twice, also
 * concurrently, changes nothing.
 *
 * @throws UsageError if the id is unknown.
 */
export function resolveById(em: Em, id: string, now: Date): Promise<Attention> {
  return em.transactional(async (tx) => {
    const held = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
    const found = await tx.findOne(AttentionEntity, { id: id as AttentionId }, held);
    if (found === null) throw new UsageError(`there is no entry ${id}; see "attention list"`);
    if (found.resolvedAt !== null) return found;
    await resolveAttention(tx, { kind: found.kind, subjectId: found.subjectId, now });
    if (found.kind === 'RETURN_REFUSED') await writeReturned(tx, found.subjectId as PaymentId, 'HELD', now);
    return { ...found, resolvedAt: now };
  });
}

/** What an operator must know about each subject to decide, in addition to its id. @returns by subject. */
export async function aboutSubjects(em: Em, open: readonly Attention[]): Promise<Map<string, string>> {
  return new Map([...(await heldPayments(em, open)), ...(await unfoundPayments(em, open))]);
}

/** The charges whose payments were not found: what the charge asked for, and its id at the bank. */
async function unfoundPayments(em: Em, open: readonly Attention[]): Promise<[string, string][]> {
  const notes = open.filter(({ kind }) => kind === 'PAYMENT_NOT_FOUND').map(({ subjectId }) => subjectId);
  const chargeIdOf = (subjectId: string) => subjectId.slice(subjectId.lastIndexOf('/') + 1) as ChargeId;
  const charges = await em.find(ChargeEntity, { id: { $in: notes.map(chargeIdOf) } });
  const byId = new Map(charges.map((charge) => [charge.id, charge]));
  return notes.flatMap((subjectId): [string, string][] => {
    const charge = byId.get(chargeIdOf(subjectId));
    if (charge === undefined) return [];
    const { amountCents, status, providerReference, createdAt } = charge;
    const asked = `${formatBrl(amountCents)} asked for at ${createdAt.toISOString()}, now ${status}`;
    return [[subjectId, `${asked}; the provider knows the charge as ${providerReference}`]];
  });
}

/** The ids of a payment in suspense at the provider and here. Only the provider knows who paid. */
async function heldPayments(em: Em, open: readonly Attention[]): Promise<Map<string, string>> {
  const ids = open.filter(({ kind }) => kind === 'RETURN_REFUSED').map(({ subjectId }) => subjectId);
  const payments = await em.find(PaymentEntity, { id: { $in: ids as PaymentId[] } });
  const parts = await em.find(
    PaymentReturnEntity,
    { paymentId: { $in: ids as PaymentId[] } },
    { orderBy: { returnedCents: 'asc' } },
  );
  const returnedOf = new Map(parts.map(({ paymentId, returnedCents }) => [paymentId, returnedCents]));
  return new Map(
    payments.map(({ id, amountCents, provider, providerPaymentId, chargeId }) => [
      id,
      `${leftOf(amountCents, returnedOf.get(id) ?? 0)}, ${providerPaymentId} at the provider "${provider}", paid for ${chargeId}`,
    ]),
  );
}

/** The amount that a person still has to return. */
function leftOf(amountCents: number, returnedCents: number): string {
  if (returnedCents === 0) return formatBrl(amountCents);
  return `${formatBrl(amountCents - returnedCents)} left of ${formatBrl(amountCents)}`;
}
