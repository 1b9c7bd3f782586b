import type { Em } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import type { ChargeMethod } from '../../domain/charge.ts';
import type { ChargeId } from '../../domain/ids.ts';
import type { LedgerOwner } from '../../ledger/ledger.ts';

/** A dispute that its bank has not decided. */
export interface OpenDispute {
  readonly chargeId: ChargeId;
  readonly method: ChargeMethod;
  /** What is blocked. */
  readonly amountCents: number;
  readonly openedAt: Date;
}

/** Charges under dispute are a range of the index of methods and statuses. */
const READ = statement<LedgerOwner & { limit: number }, OpenDispute>(
  'read open disputes',
  () => `
  select disputed.id as "chargeId", disputed.method, coalesce(dispute.amount_cents, disputed.paid_amount_cents) as "amountCents",
    dispute.opened_at as "openedAt"
  from unnest(array['PIX', 'CARD', 'BOLETO']) as method (name), lateral (
    select id, method, paid_amount_cents from charges
    where store_id = :storeId and dev_mode = :devMode and method = method.name and status = 'UNDER_DISPUTE'
    order by created_at desc, id desc limit :limit::bigint
  ) disputed, lateral (
    select amount_cents, opened_at from disputes where charge_id = disputed.id order by opened_at desc, id desc limit 1
  ) dispute
  order by "openedAt" limit :limit::bigint`,
);

/** The open disputes, longest open first, of the newest payments under dispute. */
export function openDisputes(
  em: Em,
  { storeId, devMode }: LedgerOwner,
  limit: number,
): Promise<OpenDispute[]> {
  return READ(em, { storeId, devMode, limit });
}
