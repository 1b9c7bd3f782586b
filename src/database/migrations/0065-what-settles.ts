import { OnlineMigration } from './online-migration.ts';

/**
 * An index that holds the amounts of payments that have not settled, so that the dashboard's calendar adds them up without reading
 * the charges. Payments that settle at once, such as PIX, are never in it.
 */
export class WhatSettles extends OnlineMigration {
  override async up(): Promise<void> {
    await this.index(
      'charges_settling',
      `charges (store_id, dev_mode, settles_at)
       include (paid_amount_cents, platform_fee_cents, reversed_cents, reversed_fee_cents)
       where settles_at is not null and settled_at is null and status = 'PAID' and refund_id is null`,
    );
  }
}
