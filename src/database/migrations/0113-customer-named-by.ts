import { OnlineMigration } from './online-migration.ts';

/** Who named a customer: the merchant, or an anonymous payer. Older rows do not tell. */
export class CustomerNamedBy extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(
      ['checkouts', 'charges', 'subscriptions']
        .map((table) => `alter table ${table} add column if not exists customer_named_by text;`)
        .join('\n'),
    );
  }
}
