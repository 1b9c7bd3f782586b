import type { Store } from '../database/entities/store.ts';
import { CODE_MINUTES } from '../portal/sign-in.ts';
import { say } from '../web/frame/language.ts';
import { type Mail, payerMail } from '../web/frame/payer-mail.ts';

/** The mail with a code for the customer portal, in the payer's language. */
export function renderPayerCodeMail({ name, logoFile }: Store, code: string, publicUrl: string): Mail {
  const lines = [
    say('portal.mail.yourCode', { store: name, code }),
    say('portal.mail.enterIt', { minutes: CODE_MINUTES }),
    say('portal.mail.ifYouDidNot'),
  ];
  const subject = say('portal.mail.subject', { store: name });
  return payerMail({ subject, lines, links: [], logoFile }, publicUrl);
}
