import { OnlineMigration } from './online-migration.ts';

/** Money that a store moved between two of its provider accounts at the banks themselves, as an operator recorded it. */
export class MovesBetweenAccounts extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      create table if not exists account_moves (
        id text primary key,
        store_id text not null references stores (id),
        from_provider text not null,
        to_provider text not null,
        amount_cents bigint not null check (amount_cents > 0),
        reference text not null,
        created_at timestamptz not null,
        unique (store_id, reference),
        check (from_provider <> to_provider)
      );
      create or replace trigger account_moves_never_change before update or delete or truncate on account_moves
        for each statement execute function refuse_to_change_the_ledger()`);
  }
}
