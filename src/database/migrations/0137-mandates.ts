import { OnlineMigration } from './online-migration.ts';

/** Authorizations of Pix Automático, the debits under them, and the stores that ask for them. No store has any before. */
export class Mandates extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      create table if not exists mandates (
        id text primary key,
        store_id text not null references stores (id),
        dev_mode boolean not null,
        checkout_id text not null references checkouts (id),
        provider text not null,
        provider_mandate_id text not null,
        status text not null,
        amount_cents bigint,
        periodicity text not null,
        first_date text not null,
        ended_by text,
        end_code text,
        asked_at timestamptz not null,
        activated_at timestamptz,
        ended_at timestamptz,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        unique (provider, provider_mandate_id)
      );
      create table if not exists debits (
        id text primary key,
        store_id text not null references stores (id),
        dev_mode boolean not null,
        subscription_id text not null references subscriptions (id),
        mandate_id text not null references mandates (id),
        number int not null,
        status text not null,
        amount_cents bigint not null check (amount_cents > 0),
        due_date text not null,
        provider_reference text,
        failure_code text,
        next_at timestamptz,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        workflow_started_at timestamptz,
        check ((status in ('PLANNED', 'ORDERED', 'BEGUN', 'DROPPING')) = (next_at is not null))
      );
      alter table subscriptions add column if not exists mandate_id text;
      alter table subscriptions add column if not exists debit_number int not null default 0;
      alter table charges add column if not exists mandate_id text;
      alter table checkouts add column if not exists mandate_amount text;
      alter table billing_settings add column if not exists mandate_end text not null default 'CANCEL';
    `);
    // One live debit of a cycle, however many processes plan it at once.
    await this.uniqueIndex(
      'debits_live',
      `debits (subscription_id, number) where status in ('PLANNED', 'ORDERED', 'BEGUN', 'DROPPING')`,
    );
    await this.index('debits_without_workflow', 'debits (created_at) where workflow_started_at is null');
    await this.index('debits_of_mandate', 'debits (mandate_id, created_at, id)');
    await this.index('debits_due', 'debits (next_at, id) where next_at is not null');
    await this.index('mandates_newest_first', 'mandates (store_id, dev_mode, id)');
    await this.index('mandates_of_checkout', 'mandates (checkout_id)');
    await this.index('mandates_open', `mandates (asked_at, id) where status in ('PENDING', 'ACTIVE')`);
    await this.index(
      'subscriptions_debited_next',
      `subscriptions (cycle_ends_at, id)
       where mandate_id is not null and status = 'ACTIVE' and attempt_due_at is null`,
    );
  }
}
