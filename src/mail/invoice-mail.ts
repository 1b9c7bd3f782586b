import type { Store } from '../database/entities/store.ts';
import { formatBrl } from '../domain/money.ts';
import { html } from '../web/frame/html.ts';
import { currentLanguage, localeOf, say } from '../web/frame/language.ts';
import { logoInMail } from '../web/frame/store-logo.ts';
import type { Mail } from '../web/receipt/receipt-mail.ts';

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
  const portal = portalPath && { text: say('receipt.allYourPayments'), url: publicUrl + portalPath };
  const body = html`<!doctype html>
<html lang="${localeOf(currentLanguage())}"><head><meta charset="utf-8"></head><body>
${logoInMail(publicUrl, logoFile)}
${lines.map((line) => html`<p>${line}</p>\n`)}
${portal && html`<p><a href="${portal.url}">${portal.text}</a></p>`}
</body></html>`;
  const texts = portal ? [...lines, `${portal.text}: ${portal.url}`] : lines;
  return {
    subject: say('invoice.mail.subject', { number, store: name }),
    text: `${texts.join('\n\n')}\n`,
    html: body.markup,
  };
}
