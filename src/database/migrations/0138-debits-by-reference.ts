import { OnlineMigration } from './online-migration.ts';

/** A bank's news of a debit names its reference only. */
export class DebitsByReference extends OnlineMigration {
  override async up(): Promise<void> {
    await this.index('debits_by_reference', 'debits (provider_reference) where next_at is not null');
  }
}
