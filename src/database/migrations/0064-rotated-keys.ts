import { OnlineMigration } from './online-migration.ts';

/** Which key replaced another one. The replaced key works until its expiry, so programs have time to change. */
export class RotatedKeys extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(
      'alter table api_keys add column if not exists replaced_by_id text references api_keys (id)',
    );
  }
}
