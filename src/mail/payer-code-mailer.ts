import { emailHashOf } from '../customers/email-hash.ts';
import { CustomerEntity } from '../database/entities/customer.ts';
import { type Store, StoreEntity } from '../database/entities/store.ts';
import type { Em } from '../database/orm.ts';
import { languageNamed } from '../domain/language.ts';
import { codeHashOf, newCode } from '../portal/codes.ts';
import { inLanguage } from '../web/frame/language.ts';
import { MAIL_BATCH, Mailer, type MailOutcome } from './mailer.ts';
import { type CodeOfMail, renderPayerCodeMail } from './payer-code-mail.ts';
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

  /** Each attempt mints its own codes, because no code is stored. Only the newest mails' codes are right. */
  async #send(mail: PayerCodeMail, now: Date): Promise<void> {
    const { tokenHash, newEmail } = mail;
    const em = this.database.em.fork();
    const address = mail.expiresAt > now ? await addressOf(em, mail) : null;
    const [code, newEmailCode] = [newCode(), newEmail === null ? null : newCode()];
    const hashes = {
      codeHash: await codeHashOf(code),
      newEmailCodeHash: newEmailCode === null ? null : await codeHashOf(newEmailCode),
    };
    const isWanted = address !== null && (await KEEP_PAYER_CODE(em, { tokenHash, ...hashes })).length > 0;
    if (!isWanted) return void (await END_PAYER_CODE_MAIL(em, { tokenHash }));
    const store = await em.findOneOrFail(StoreEntity, { id: mail.storeId });
    const proof = newEmail === null ? 'signIn' : 'presentEmail';
    let outcome = await this.#sendCode(mail, store, { address, code, proof });
    // An address whose code could not be mailed is not changed, so the new one needs no code.
    if (outcome === 'sent' && newEmail !== null && newEmailCode !== null)
      outcome = await this.#sendCode(mail, store, {
        ...{ address: newEmail, code: newEmailCode, proof: 'newEmail' },
      });
    if (outcome !== 'later') await END_PAYER_CODE_MAIL(em, { tokenHash });
  }

  #sendCode(
    mail: PayerCodeMail,
    store: Store,
    { address, ...words }: CodeOfMail & { readonly address: string },
  ): Promise<MailOutcome> {
    const { tokenHash, storeId, customerId, attempts, language } = mail;
    const written = inLanguage(languageNamed(language), () => renderPayerCodeMail(store, words));
    return this.send(
      {
        ...written,
        to: { name: '', address },
        ...(store.supportEmail !== null && { replyTo: store.supportEmail }),
        fromName: store.name,
        id: `portal-code${words.proof === 'newEmail' ? '-new' : ''}.${tokenHash.slice(0, 24)}.${attempts}`,
      },
      { storeId, customerId, attempts },
    );
  }
}

/**
 * The customer's address, if it is the one that was typed, or that is to be changed. Nothing is ever mailed to an address that only a
 * payer typed: a new address was typed in the customer's session.
 */
async function addressOf(em: Em, { customerId, emailHash }: PayerCodeMail): Promise<string | null> {
  const customer = await em.findOne(CustomerEntity, { id: customerId, deletedAt: null });
  const email = customer?.email ?? null;
  return email !== null && emailHashOf(customerId, email) === emailHash ? email : null;
}
