import { OnlineMigration } from './online-migration.ts';

/** Deadlines, stages and providers' fees of disputes, and inquiries, which move no money. Existing disputes have none. */
export class DisputeDeadlines extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      alter table disputes
        add column if not exists respond_by timestamptz,
        add column if not exists stage text,
        add column if not exists evidence_submitted_at timestamptz;
      alter table disputes drop constraint if exists disputes_check;
      alter table disputes drop constraint if exists disputes_open_until_closed;
      alter table disputes add constraint disputes_open_until_closed
        check ((status in ('INQUIRY', 'OPEN')) = (closed_at is null)) not valid`);
    await this.execute('alter table disputes validate constraint disputes_open_until_closed');
    await this.change(`
      alter table sandbox_disputes
        add column if not exists respond_by timestamptz,
        add column if not exists fee_cents bigint,
        add column if not exists returns_fee boolean not null default false`);
    await this.change(`
      create table if not exists dispute_fees (
        id text primary key,
        dispute_id text not null references disputes (id),
        provider_fee_id text not null,
        charged_cents bigint not null check (charged_cents <> 0),
        created_at timestamptz not null,
        constraint dispute_fees_once unique (dispute_id, provider_fee_id)
      )`);
    await this.index('dispute_fees_created_at', 'dispute_fees (created_at)');
    await this.index(
      'disputes_undecided',
      "disputes (provider, opened_at) where status in ('INQUIRY', 'OPEN')",
    );
  }
}
