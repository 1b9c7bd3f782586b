import { ChargeEntity } from '../database/entities/charge.ts';
import { StoreEntity } from '../database/entities/store.ts';
import { languageNamed } from '../domain/language.ts';
import { portalPathFor } from '../portal/portal-path.ts';
import { inLanguage } from '../web/frame/language.ts';
import { renderReceiptMail } from '../web/receipt/receipt-mail.ts';
import { loadReceipt } from '../web/receipt/receipt-view.ts';
import { MAIL_BATCH, Mailer } from './mailer.ts';
import {
  END_RECEIPT_MAIL,
  GIVE_UP_RECEIPT_MAIL,
  type ReceiptMail,
  TAKE_RECEIPT_MAILS,
} from './queue/receipt-mails.ts';

/** Mails due receipts. */
export class ReceiptMailer extends Mailer {
  override async sendDue(now: Date): Promise<number> {
    const mails = await TAKE_RECEIPT_MAILS(this.database, { now, limit: MAIL_BATCH });
    await Promise.all(mails.map((mail) => this.#send(mail)));
    return mails.length;
  }

  async #send({ chargeId, language, attempts }: ReceiptMail): Promise<void> {
    const em = this.database.em.fork();
    const charge = await em.findOneOrFail(ChargeEntity, { id: chargeId });
    const view = await loadReceipt({ database: this.database, publicUrl: this.publicUrl }, chargeId);
    // The payer was erased, or the payment was returned meanwhile: there is no receipt to send.
    if (charge.payerEmail === null || view === null || view.reversal !== null) {
      await END_RECEIPT_MAIL(em, { chargeId });
      return;
    }
    const store = await em.findOneOrFail(StoreEntity, { id: charge.storeId });
    const portalPath = await portalPathFor(em, charge.customerId, charge.payerEmail);
    const mail = {
      ...inLanguage(languageNamed(language), () =>
        renderReceiptMail(view, store, this.publicUrl, portalPath),
      ),
      to: { name: '', address: charge.payerEmail },
      ...(store.supportEmail !== null && { replyTo: store.supportEmail }),
      fromName: store.name,
      id: `receipt.${chargeId}`,
    };
    const outcome = await this.sendToPayer(charge, mail, { chargeId, attempts });
    if (outcome === 'sent') await END_RECEIPT_MAIL(em, { chargeId });
    if (outcome === 'given up') await GIVE_UP_RECEIPT_MAIL(em, { chargeId });
  }
}
