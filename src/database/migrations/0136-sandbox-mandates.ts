import { OnlineMigration } from './online-migration.ts';

/** What the sandbox bank knows of mandates and of the debits under them. */
export class SandboxMandates extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      create table if not exists sandbox_mandates (
        id text primary key,
        charge_reference text,
        behaviour text not null,
        periodicity text not null,
        amount_cents bigint,
        minimum_cents bigint,
        first_date text not null,
        br_code text not null,
        answer text,
        created_at timestamptz not null
      );
      create table if not exists sandbox_debits (
        reference text primary key,
        mandate_id text not null references sandbox_mandates (id),
        amount_cents bigint not null,
        due_date text not null,
        retry_dates json not null,
        end_code text,
        cancelled boolean not null default false
      );`);
    await this.index('sandbox_debits_of_mandate', 'sandbox_debits (mandate_id)');
  }
}
