import { OnlineMigration } from './online-migration.ts';

/**
 * An index for every list and filter of the API, so that reading a page costs the same however many rows this store and others
 * have. A delivery gets the store, environment and name of its event, which only the event had before.
 *
 * The trigger fills these columns for processes of the previous release.
 */
export class ListsOfAnySize extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      alter table deliveries
        add column if not exists store_id text,
        add column if not exists dev_mode boolean,
        add column if not exists event_name text;
      create or replace function deliveries_of_their_event() returns trigger language plpgsql as $$
      begin
        select store_id, dev_mode, name into new.store_id, new.dev_mode, new.event_name from events where id = new.event_id;
        return new;
      end $$;
      drop trigger if exists deliveries_of_their_event on deliveries;
      create trigger deliveries_of_their_event before insert on deliveries
        for each row when (new.store_id is null) execute function deliveries_of_their_event();`);
    await this.inBatches(`
      with batch as (select id, event_id from deliveries where id > :after order by id limit 5000), done as (
        update deliveries set store_id = event.store_id, dev_mode = event.dev_mode, event_name = event.name
        from batch join events event on event.id = batch.event_id
        where deliveries.id = batch.id and deliveries.store_id is null
      )
      select max(id) as last from batch`);
    await this.change(`
      alter table deliveries drop constraint if exists deliveries_have_an_owner;
      alter table deliveries add constraint deliveries_have_an_owner
        check (store_id is not null and dev_mode is not null and event_name is not null) not valid`);
    await this.execute('alter table deliveries validate constraint deliveries_have_an_owner');
    await this.change(`
      alter table deliveries
        alter column store_id set not null, alter column dev_mode set not null, alter column event_name set not null;
      alter table deliveries drop constraint deliveries_have_an_owner`);

    await this.index('deliveries_of_store', 'deliveries (store_id, dev_mode, created_at, id)');
    await this.index('deliveries_by_event', 'deliveries (store_id, dev_mode, event_name, created_at, id)');
    await this.index(
      'deliveries_not_delivered',
      `deliveries (store_id, dev_mode, status, created_at, id) where status <> 'DELIVERED'`,
    );
    await this.index(
      'charges_without_checkout',
      'charges (store_id, dev_mode, created_at, id) where checkout_id is null',
    );
    await this.index(
      'charges_by_status',
      'charges (store_id, dev_mode, status, created_at, id) where checkout_id is null',
    );
    await this.index('checkouts_by_frequency', 'checkouts (store_id, dev_mode, frequency, created_at, id)');
    await this.index(
      'checkouts_by_status',
      'checkouts (store_id, dev_mode, frequency, status, created_at, id)',
    );
    await this.index('payouts_by_status', 'payouts (store_id, dev_mode, kind, status, created_at, id)');
    await this.execute('drop index concurrently if exists charges_newest_first');
  }
}
