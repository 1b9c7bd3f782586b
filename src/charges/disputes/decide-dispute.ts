import { type Charge, ChargeEntity } from '../../database/entities/charge.ts';
import { type Dispute, DisputeEntity } from '../../database/entities/dispute.ts';
import type { Em } from '../../database/orm.ts';
import type { ChargeId, DisputeId } from '../../domain/ids.ts';
import { disputeLostAmounts, disputeWonAmounts } from '../../domain/ledger.ts';
import { followReversal } from '../../sub-accounts/splits.ts';
import type { ChargeDeps } from '../effects.ts';
import { placedPart } from '../receivables/receivable-rows.ts';
import { bookExcess } from '../refunds/excess.ts';
import {
  countReversals,
  lockToTakeBack,
  reversedBy,
  settledAtAfter,
  takeBack,
  writeReversalEvent,
} from '../refunds/reversal.ts';
import { writeDisputeMovement } from './dispute-movement.ts';
import { endUndecided } from './end-undecided.ts';
import { excessOfDispute } from './withdrawals.ts';

/** Decides an open dispute; a decided one stays as it is. */
export async function decideDispute(
  deps: ChargeDeps,
  em: Em,
  chargeId: ChargeId,
  disputeId: DisputeId,
  status: 'WON' | 'LOST',
  now: Date,
): Promise<void> {
  // The conditional update also locks the row: a second decision waits and then finds the dispute closed.
  const decided = await em.nativeUpdate(
    DisputeEntity,
    { id: disputeId, status: 'OPEN' },
    { status, stage: null, closedAt: now },
  );
  if (decided === 0) return;
  const charge = await lockToTakeBack(em, chargeId);
  const dispute = await em.findOneOrFail(DisputeEntity, { id: disputeId });
  const excessCents = await excessOfDispute(em, dispute);
  const end = status === 'WON' ? win : lose;
  await endUndecided(em, dispute, now);
  await end(em, charge, { ...dispute, excessCents }, now, deps.publicUrl);
  const owner = { ...charge, provider: dispute.provider };
  await bookExcess(deps, em, owner, { subjectId: disputeId, totalCents: excessCents }, now);
}

type DecidedDispute = Dispute & { readonly excessCents: number };

async function lose(
  em: Em,
  charge: Charge,
  dispute: DecidedDispute,
  now: Date,
  publicUrl: string,
): Promise<void> {
  const { id: subjectId, reason } = dispute;
  const taken = reversedBy(charge, dispute);
  // A refund that was under way when the dispute was opened may have failed since: that part belongs to the store.
  const lost = await takeBack(em, charge, 'PAID', now);
  const published = {
    happened: 'lost',
    charge: lost,
    subjectId,
    reason,
    dispute: { ...dispute, amountCents: taken.paidCents },
  } as const;
  await writeReversalEvent(em, published, now, publicUrl);
  const amounts = disputeLostAmounts(taken);
  await writeDisputeMovement(em, charge, { kind: 'DISPUTE_LOST', subjectId, amounts, now });
}

async function win(
  em: Em,
  held: Charge,
  dispute: DecidedDispute,
  now: Date,
  publicUrl: string,
): Promise<void> {
  const isHeld = held.status === 'UNDER_DISPUTE';
  const status = isHeld ? 'PAID' : held.status;
  const settledAt = isHeld ? await settledAtAfter(em, held, now) : held.settledAt;
  await em.nativeUpdate(ChargeEntity, { id: held.id }, { status, settledAt, updatedAt: now });
  const won: Charge = { ...(await countReversals(em, held)), status, settledAt, updatedAt: now };
  const { id: subjectId, reason } = dispute;
  const given = reversedBy({ ...held, settledAt }, dispute);
  const published = {
    happened: 'won',
    charge: won,
    subjectId,
    reason,
    dispute: { ...dispute, amountCents: given.paidCents },
  } as const;
  await writeReversalEvent(em, published, now, publicUrl);
  const amounts = disputeWonAmounts(await placedPart(em, won, given));
  const movement = { kind: 'DISPUTE_WON', subjectId } as const;
  await writeDisputeMovement(em, held, { ...movement, amounts, now });
  if (given.paidCents > 0) await followReversal(em, won, movement, now);
}
