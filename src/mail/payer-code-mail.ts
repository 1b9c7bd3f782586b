import type { Store } from '../database/entities/store.ts';
import { CODE_MINUTES } from '../portal/sign-in.ts';
import { html } from '../web/frame/html.ts';
import { currentLanguage, localeOf, say } from '../web/frame/language.ts';
import { logoInMail } from '../web/frame/store-logo.ts';
import type { Mail } from '../web/receipt/receipt-mail.ts';

/** The mail with a code for the customer portal, in the payer's language. */
export function renderPayerCodeMail({ name, logoFile }: Store, code: string, publicUrl: string): Mail {
  const lines = [
    say('portal.mail.yourCode', { store: name, code }),
    say('portal.mail.enterIt', { minutes: CODE_MINUTES }),
    say('portal.mail.ifYouDidNot'),
  ];
  const body = html`<!doctype html>
<html lang="${localeOf(currentLanguage())}"><head><meta charset="utf-8"></head><body>
${logoInMail(publicUrl, logoFile)}
${lines.map((line) => html`<p>${line}</p>\n`)}
</body></html>`;
  return {
    subject: say('portal.mail.subject', { store: name }),
    text: `${lines.join('\n\n')}\n`,
    html: body.markup,
  };
}
