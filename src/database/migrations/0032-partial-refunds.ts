import { OnlineMigration } from './online-migration.ts';

/**
 * Partial refunds. A charge has the sum that refunds and disputes have set aside or returned, which cannot exceed the paid
 * amount, and the part of it that the payer has back. Both stay zero for existing charges: they were refunded or disputed in
 * full, which their status says.
 *
 * Existing refunds and disputes have no fee amount, and existing disputes no amount, because they cover the full payment. At
 * most one refund of a charge takes the rest of it. Any number may take a part.
 */
export class PartialRefunds extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      alter table charges
        add column if not exists reversed_cents bigint not null default 0,
        add column if not exists reversed_fee_cents bigint not null default 0,
        add column if not exists refunded_cents bigint not null default 0,
        drop constraint if exists charges_reversed_no_more_than_paid,
        add constraint charges_reversed_no_more_than_paid
          check (refunded_cents >= 0 and refunded_cents <= reversed_cents and reversed_cents <= coalesce(paid_amount_cents, 0))
          not valid`);
    await this.execute('alter table charges validate constraint charges_reversed_no_more_than_paid');
    await this.change(`
      alter table refunds
        add column if not exists takes_rest boolean not null default true,
        add column if not exists platform_fee_cents bigint;
      alter table disputes
        add column if not exists amount_cents bigint,
        add column if not exists platform_fee_cents bigint`);
    await this.execute('drop index concurrently if exists refunds_of_the_rest_once');
    await this.execute(`
      create unique index concurrently refunds_of_the_rest_once on refunds (charge_id)
        where takes_rest and status <> 'FAILED'`);
    await this.execute('drop index concurrently if exists refunds_once_per_charge');
  }
}
