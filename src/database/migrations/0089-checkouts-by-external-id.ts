import { OnlineMigration } from './online-migration.ts';

/**
 * One checkout per `externalId` of a store, checkouts that were deleted, and subscriptions by `externalId`. Checkouts of earlier
 * releases claim no `externalId`: there may be several with the same one.
 */
export class CheckoutsByExternalId extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      alter table checkouts add column if not exists deleted_at timestamptz;
      create table if not exists checkout_external_ids (
        store_id text not null,
        dev_mode boolean not null,
        external_id text not null,
        checkout_id text not null,
        primary key (store_id, dev_mode, external_id)
      )`);
    await this.index(
      'subscriptions_by_external_id',
      'subscriptions (store_id, dev_mode, external_id, created_at, id) where external_id is not null',
    );
  }
}
