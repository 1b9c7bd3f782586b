import { OnlineMigration } from './online-migration.ts';

const MONTH = `'^[0-9]{4}-(0[1-9]|1[0-2])$'`;

/**
 * When cards expire, and which cards are to be erased at their provider. The expiry is unknown of cards that were stored
 * before, so nothing is announced of them.
 */
export class CardLife extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(
      `alter table charges add column if not exists card_expiry_month text;
       alter table charges drop constraint if exists charges_card_expiry_month;
       alter table charges add constraint charges_card_expiry_month
         check (card_expiry_month ~ ${MONTH}) not valid;`,
    );
    await this.change(
      `alter table subscriptions
         add column if not exists card_expiry_month text,
         add column if not exists expiry_announced_days integer not null default 0;
       alter table subscriptions drop constraint if exists subscriptions_card_expiry_month;
       alter table subscriptions add constraint subscriptions_card_expiry_month
         check (card_expiry_month ~ ${MONTH}) not valid;`,
    );
    await this.change(
      `create table if not exists card_erasures (
         store_id text not null references stores (id),
         dev_mode boolean not null,
         token text not null,
         provider text,
         wanted_at timestamptz not null,
         due_at timestamptz not null,
         failures integer not null default 0,
         primary key (store_id, token)
       );
       create table if not exists sandbox_cards (
         token text primary key,
         last_four text,
         expiry_month text,
         erased_at timestamptz
       );`,
    );
    await this.index('card_erasures_due', 'card_erasures (due_at)');
    await this.execute('alter table charges validate constraint charges_card_expiry_month');
    await this.execute('alter table subscriptions validate constraint subscriptions_card_expiry_month');
    await this.index(
      'subscriptions_expiry_to_announce',
      `subscriptions (store_id, dev_mode, card_expiry_month, id)
       where status = 'ACTIVE' and card_expiry_month is not null and expiry_announced_days <> 7`,
    );
    await this.index(
      'subscriptions_card_token',
      `subscriptions (card_token) where status = 'ACTIVE' and card_token is not null`,
    );
    await this.index(
      'webhooks_of_expiry_announcements',
      `webhooks (store_id, dev_mode)
       where deleted_at is null and disabled_at is null and 'subscription.card_expiring' = any (events)`,
    );
  }
}
