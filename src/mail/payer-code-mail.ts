import type { Store } from '../database/entities/store.ts';
import { CODE_MINUTES } from '../portal/codes.ts';
import { say } from '../web/frame/language.ts';
import { type Mail, payerMail } from '../web/frame/payer-mail.ts';

/** A code, and what it is for: a sign-in, or the change of the customer's address, which needs a code of each address. */
export interface CodeOfMail {
  readonly code: string;
  readonly proof: 'signIn' | 'presentEmail' | 'newEmail';
}

/** The mail with a code for the customer portal, in the payer's language. */
export function renderPayerCodeMail(
  { name, logoFile }: Store,
  { code, proof }: CodeOfMail,
  publicUrl: string,
): Mail {
  const words = { store: name, code };
  const yourCode = {
    signIn: say('portal.mail.yourCode', words),
    presentEmail: say('portal.mail.presentEmailCode', words),
    newEmail: say('portal.mail.newEmailCode', words),
  };
  const lines = [
    yourCode[proof],
    say('portal.mail.enterIt', { minutes: CODE_MINUTES }),
    proof === 'presentEmail'
      ? say('portal.mail.emailIsChangingIfNot', { store: name })
      : say('portal.mail.ifYouDidNot'),
  ];
  const subject =
    proof === 'presentEmail'
      ? say('portal.mail.emailIsChangingSubject', { store: name })
      : say('portal.mail.subject', { store: name });
  return payerMail({ subject, lines, links: [], logoFile }, publicUrl);
}
