import type { Charge } from '../../database/entities/charge.ts';
import type { Em } from '../../database/orm.ts';
import type { DisputeId } from '../../domain/ids.ts';
import type { LedgerAmounts } from '../../domain/ledger.ts';
import { writeMovement } from '../../ledger/write-movement.ts';

/** A dispute that blocks nothing of its payment moves nothing of it. */
export async function writeDisputeMovement(
  em: Em,
  charge: Charge,
  movement: {
    readonly kind: 'DISPUTE_OPENED' | 'DISPUTE_WON' | 'DISPUTE_LOST';
    readonly subjectId: DisputeId;
    readonly amounts: LedgerAmounts;
    readonly now: Date;
  },
): Promise<void> {
  const { now: createdAt, ...written } = movement;
  if (movement.amounts.blockedCents !== 0) await writeMovement(em, charge, { ...written, createdAt });
}
