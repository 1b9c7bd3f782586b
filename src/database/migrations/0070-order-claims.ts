import { OnlineMigration } from './online-migration.ts';

/** Orders at providers without idempotency keys: who may give each, and what it made. */
export class OrderClaims extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      create table if not exists order_claims (
        account_id text not null,
        reference text not null,
        claim_id text not null,
        claimed_until timestamptz not null,
        made_id text,
        primary key (account_id, reference)
      )`);
  }
}
