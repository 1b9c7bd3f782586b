import { Migration } from '@mikro-orm/migrations';

/**
 * The id of the key that encrypts a webhook's secret. It is null for secrets stored as text, as all existing ones are. Those
 * stay readable until `npm start` or `secrets rotate` encrypts them.
 */
export class EncryptedSecrets extends Migration {
  override up(): void {
    this.addSql('alter table webhooks add column secret_key_id text;');
  }
}
