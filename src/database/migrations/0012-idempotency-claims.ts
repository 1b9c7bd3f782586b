import { Migration } from '@mikro-orm/migrations';

/**
 * A request that waits for a workflow claims its `Idempotency-Key` with a row that has no answer yet. So it needs no
 * transaction that stays open while it waits.
 */
export class IdempotencyClaims extends Migration {
  override up(): void {
    this.addSql(`
      alter table idempotency_records
        alter column status drop not null,
        alter column body drop not null,
        add column claim_id text,
        add column claimed_until timestamptz,
        add constraint idempotency_records_answered_or_claimed check (
          (status is null) = (body is null) and (status is not null or claimed_until is not null)
        ) not valid;
    `);
  }
}
