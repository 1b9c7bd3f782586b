import type { Em } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import type { DisputeStage } from '../../domain/reversal.ts';
import type { ProviderDispute } from '../../providers/ports/disputes.ts';

/** The first evidence that was seen keeps its time. A decided dispute keeps its deadline and has no stage. */
const UPDATE = statement<{
  provider: string;
  providerDisputeId: string;
  respondBy: Date | null;
  stage: DisputeStage | null;
  hasEvidence: boolean;
  now: Date;
}>(
  'record what a dispute waits for',
  () => `
  update disputes set
    respond_by = case when closed_at is null then coalesce(:respondBy::timestamptz, respond_by) else respond_by end,
    stage = case when closed_at is null then coalesce(:stage::text, stage) end,
    evidence_submitted_at = coalesce(evidence_submitted_at, case when :hasEvidence::boolean then :now::timestamptz end)
  where provider = :provider and provider_dispute_id = :providerDisputeId`,
);

/** Records deadline, stage and evidence of a dispute as its provider reports them. What it does not report stays. */
export async function recordResponse(
  em: Em,
  provider: string,
  { providerDisputeId, respondBy = null, stage = null, hasEvidence = false }: ProviderDispute,
  now: Date,
): Promise<void> {
  await UPDATE(em, { provider, providerDisputeId, respondBy, stage, hasEvidence, now });
}
