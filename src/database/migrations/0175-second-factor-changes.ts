import { OnlineMigration } from './online-migration.ts';

/**
 * When the second factor of a person was last switched on or off. Factors that are on count as never changed, so that browsers in
 * which somebody has signed in stay known.
 */
export class SecondFactorChanges extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      alter table users add column if not exists second_factor_changed_at timestamptz;
      update users set second_factor_changed_at = totp_confirmed_at
        where totp_confirmed_at is not null and second_factor_changed_at is null`);
  }
}
