import { OnlineMigration } from './online-migration.ts';

/** The entries of a checkout's `metadata` for its charge `of`: texts, numbers and booleans, as in migration 0018. */
const entries = (of: string) => `
  select ${of}.store_id, ${of}.dev_mode, 'PAYMENT', each.key, each.value #>> '{}', ${of}.created_at, ${of}.id
  from checkouts checkout, json_each(checkout.metadata) each
  where checkout.id = ${of}.checkout_id and json_typeof(each.value) in ('string', 'number', 'boolean')
    and length(each.key) <= 100 and length(each.value #>> '{}') <= 255`;

/**
 * A payment of a checkout can be found by the `metadata` of the checkout. Each payment gets its own entries, because one
 * payment link or subscription is paid for years and the list of payments has its own order. A checkout's `metadata` never
 * changes.
 */
export class MetadataOfPayments extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      create or replace function write_payment_metadata_entries() returns trigger language plpgsql as $$
      begin
        insert into metadata_entries ${entries('new')} on conflict do nothing;
        return null;
      end $$;
      create or replace trigger charges_metadata_payment after insert on charges for each row
        when (new.checkout_id is not null) execute function write_payment_metadata_entries()`);
    await this.inBatches(`
      with batch as (
        select * from charges where checkout_id is not null and id > :after order by id limit 5000
      ), done as (
        insert into metadata_entries select entry.* from batch, lateral (${entries('batch')}) entry on conflict do nothing
      )
      select max(id) as last from batch`);
  }
}
