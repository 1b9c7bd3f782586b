import { OnlineMigration } from './online-migration.ts';

/**
 * When a provider was first asked to move money: for a refund, a payout, or a payment that is being returned. The previous
 * release may have requested those that are pending.
 */
export class OrdersOfMoney extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      create table if not exists money_orders (
        subject_id text primary key,
        ordered_at timestamptz not null
      )`);
    await this.execute(`
      insert into money_orders (subject_id, ordered_at)
      select id, updated_at from refunds where status = 'PENDING'
      union all select id, updated_at from payouts where status = 'PENDING'
      union all select id, created_at from payments where outcome = 'RETURNING'
      on conflict do nothing`);
  }
}
