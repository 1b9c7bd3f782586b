import { OnlineMigration } from './online-migration.ts';

/** Cards that payers agreed to save, and cards that were just typed on a shop's page. Existing charges have neither. */
export class SavedCards extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      create table if not exists saved_cards (
        id text primary key,
        store_id text not null references stores (id),
        dev_mode boolean not null,
        customer_id text not null references customers (id),
        charge_id text not null,
        provider text not null,
        token text not null,
        brand text not null,
        last_four text not null,
        expiry_month text check (expiry_month ~ '^\\d{4}-\\d{2}$'),
        created_at timestamptz not null,
        removed_at timestamptz
      )`);
    await this.change(`
      create table if not exists card_tokens (
        id text primary key,
        store_id text not null references stores (id),
        dev_mode boolean not null,
        provider text not null,
        token text not null,
        brand text,
        last_four text,
        expiry_month text,
        created_at timestamptz not null,
        expires_at timestamptz not null,
        used_at timestamptz,
        charge_id text,
        check ((brand is null) = (last_four is null)),
        check ((used_at is null) = (charge_id is null))
      )`);
    await this.change('alter table charges add column if not exists saved_card_id text');
    await this.uniqueIndex('saved_cards_charge', 'saved_cards (charge_id)');
    await this.index('saved_cards_of_customer', 'saved_cards (customer_id, created_at)');
    await this.index('saved_cards_by_token', 'saved_cards (token)');
    await this.index('card_tokens_by_expiry', 'card_tokens (expires_at)');
  }
}
