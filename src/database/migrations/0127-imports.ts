import { OnlineMigration } from './online-migration.ts';

/** What imports have made of each row of another system, and the payments that another system took and settled. */
export class Imports extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      create table if not exists imported_rows (
        store_id text not null references stores (id),
        dev_mode boolean not null,
        key text not null,
        kind text not null,
        row_id text not null,
        outcome text not null check (outcome in ('MADE', 'FOUND')),
        imported_at timestamptz not null,
        primary key (store_id, dev_mode, key)
      );
      create table if not exists outside_payments (
        id text primary key,
        store_id text not null references stores (id),
        dev_mode boolean not null,
        source text not null,
        external_id text not null,
        customer_id text references customers (id),
        subscription_id text references subscriptions (id),
        method text not null check (method in ('PIX', 'BOLETO', 'CARD', 'OTHER')),
        amount_cents bigint not null check (amount_cents between 1 and 9999999999),
        refunded_cents bigint not null check (refunded_cents between 0 and amount_cents),
        paid_at timestamptz not null,
        created_at timestamptz not null
      );`);
    await this.index('outside_payments_newest_first', 'outside_payments (store_id, dev_mode, paid_at, id)');
    await this.index(
      'outside_payments_of_customer',
      'outside_payments (customer_id, paid_at, id) where customer_id is not null',
    );
  }
}
