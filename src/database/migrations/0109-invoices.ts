import { OnlineMigration } from './online-migration.ts';

/**
 * Invoices of cycles and of payments of checkouts, and the counters of their numbers (decision 30). What was paid before has none: its
 * number would be later than those of its time. A cycle that is open gets one when it is paid.
 */
export class Invoices extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      create table if not exists invoices (
        id text primary key,
        store_id text not null references stores (id),
        dev_mode boolean not null,
        status text not null,
        number_year smallint,
        number_in_year integer,
        seller_name text,
        seller_tax_id text,
        checkout_id text not null,
        subscription_id text,
        installment_id text,
        charge_id text,
        customer_id text,
        lines json not null,
        amount_cents bigint not null check (amount_cents >= 0),
        period json,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        paid_at timestamptz,
        voided_at timestamptz,
        published_status text,
        check ((number_year is null) = (number_in_year is null)),
        check ((number_year is null) = (published_status is null)),
        check ((status = 'PAID') = (charge_id is not null))
      );
      create table if not exists invoice_counters (
        store_id text not null references stores (id),
        dev_mode boolean not null,
        year smallint not null,
        last_number integer not null,
        primary key (store_id, dev_mode, year)
      );`);
    await this.uniqueIndex('invoices_number', 'invoices (store_id, dev_mode, number_year, number_in_year)');
    await this.uniqueIndex('invoices_charge', 'invoices (charge_id)');
    await this.uniqueIndex('invoices_cycle', 'invoices (installment_id)');
    await this.index('invoices_list', 'invoices (store_id, dev_mode, created_at, id)');
    await this.index('invoices_of_checkout', 'invoices (checkout_id)');
    await this.index(
      'invoices_of_customer',
      'invoices (customer_id, created_at) where customer_id is not null',
    );
    await this.index(
      'invoices_to_publish',
      'invoices (store_id, dev_mode, created_at, id) where published_status is distinct from status',
    );
  }
}
