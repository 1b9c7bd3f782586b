import { type Dispute, DisputeEntity } from '../../database/entities/dispute.ts';
import type { Em } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import type { ChargeMethod } from '../../domain/charge.ts';
import type { ChargeId } from '../../domain/ids.ts';
import { SQL_PAYING } from '../../domain/payment-methods.ts';
import type { StoreEnvironment } from '../../domain/store-environment.ts';

/** A dispute or inquiry that is not decided. */
export interface OpenDispute {
  readonly chargeId: ChargeId;
  readonly method: ChargeMethod;
  readonly status: 'OPEN' | 'INQUIRY';
  /** What is blocked; of an inquiry, what it is about. */
  readonly amountCents: number;
  /** As stored; {@link respondByOf} knows the rules of methods too. */
  readonly respondBy: Date | null;
  readonly evidenceSubmittedAt: Date | null;
  readonly openedAt: Date;
}

/** Charges under dispute are a range of the index of methods and statuses. Undecided inquiries, and disputes of refunded charges, have an index of few rows. */
const READ = statement<StoreEnvironment & { limit: number }, OpenDispute>(
  'read open disputes',
  () => `
  select disputed.id as "chargeId", disputed.method, dispute.status,
    coalesce(dispute.amount_cents, disputed.paid_amount_cents) as "amountCents", dispute.respond_by as "respondBy",
    dispute.evidence_submitted_at as "evidenceSubmittedAt", dispute.opened_at as "openedAt"
  from unnest(array[${SQL_PAYING}]) as method (name), lateral (
    select id, method, paid_amount_cents from charges
    where store_id = :storeId and dev_mode = :devMode and method = method.name and status = 'UNDER_DISPUTE'
    order by created_at desc, id desc limit :limit::bigint
  ) disputed, lateral (
    select * from disputes where charge_id = disputed.id and status = 'OPEN' order by opened_at desc, id desc limit 1
  ) dispute
  union all
  select asked.id, asked.method, inquiry.status,
    case when inquiry.amount_cents > 0 then inquiry.amount_cents else (
      select coalesce(sum(taken_cents), 0)::bigint from excess_takings where subject_id = inquiry.id
    ) end, inquiry.respond_by, inquiry.evidence_submitted_at,
    inquiry.opened_at
  from disputes inquiry join charges asked on asked.id = inquiry.charge_id
  where (inquiry.status = 'INQUIRY' or (inquiry.status = 'OPEN' and inquiry.amount_cents = 0)) and asked.store_id = :storeId and asked.dev_mode = :devMode
  order by "openedAt" limit :limit::bigint`,
);

/** The open disputes and inquiries, longest open first. Disputes are those of the newest payments under dispute. */
export function openDisputes(
  em: Em,
  { storeId, devMode }: StoreEnvironment,
  limit: number,
): Promise<OpenDispute[]> {
  return READ(em, { storeId, devMode, limit });
}

/** The newest dispute or inquiry of a charge that is not decided; null without one. */
export async function undecidedDisputeOf(em: Em, chargeId: ChargeId): Promise<Dispute | null> {
  const newest = { orderBy: { openedAt: 'desc', id: 'desc' }, limit: 1, disableIdentityMap: true } as const;
  const [dispute = null] = await em.find(DisputeEntity, { chargeId, closedAt: null }, newest);
  return dispute;
}
