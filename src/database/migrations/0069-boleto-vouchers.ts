import { OnlineMigration } from './online-migration.ts';

/** A provider's own page and document of a boleto. Existing boletos have none. */
export class BoletoVouchers extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      alter table charges
        add column if not exists voucher_url text,
        add column if not exists voucher_pdf_url text`);
  }
}
