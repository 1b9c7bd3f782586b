import { Migration } from '@mikro-orm/migrations';

/**
 * Work that needs a person, and the ledger's suspense account, which holds money whose owner is not yet known. Existing
 * movements have nothing in suspense, so they still balance.
 *
 * Processes of the previous release keep writing movements. They do not name the column, so its default of zero applies.
 */
export class Attention extends Migration {
  override up(): void {
    this.addSql(`
      create table attention (
        id text primary key,
        kind text not null,
        subject_id text not null,
        store_id text references stores (id),
        dev_mode boolean,
        since timestamptz not null,
        noted_at timestamptz not null,
        resolved_at timestamptz
      );
      create unique index attention_open_once on attention (kind, subject_id) where resolved_at is null;
      create index attention_open_oldest_first on attention (since, id) where resolved_at is null;
      alter table ledger_movements add column suspense_cents bigint not null default 0;
      alter table ledger_balances add column suspense_cents bigint not null default 0;
      alter table ledger_movements drop constraint ledger_movements_balanced;
      alter table ledger_movements add constraint ledger_movements_balanced check (
        clearing_cents = pending_cents + available_cents + blocked_cents + outgoing_cents + platform_fees_cents
          + suspense_cents
      );
      create or replace function add_movements_to_balances() returns trigger language plpgsql as $$
      begin
        insert into ledger_balances (store_id, dev_mode, clearing_cents, pending_cents, available_cents, blocked_cents,
          outgoing_cents, platform_fees_cents, suspense_cents)
        select store_id, dev_mode, sum(clearing_cents), sum(pending_cents), sum(available_cents), sum(blocked_cents),
          sum(outgoing_cents), sum(platform_fees_cents), sum(suspense_cents)
        from added group by store_id, dev_mode order by store_id, dev_mode
        on conflict (store_id, dev_mode) do update set
          clearing_cents = ledger_balances.clearing_cents + excluded.clearing_cents,
          pending_cents = ledger_balances.pending_cents + excluded.pending_cents,
          available_cents = ledger_balances.available_cents + excluded.available_cents,
          blocked_cents = ledger_balances.blocked_cents + excluded.blocked_cents,
          outgoing_cents = ledger_balances.outgoing_cents + excluded.outgoing_cents,
          platform_fees_cents = ledger_balances.platform_fees_cents + excluded.platform_fees_cents,
          suspense_cents = ledger_balances.suspense_cents + excluded.suspense_cents;
        return null;
      end $$;
      create or replace view ledger_entries as
        select movement.subject_id, movement.kind, movement.store_id, movement.dev_mode, entry.account, entry.amount_cents,
          movement.created_at
        from ledger_movements movement, lateral (values
          ('CLEARING', clearing_cents), ('PENDING', pending_cents), ('AVAILABLE', available_cents),
          ('BLOCKED', blocked_cents), ('OUTGOING', outgoing_cents), ('PLATFORM_FEES', platform_fees_cents),
          ('SUSPENSE', suspense_cents)
        ) entry (account, amount_cents)
        where entry.amount_cents <> 0;
    `);
  }
}
