import { OnlineMigration } from './online-migration.ts';

/**
 * An index of customers by e-mail address, in the order of their list. Postgres has no statistics of `lower(email)` from a
 * partial index, so it assumed that one customer in two hundred has the address. With many customers it then read all of them
 * in order instead of sorting the few matches.
 */
export class CustomersOfAnEmail extends OnlineMigration {
  override async up(): Promise<void> {
    await this.index(
      'customers_of_email',
      'customers (store_id, dev_mode, lower(email), created_at, id) where deleted_at is null',
    );
    await this.execute('drop index concurrently if exists customers_by_email');
  }
}
