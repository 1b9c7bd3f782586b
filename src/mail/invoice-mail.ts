import type { Store } from '../database/entities/store.ts';
import { formatBrl } from '../domain/money.ts';
import { say } from '../web/frame/language.ts';
import { type Mail, payerMail } from '../web/frame/payer-mail.ts';

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
  { name, supportEmail, logoFile }: Store,
  publicUrl: string,
): Mail {
  const lines = [
    ...(devMode ? [say('invoice.testEnvironment')] : []),
    say('invoice.mail.attached', { number, store: name, amount: formatBrl(amountCents) }),
    ...(supportEmail === null ? [] : [say('receipt.questions', { address: supportEmail })]),
  ];
  const links =
    portalPath === null ? [] : [{ text: say('receipt.allYourPayments'), url: publicUrl + portalPath }];
  const subject = say('invoice.mail.subject', { number, store: name });
  return payerMail({ subject, lines, links, logoFile }, publicUrl);
}
