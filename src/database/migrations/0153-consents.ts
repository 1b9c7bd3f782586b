import { OnlineMigration } from './online-migration.ts';

/** Authorizations that are asked for without a payment: of trials, running subscriptions, and plans that have changed. */
export class Consents extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      alter table mandates add column if not exists consent_code text;
      alter table mandates add column if not exists end_requested_at timestamptz;
      alter table subscriptions add column if not exists consent_due_at timestamptz;
    `);
    await this.index(
      'subscriptions_consent_due',
      'subscriptions (consent_due_at, id) where consent_due_at is not null',
    );
  }
}
