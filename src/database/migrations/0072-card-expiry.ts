import { OnlineMigration } from './online-migration.ts';

const MONTH = `'^[0-9]{4}-(0[1-9]|1[0-2])$'`;

/** When cards expire. It is unknown of cards that were stored before, so nothing is announced of them. */
export class CardExpiry extends OnlineMigration {
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
    await this.execute('alter table charges validate constraint charges_card_expiry_month');
    await this.execute('alter table subscriptions validate constraint subscriptions_card_expiry_month');
    await this.index(
      'subscriptions_expiry_to_announce',
      `subscriptions (store_id, dev_mode, card_expiry_month, id)
       where status = 'ACTIVE' and card_expiry_month is not null and expiry_announced_days <> 7`,
    );
    await this.index(
      'webhooks_of_expiry_announcements',
      `webhooks (store_id, dev_mode)
       where deleted_at is null and disabled_at is null and 'subscription.card_expiring' = any (events)`,
    );
  }
}
