import { OnlineMigration } from './online-migration.ts';

/**
 * Keys that are read-only, that expire, or that work from some networks only. Existing keys have no such limit. Processes of
 * the previous release do not enforce the limits.
 */
export class LimitsOfKeys extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      alter table api_keys
        add column if not exists read_only boolean not null default false,
        add column if not exists expires_at timestamptz,
        add column if not exists allowed_networks text[] check (cardinality(allowed_networks) > 0),
        add column if not exists refused_at timestamptz,
        add column if not exists refused_from text`);
    await this.index('api_keys_by_expiry', 'api_keys (expires_at) where revoked_at is null');
  }
}
