import { OnlineMigration } from './online-migration.ts';

/**
 * Events are streamed in the order of the transactions that recorded them (decision 15). `created_at` cannot give that order: an
 * event may happen long before its row is committed. Existing events have no transaction id and are in no stream.
 */
export class EventsInOrder extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      alter table events add column if not exists recorded_in xid8;
      alter table events alter column recorded_in set default pg_current_xact_id()`);
    await this.index(
      'events_in_order',
      'events (store_id, dev_mode, recorded_in, id) where not sample and recorded_in is not null',
    );
  }
}
