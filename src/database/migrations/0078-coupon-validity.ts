import { OnlineMigration } from './online-migration.ts';

/** When payers may use a coupon. Existing coupons have no such limit. */
export class CouponValidity extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      alter table coupons
        add column if not exists valid_from timestamptz,
        add column if not exists valid_until timestamptz`);
  }
}
