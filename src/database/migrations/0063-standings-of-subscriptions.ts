import { OnlineMigration } from './online-migration.ts';

/**
 * Lists of subscriptions by state and by customer. Few subscriptions are in a trial or past due at a time, so these indexes are
 * small, and others never change them.
 */
export class StandingsOfSubscriptions extends OnlineMigration {
  override async up(): Promise<void> {
    const inOrder = 'subscriptions (store_id, dev_mode, created_at, id)';
    await this.index('subscriptions_past_due', `${inOrder} where status = 'ACTIVE' and failed_attempts > 0`);
    await this.index(
      'subscriptions_trialing',
      `${inOrder} where status = 'ACTIVE' and failed_attempts = 0 and cycle_number = 0`,
    );
    await this.index(
      'subscriptions_of_customer',
      'subscriptions (customer_id, created_at, id) where customer_id is not null',
    );
  }
}
