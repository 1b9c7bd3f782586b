import { ChargeEntity } from '../database/entities/charge.ts';
import { type Invoice, InvoiceEntity } from '../database/entities/invoice.ts';
import { StoreEntity } from '../database/entities/store.ts';
import type { Em } from '../database/orm.ts';
import { languageNamed } from '../domain/language.ts';
import { invoiceAddress } from '../invoices/invoice-address.ts';
import { invoiceFile, numberOf } from '../invoices/invoice-files.ts';
import { invoiceLanguage } from '../invoices/invoice-language.ts';
import { portalPathFor } from '../portal/portal-path.ts';
import { inLanguage, localeOf } from '../web/frame/language.ts';
import { renderInvoiceMail } from './invoice-mail.ts';
import { MAIL_BATCH, Mailer } from './mailer.ts';
import {
  END_INVOICE_MAIL,
  GIVE_UP_INVOICE_MAIL,
  type InvoiceMail,
  TAKE_INVOICE_MAILS,
} from './queue/invoice-mails.ts';

/** Mails paid invoices to their payers, for stores that want it. */
export class InvoiceMailer extends Mailer {
  override async sendDue(now: Date): Promise<number> {
    const mails = await TAKE_INVOICE_MAILS(this.database, { now, limit: MAIL_BATCH });
    await Promise.all(mails.map((mail) => this.#send(mail)));
    return mails.length;
  }

  async #send({ invoiceId, attempts }: InvoiceMail): Promise<void> {
    const em = this.database.em.fork();
    const invoice = await em.findOneOrFail(InvoiceEntity, { id: invoiceId });
    const address = await invoiceAddress(em, invoice);
    // Nobody left an address, the payer was erased, or the payment was refunded meanwhile.
    if (address === null || (await isRefunded(em, invoice)))
      return void (await END_INVOICE_MAIL(em, { invoiceId }));
    const store = await em.findOneOrFail(StoreEntity, { id: invoice.storeId });
    const language = languageNamed(await invoiceLanguage(em, invoice));
    const { name, body } = await invoiceFile(em, invoice, { locale: localeOf(language), showsTaxId: false });
    const { amountCents, devMode, customerId } = invoice;
    const portalPath = await portalPathFor(em, customerId, address);
    const shown = { number: numberOf(invoice), amountCents, devMode, portalPath };
    const mail = {
      ...inLanguage(language, () => renderInvoiceMail(shown, store, this.publicUrl)),
      to: { name: '', address },
      ...(store.supportEmail !== null && { replyTo: store.supportEmail }),
      fromName: store.name,
      id: `invoice.${invoiceId}`,
      attachments: [{ filename: name, content: body, contentType: 'application/pdf' }],
    };
    const outcome = await this.sendToPayer(invoice, mail, { invoiceId, attempts });
    if (outcome === 'sent') await END_INVOICE_MAIL(em, { invoiceId });
    if (outcome === 'given up') await GIVE_UP_INVOICE_MAIL(em, { invoiceId });
  }
}

async function isRefunded(em: Em, { chargeId }: Invoice): Promise<boolean> {
  return chargeId !== null && (await em.count(ChargeEntity, { id: chargeId, status: 'REFUNDED' })) > 0;
}
