import { OnlineMigration } from './online-migration.ts';

/**
 * Accounts of people whose e-mail address is not verified. Each belongs to the one store that invited it, so an address may
 * have one account for the whole service and one for each such store. The previous release writes only the first kind.
 */
export class AccountsOfOneStore extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(
      'alter table users add column if not exists local_store_id text references stores (id)',
    );
    await this.uniqueIndex('users_of_all_stores', 'users (email) where local_store_id is null');
    await this.uniqueIndex(
      'users_of_one_store',
      'users (email, local_store_id) where local_store_id is not null',
    );
    await this.change('alter table users drop constraint if exists users_email_key');
  }
}
