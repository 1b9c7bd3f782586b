import { emailHashOf } from '../customers/email-hash.ts';
import { CustomerEntity } from '../database/entities/customer.ts';
import { StoreEntity } from '../database/entities/store.ts';
import type { Em } from '../database/orm.ts';
import { languageNamed } from '../domain/language.ts';
import { codeHashOf, newCode } from '../portal/sign-in.ts';
import { inLanguage } from '../web/frame/language.ts';
import { MAIL_BATCH, Mailer } from './mailer.ts';
import { renderPayerCodeMail } from './payer-code-mail.ts';
import {
  END_PAYER_CODE_MAIL,
  KEEP_PAYER_CODE,
  type PayerCodeMail,
  TAKE_PAYER_CODE_MAILS,
} from './queue/payer-code-mails.ts';

/** Mails the codes with which payers sign in to the customer portal. */
export class PayerCodeMailer extends Mailer {
  override async sendDue(now: Date): Promise<number> {
    const mails = await TAKE_PAYER_CODE_MAILS(this.database, { now, limit: MAIL_BATCH });
    await Promise.all(mails.map((mail) => this.#send(mail, now)));
    return mails.length;
  }

  /** Each attempt mints its own code, because no code is stored. Only the newest mail's code is right. */
  async #send(mail: PayerCodeMail, now: Date): Promise<void> {
    const { tokenHash, storeId, customerId, attempts } = mail;
    const em = this.database.em.fork();
    const address = mail.expiresAt > now ? await addressOf(em, mail) : null;
    const code = newCode();
    const isWanted =
      address !== null &&
      (await KEEP_PAYER_CODE(em, { tokenHash, codeHash: await codeHashOf(code) })).length > 0;
    if (!isWanted) return void (await END_PAYER_CODE_MAIL(em, { tokenHash }));
    const store = await em.findOneOrFail(StoreEntity, { id: storeId });
    const words = inLanguage(languageNamed(mail.language), () =>
      renderPayerCodeMail(store, code, this.publicUrl),
    );
    const outcome = await this.send(
      {
        ...words,
        to: { name: '', address },
        ...(store.supportEmail !== null && { replyTo: store.supportEmail }),
        fromName: store.name,
        id: `portal-code.${tokenHash.slice(0, 24)}.${attempts}`,
      },
      { storeId, customerId, attempts },
    );
    if (outcome !== 'later') await END_PAYER_CODE_MAIL(em, { tokenHash });
  }
}

/** The customer's address, if it is the one that was typed. Nothing is ever mailed to an address that only a visitor typed. */
async function addressOf(em: Em, { customerId, emailHash }: PayerCodeMail): Promise<string | null> {
  const customer = await em.findOne(CustomerEntity, { id: customerId, deletedAt: null });
  const email = customer?.email ?? null;
  return email !== null && emailHashOf(customerId, email) === emailHash ? email : null;
}
