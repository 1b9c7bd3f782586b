import { OnlineMigration } from './online-migration.ts';

/**
 * The key that encrypts personal numbers, itself encrypted with SECRETS_KEY, and the searchable hash of customers' tax ids.
 * Until a process of this release starts, numbers stay text.
 *
 * The previous release can change a tax id without its hash. An old hash would then find the wrong customer, so the trigger
 * removes it. A row without a hash is found by its text.
 */
export class PersonalNumbers extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      create table if not exists data_keys (
        id text primary key,
        secret text not null,
        secret_key_id text not null,
        created_at timestamptz not null,
        all_sealed_at timestamptz
      );
      alter table customers add column if not exists tax_id_hash text;
      create or replace function forget_tax_id_hash() returns trigger language plpgsql as $$
      begin
        if new.tax_id is distinct from old.tax_id and new.tax_id_hash is not distinct from old.tax_id_hash
          and not starts_with(coalesce(new.tax_id, ''), 'pn1.') then
          new.tax_id_hash := null;
        end if;
        return new;
      end $$;
      create or replace trigger customers_forget_their_hash before update of tax_id on customers for each row
        execute function forget_tax_id_hash()`);
    await this.uniqueIndex(
      'customers_by_tax_id_hash',
      'customers (store_id, dev_mode, tax_id_hash) where deleted_at is null',
    );
  }
}
