import { OnlineMigration } from './online-migration.ts';

/** The language of the page on which a payment began, for mails that follow it later. Unknown for payments from before. */
export class PayerLanguage extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change('alter table charges add column if not exists payer_language text;');
  }
}
