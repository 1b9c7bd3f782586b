import { OnlineMigration } from './online-migration.ts';

/** Keys that browsers show everybody, and that may do one thing only. Existing keys are secret. */
export class PublicKeys extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      alter table api_keys add column if not exists public_text text;
      alter table api_keys drop constraint if exists api_keys_public_may_nothing;
      alter table api_keys add constraint api_keys_public_may_nothing
        check (public_text is null or cardinality(permissions) = 0) not valid`);
    await this.execute('alter table api_keys validate constraint api_keys_public_may_nothing');
  }
}
