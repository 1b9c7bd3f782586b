import { OnlineMigration } from './online-migration.ts';

/** Checkouts that offer a method, newest first, so that a list of a method that few offer does not read all of them. */
export class CheckoutsByMethod extends OnlineMigration {
  override async up(): Promise<void> {
    for (const method of ['PIX', 'BOLETO', 'CARD']) {
      const name = `checkouts_offering_${method.toLowerCase()}`;
      await this.index(name, `checkouts (store_id, dev_mode, created_at, id) where methods @> '{${method}}'`);
    }
  }
}
