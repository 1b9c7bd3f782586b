import { say } from '../web/frame/language.ts';
import type { Mail } from '../web/frame/mail-layout.ts';
import { type PayersStore, payerMail } from '../web/frame/payer-mail.ts';
import { sayAmount } from '../web/i18n/money.ts';

/** What the mail says about an invoice; the attached file has the details. */
interface MailedInvoice {
  readonly number: string;
  readonly amountCents: number;
  readonly devMode: boolean;
  /** Of the payer's customer portal; null without one. */
  readonly portalPath: string | null;
}

/** The mail with a paid invoice, in the current language. */
export function renderInvoiceMail(
  { number, amountCents, devMode, portalPath }: MailedInvoice,
  store: PayersStore,
  publicUrl: string,
): Mail {
  const amount = sayAmount(amountCents);
  return payerMail({
    store,
    devMode,
    heading: say('invoice.title', { number }),
    amount,
    lines: [say(devMode ? 'invoice.mail.sample' : 'invoice.mail.attached', { store: store.name, amount })],
    links: portalPath === null ? [] : [{ text: say('receipt.allYourPayments'), url: publicUrl + portalPath }],
  });
}
