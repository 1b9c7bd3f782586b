import { statement } from '../database/statement.ts';
import type { DisputeStage, DisputeStatus } from '../domain/reversal.ts';

/** What the provider has charged for a dispute, less what it returned. */
const FEES =
  '(select coalesce(sum(charged_cents), 0)::bigint from dispute_fees where dispute_id = disputes.id)';

/** What the provider has taken for a dispute, less what it returned. */
const WITHDRAWN =
  '(select coalesce(sum(withdrawn_cents), 0)::bigint from dispute_withdrawals where dispute_id = disputes.id)';

/**
 * The disputes listed by a provider with accepted payments whose changes are not stored here. Only the provider's fee
 * of a decided dispute, and what it holds of the money, may still change. A lost one also ends a payment in suspense.
 */
export const unnotifiedDisputes = statement<
  {
    provider: string;
    providerDisputeIds: readonly string[];
    providerPaymentIds: readonly string[];
    statuses: readonly string[];
    /** The sums of the provider's fees; empty if it does not report them. */
    feeCents: readonly string[];
    /** What it has taken, less what it returned; empty likewise. */
    withdrawnCents: readonly string[];
  },
  { providerDisputeId: string }
>(
  'disputes that are not written',
  () => `
  select listed.dispute_id as "providerDisputeId"
  from unnest(:providerDisputeIds::text[], :providerPaymentIds::text[], :statuses::text[], :feeCents::text[],
      :withdrawnCents::text[]) listed (dispute_id, payment_id, status, fee_cents, withdrawn_cents)
    join lateral (
      select id from payments
      where provider = :provider and provider_payment_id = listed.payment_id
        and (outcome = 'ACCEPTED' or (outcome = 'HELD' and listed.status = 'LOST')) limit 1
    ) payment on true
    left join lateral (
      select status, ${FEES} as fee_cents, ${WITHDRAWN} as withdrawn_cents from disputes
      where provider = :provider and provider_dispute_id = listed.dispute_id limit 1
    ) known on true
  where known.status is null or (known.status = 'OPEN' and listed.status in ('WON', 'LOST'))
    or (known.status in ('INQUIRY', 'INQUIRY_CLOSED') and listed.status not in (known.status, 'INQUIRY'))
    or nullif(listed.fee_cents, '')::bigint <> known.fee_cents
    or nullif(listed.withdrawn_cents, '')::bigint <> known.withdrawn_cents`,
);

/** An undecided dispute or inquiry, as it is stored here. */
export interface UndecidedDispute {
  readonly providerDisputeId: string;
  readonly status: DisputeStatus;
  readonly respondBy: Date | null;
  readonly stage: DisputeStage | null;
  readonly hasEvidence: boolean;
  readonly feeCents: number;
  readonly withdrawnCents: number;
  /** Whether evidence waits to be sent, or the dispute to be accepted. */
  readonly isToAnswer: boolean;
}

/** Disputes and inquiries of a provider that are not decided here, oldest first. */
export const undecidedDisputes = statement<{ provider: string }, UndecidedDispute>(
  'undecided disputes of a provider',
  () => `
  select provider_dispute_id as "providerDisputeId", status, respond_by as "respondBy", stage,
    evidence_submitted_at is not null as "hasEvidence", ${FEES} as "feeCents", ${WITHDRAWN} as "withdrawnCents",
    exists (
      select from dispute_evidence where dispute_id = disputes.id and status in ('SUBMITTING', 'ACCEPTING')
    ) as "isToAnswer"
  from disputes
  where provider = :provider and status in ('INQUIRY', 'OPEN') order by opened_at, id`,
);
