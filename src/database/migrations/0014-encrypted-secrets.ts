import { Migration } from '@mikro-orm/migrations';

/**
 * Which key a webhook's secret is encrypted with; null for those that are kept as text, as all were before.
 * They are read as they are until they are encrypted: when `npm start` starts, or by `secrets rotate`.
 */
export class EncryptedSecrets extends Migration {
  override up(): void {
    this.addSql('alter table webhooks add column secret_key_id text;');
  }
}
