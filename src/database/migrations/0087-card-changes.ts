import { OnlineMigration } from './online-migration.ts';

/** Cards with which payers replace those of their subscriptions, and what the sandbox's bank knows of their confirmation. */
export class CardChanges extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(
      `create table if not exists card_changes (
         id text primary key,
         store_id text not null references stores (id),
         dev_mode boolean not null,
         subscription_id text not null references subscriptions (id),
         submission text not null,
         provider text not null,
         card_token text,
         card_brand text not null,
         card_last_four text not null,
         card_expiry_month text,
         status text not null,
         decline_reason text,
         action_url text,
         granted_cycle integer,
         created_at timestamptz not null,
         expires_at timestamptz not null,
         ended_at timestamptz,
         constraint card_changes_ended check ((status = 'PENDING') = (ended_at is null)),
         constraint card_changes_token check (status <> 'PENDING' or card_token is not null)
       );
       create table if not exists sandbox_verifications (
         reference text primary key,
         return_url text not null,
         is_confirmed boolean
       );`,
    );
    await this.uniqueIndex('card_changes_submission', 'card_changes (subscription_id, submission)');
    await this.index('card_changes_recent', 'card_changes (subscription_id, created_at)');
    await this.index('card_changes_open', `card_changes (expires_at) where status = 'PENDING'`);
  }
}
