import { OnlineMigration } from './online-migration.ts';

/**
 * Installments that providers pay one by one (decision 33). Payments accepted before have none and settle as before, with the
 * last installment, until their provider names the days again.
 */
export class Receivables extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      create table if not exists receivables (
        id text primary key,
        charge_id text not null references charges (id),
        store_id text not null,
        dev_mode boolean not null,
        number integer not null check (number > 0),
        gross_cents bigint not null check (gross_cents > 0),
        fee_cents bigint not null check (fee_cents between 0 and gross_cents),
        settles_at timestamptz not null,
        settled_at timestamptz,
        constraint receivables_once unique (charge_id, number)
      )`);
    await this.index(
      'receivables_unsettled',
      'receivables (store_id, dev_mode, settles_at) where settled_at is null',
    );
    await this.change('alter table sandbox_charges add column if not exists installments_count integer');
  }
}
