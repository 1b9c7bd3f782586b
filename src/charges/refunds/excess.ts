import { noteAttention, resolveAttention } from '../../database/attention.ts';
import type { Charge } from '../../database/entities/charge.ts';
import type { Em } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import type { ChargeId, DisputeId, ExcessTakingId, RefundId } from '../../domain/ids.ts';
import { excessAmounts } from '../../domain/ledger.ts';
import { excessTakingIdOf } from '../../ids.ts';
import { noteIfNegative } from '../../ledger/negative-balance.ts';
import { writeMovement } from '../../ledger/write-movement.ts';
import type { ChargeDeps } from '../effects.ts';

/** What took more of a payment than it still held: a dispute, or a refund that the bank made. */
type SubjectId = DisputeId | RefundId;

const READ = statement<{ subjectId: SubjectId }, { takenCents: number; count: number }>(
  'read an excess',
  () => `
  select coalesce(sum(taken_cents), 0)::bigint as "takenCents", count(*)::int as count
  from excess_takings where subject_id = :subjectId`,
);

const INSERT = statement<{
  id: ExcessTakingId;
  chargeId: ChargeId;
  subjectId: SubjectId;
  sequence: number;
  takenCents: number;
  now: Date;
}>(
  'insert an excess',
  () => `
  insert into excess_takings (id, charge_id, subject_id, sequence, taken_cents, created_at)
  values (:id, :chargeId, :subjectId, :sequence, :takenCents, :now)`,
);

export interface Excess {
  readonly subjectId: SubjectId;
  /** What it has taken beyond the payment altogether; negative if the provider returned more than was booked as gone. */
  readonly totalCents: number;
}

/**
 * Books the change since the last call, if any, as a movement of its own: a payment is never reversed twice
 * in its own books, but the money is gone, so the store's available balance shows it. The caller holds the charge's lock,
 * and has taken all other locks of its transaction.
 */
export async function bookExcess(
  { log }: Pick<ChargeDeps, 'log'>,
  em: Em,
  charge: Charge,
  { subjectId, totalCents }: Excess,
  now: Date,
): Promise<void> {
  const [booked = { takenCents: 0, count: 0 }] = await READ(em, { subjectId });
  const takenCents = totalCents - booked.takenCents;
  if (takenCents === 0) return;
  const sequence = booked.count + 1;
  const id = excessTakingIdOf(subjectId, sequence);
  await INSERT(em, { id, chargeId: charge.id, subjectId, sequence, takenCents, now });
  await noteExcess(log, em, charge, now);
  const kind = takenCents > 0 ? 'EXCESS_TAKEN' : 'EXCESS_RETURNED';
  await writeMovement(em, charge, {
    kind,
    subjectId: id,
    amounts: excessAmounts(takenCents),
    createdAt: now,
  });
  await noteIfNegative(em, log, charge, now);
}

const IS_OUT = statement<{ chargeId: ChargeId }, { isOut: boolean }>(
  'whether an excess is out',
  () => `
  select exists (
    select from excess_takings where charge_id = :chargeId group by subject_id having sum(taken_cents) > 0
  ) as "isOut"`,
);

/** Only in production, like a negative balance: in dev mode everyone with a key can open disputes. */
async function noteExcess(
  log: ChargeDeps['log'],
  em: Em,
  { id: subjectId, storeId, devMode }: Charge,
  now: Date,
): Promise<void> {
  if (devMode) return;
  const kind = 'PAYMENT_TAKEN_TWICE';
  const [row] = await IS_OUT(em, { chargeId: subjectId });
  if (row?.isOut) await noteAttention(em, { kind, subjectId, storeId, devMode, since: now, now }, log);
  else await resolveAttention(em, { kind, subjectId, now });
}
