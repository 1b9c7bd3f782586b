import { OnlineMigration } from './online-migration.ts';

/** Evidence for disputes: a draft, what became of it, and its files, which are deleted after the dispute has ended. */
export class DisputeEvidence extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      create table if not exists dispute_evidence (
        dispute_id text primary key references disputes (id),
        status text not null,
        texts text,
        attempt integer not null default 0,
        failure text,
        requested_at timestamptz,
        updated_at timestamptz not null
      );
      create table if not exists dispute_files (
        dispute_id text not null references dispute_evidence (dispute_id),
        kind text not null,
        content_type text not null,
        content text not null,
        size_bytes integer not null check (size_bytes between 1 and 4500000),
        created_at timestamptz not null,
        primary key (dispute_id, kind)
      );
      alter table sandbox_disputes add column if not exists evidence_submitted_at timestamptz`);
    await this.index(
      'dispute_evidence_to_send',
      "dispute_evidence (dispute_id) where status in ('SUBMITTING', 'ACCEPTING')",
    );
  }
}
