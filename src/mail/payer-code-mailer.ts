import { emailHashOf } from '../customers/email-hash.ts';
import { CustomerEntity } from '../database/entities/customer.ts';
import { type Store, StoreEntity } from '../database/entities/store.ts';
import type { Em } from '../database/orm.ts';
import { languageNamed } from '../domain/language.ts';
import { codeHashOf, newCode } from '../portal/sign-in.ts';
import { inLanguage } from '../web/frame/language.ts';
import type { Mail } from '../web/frame/payer-mail.ts';
import { MAIL_BATCH, Mailer } from './mailer.ts';
import { renderEmailChangeNotice, renderPayerCodeMail } from './payer-code-mail.ts';
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

  async #send(mail: PayerCodeMail, now: Date): Promise<void> {
    const { tokenHash } = mail;
    const em = this.database.em.fork();
    const addresses = mail.expiresAt > now ? await addressesOf(em, mail) : null;
    if (addresses === null) return void (await END_PAYER_CODE_MAIL(em, { tokenHash }));
    const store = await em.findOneOrFail(StoreEntity, { id: mail.storeId });
    const { present, proven } = addresses;
    // First, so nobody replaces an address whose owner was not written to. It may be out of use, which is a reason to replace it.
    if (mail.newEmail !== null) {
      const notice = this.#inLanguage(mail, () => renderEmailChangeNotice(store, this.publicUrl));
      if ((await this.#mail(mail, store, { ...notice, address: present, name: 'email-change' })) === 'later')
        return;
    }
    await this.#sendCode(mail, store, proven);
  }

  /** Each attempt mints its own code, because no code is stored. Only the newest mail's code is right. */
  async #sendCode(mail: PayerCodeMail, store: Store, address: string): Promise<void> {
    const { tokenHash, newEmail } = mail;
    const em = this.database.em.fork();
    const code = newCode();
    const isWanted = (await KEEP_PAYER_CODE(em, { tokenHash, codeHash: await codeHashOf(code) })).length > 0;
    if (!isWanted) return void (await END_PAYER_CODE_MAIL(em, { tokenHash }));
    const proof = newEmail === null ? 'signIn' : 'newEmail';
    const words = this.#inLanguage(mail, () => renderPayerCodeMail(store, { code, proof }, this.publicUrl));
    const outcome = await this.#mail(mail, store, { ...words, address, name: 'portal-code' });
    if (outcome !== 'later') await END_PAYER_CODE_MAIL(em, { tokenHash });
  }

  #inLanguage({ language }: PayerCodeMail, render: () => Mail): Mail {
    return inLanguage(languageNamed(language), render);
  }

  #mail(
    { tokenHash, storeId, customerId, attempts }: PayerCodeMail,
    store: Store,
    { address, name, ...words }: Mail & { readonly address: string; readonly name: string },
  ) {
    return this.send(
      {
        ...words,
        to: { name: '', address },
        ...(store.supportEmail !== null && { replyTo: store.supportEmail }),
        fromName: store.name,
        id: `${name}.${tokenHash.slice(0, 24)}.${attempts}`,
      },
      { storeId, customerId, attempts },
    );
  }
}

/**
 * The customer's present address and the one to prove: the same, if it is the one that was typed. Nothing is ever mailed to an
 * address that only a visitor typed: a new address was typed in the customer's session.
 */
async function addressesOf(
  em: Em,
  { customerId, emailHash, newEmail }: PayerCodeMail,
): Promise<{ readonly present: string; readonly proven: string } | null> {
  const customer = await em.findOne(CustomerEntity, { id: customerId, deletedAt: null });
  const present = customer?.email ?? null;
  if (present === null) return null;
  if (newEmail !== null) return { present, proven: newEmail };
  return emailHashOf(customerId, present) === emailHash ? { present, proven: present } : null;
}
