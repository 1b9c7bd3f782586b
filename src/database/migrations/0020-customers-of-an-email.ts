import { OnlineMigration } from './online-migration.ts';

/**
 * The customers of an e-mail address in the order of their list. Postgres does not use what it knows of `lower(email)`
 * from a partial index: it guesses that one customer in two hundred has the address, and so with many customers read all of
 * them in order instead of sorting those few.
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
