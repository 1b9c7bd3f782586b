import type { Dispute } from '../../database/entities/dispute.ts';
import type { Em } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import type { DisputeId } from '../../domain/ids.ts';
import { resolveUnsent } from './send-evidence.ts';

const END = statement<{ disputeId: DisputeId; wasAccepted: boolean; hasArrived: boolean; now: Date }>(
  'end evidence of a decided dispute',
  () => `
  update dispute_evidence set updated_at = :now,
    status = case when status = 'ACCEPTING' and :wasAccepted::boolean then 'ACCEPTED'
      when status = 'SUBMITTING' and :hasArrived::boolean then 'SUBMITTED' else 'EXPIRED' end,
    failure = case when (status = 'ACCEPTING' and :wasAccepted::boolean) or (status = 'SUBMITTING' and :hasArrived::boolean) then null
      else 'dispute_decided' end
  where dispute_id = :disputeId and status in ('SUBMITTING', 'ACCEPTING')`,
);

/**
 * Ends, in the transaction that decides a dispute or closes an inquiry, evidence whose answer was never seen: no round looks at a
 * decided dispute again.
 */
export async function endUndecided(em: Em, dispute: Dispute, now: Date): Promise<void> {
  const { id: disputeId, status, evidenceSubmittedAt } = dispute;
  const hasArrived = evidenceSubmittedAt !== null;
  await END(em, { disputeId, wasAccepted: status !== 'WON', hasArrived, now });
  await resolveUnsent(em, dispute, now);
}
