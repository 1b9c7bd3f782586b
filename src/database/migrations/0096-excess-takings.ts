import { OnlineMigration } from './online-migration.ts';

/** Money that disputes and refunds of a bank took beyond what a payment still held, and what a provider says that each dispute took. */
export class ExcessTakings extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      create table if not exists dispute_withdrawals (
        dispute_id text not null references disputes (id),
        provider_transaction_id text not null,
        withdrawn_cents bigint not null check (withdrawn_cents <> 0),
        created_at timestamptz not null,
        primary key (dispute_id, provider_transaction_id)
      );
      create table if not exists excess_takings (
        id text primary key,
        charge_id text not null references charges (id),
        subject_id text not null,
        sequence integer not null check (sequence > 0),
        taken_cents bigint not null check (taken_cents <> 0),
        created_at timestamptz not null,
        constraint excess_takings_once unique (subject_id, sequence)
      );
      alter table sandbox_disputes add column if not exists amount_cents bigint`);
    await this.index('excess_takings_created_at', 'excess_takings (created_at)');
    await this.index('excess_takings_of_charge', 'excess_takings (charge_id)');
  }
}
