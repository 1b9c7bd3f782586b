import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { StatementKind } from '../domain/ledger.ts';
import type { StoreEnvironment } from '../domain/store-environment.ts';

/** What a payout or transfer did to the store's available balance. */
export interface PayoutMovement {
  readonly kind: StatementKind;
  readonly bookedAt: Date;
  /** With the fee; negative if the balance decreased. */
  readonly amountCents: number;
}

const READ = statement<StoreEnvironment & { payoutId: string }, PayoutMovement>(
  'read movements of a payout',
  () => `
  select kind, created_at as "bookedAt", available_cents as "amountCents" from ledger_movements
  where store_id = :storeId and dev_mode = :devMode and available_cents <> 0 and subject_id in (
    select :payoutId::text union all select id from payout_returns where payout_id = :payoutId
    union all select id from sub_account_entries where payout_id = :payoutId
  ) order by created_at, kind`,
);

/** The lines of the statement about a payout or transfer, oldest first. */
export function payoutMovements(
  em: Em,
  { storeId, devMode }: StoreEnvironment,
  payoutId: string,
): Promise<PayoutMovement[]> {
  return READ(em, { storeId, devMode, payoutId });
}
