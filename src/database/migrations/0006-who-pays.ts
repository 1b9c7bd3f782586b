import { Migration } from '@mikro-orm/migrations';

/**
 * The payer of each charge, as given for that charge, and whether a payer typed a customer's data. A cycle that was never
 * collected becomes FAILED, and so do its unpaid PIX codes. A charge that can no longer be paid gives up its `external_id` to
 * the charge that replaces it.
 *
 * Existing boletos and open charges get the current data of their customer as the payer, because they were issued with it.
 */
export class WhoPays extends Migration {
  override up(): void {
    this.addSql(`
      alter table customers add column typed_by_payer boolean not null default false;
      create index customers_by_email on customers (store_id, dev_mode, lower(email)) where deleted_at is null;
      alter table charges
        add column payer_name text,
        add column payer_tax_id text,
        add column payer_email text,
        add column payer_cellphone text,
        add column superseded_by text references charges (id) deferrable initially deferred;
      update charges
        set payer_name = customers.name, payer_tax_id = customers.tax_id,
            payer_email = customers.email, payer_cellphone = customers.cellphone
        from customers
        where customers.id = charges.customer_id and customers.deleted_at is null
          and (charges.method = 'BOLETO' or (charges.checkout_id is null and charges.status = 'PENDING'));
      drop index charges_by_external_id;
      create unique index charges_by_external_id on charges (store_id, dev_mode, external_id, superseded_by)
        nulls not distinct where external_id is not null;
      alter table payments add column metadata json not null default '{}';
      alter table sandbox_charges add column metadata json;
      alter table products add column made_by_v1 boolean not null default false;
      update charges set status = 'FAILED', failure_reason = 'pix_expired'
        where installment_id is not null and method = 'PIX' and status = 'EXPIRED';
      update installments set status = 'FAILED' from subscriptions
        where subscriptions.id = installments.subscription_id
          and subscriptions.status = 'CANCELLED' and installments.status = 'PENDING';
    `);
  }
}
