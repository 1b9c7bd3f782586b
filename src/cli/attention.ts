import { LockMode } from '@mikro-orm/core';
import { resolveAttention } from '../database/attention.ts';
import { type Attention, AttentionEntity } from '../database/entities/attention.ts';
import { PaymentEntity } from '../database/entities/payment.ts';
import type { Em } from '../database/orm.ts';
import type { AttentionId, PaymentId } from '../domain/ids.ts';
import { formatBrl } from '../domain/money.ts';
import { writeReturned } from '../events/write-returned.ts';
import { UsageError } from './usage-error.ts';

/**
 * Writes down that somebody has dealt with what needed a person. Of a payment in suspense that is its return
 * by hand. Resolved again, also by two at once, it stays as it was.
 *
 * @throws UsageError when there is nothing of that id.
 */
export function resolveById(em: Em, id: string, now: Date): Promise<Attention> {
  return em.transactional(async (tx) => {
    const held = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
    const found = await tx.findOne(AttentionEntity, { id: id as AttentionId }, held);
    if (found === null) throw new UsageError(`nothing has the id ${id}; see "attention list"`);
    if (found.resolvedAt !== null) return found;
    await resolveAttention(tx, { kind: found.kind, subjectId: found.subjectId, now });
    if (found.kind === 'RETURN_REFUSED') await writeReturned(tx, found.subjectId as PaymentId, 'HELD', now);
    return { ...found, resolvedAt: now };
  });
}

/**
 * What an operator looks a payment in suspense up by, at the provider and here; of whom it is, the provider
 * knows.
 */
export async function heldPayments(em: Em, open: readonly Attention[]): Promise<Map<string, string>> {
  const ids = open.filter(({ kind }) => kind === 'RETURN_REFUSED').map(({ subjectId }) => subjectId);
  const payments = await em.find(PaymentEntity, { id: { $in: ids as PaymentId[] } });
  return new Map(
    payments.map(({ id, amountCents, provider, providerPaymentId, chargeId }) => [
      id,
      `${formatBrl(amountCents)}, ${providerPaymentId} at the provider "${provider}", paid for ${chargeId}`,
    ]),
  );
}
