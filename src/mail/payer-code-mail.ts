import type { Store } from '../database/entities/store.ts';
import { CODE_MINUTES } from '../portal/sign-in.ts';
import { say } from '../web/frame/language.ts';
import { type Mail, payerMail } from '../web/frame/payer-mail.ts';

/** What a code proves: that a payer may sign in, or that a new address is theirs. */
type Proof = 'signIn' | 'newEmail';

/** The mail with a code for the customer portal, in the payer's language. */
export function renderPayerCodeMail(
  { name, logoFile }: Store,
  { code, proof }: { readonly code: string; readonly proof: Proof },
  publicUrl: string,
): Mail {
  const lines = [
    say(proof === 'signIn' ? 'portal.mail.yourCode' : 'portal.mail.newEmailCode', { store: name, code }),
    say('portal.mail.enterIt', { minutes: CODE_MINUTES }),
    say('portal.mail.ifYouDidNot'),
  ];
  const subject = say('portal.mail.subject', { store: name });
  return payerMail({ subject, lines, links: [], logoFile }, publicUrl);
}

/** The mail to the present address of a customer who is about to replace it: it arrives also if somebody else has their session. */
export function renderEmailChangeNotice({ name, logoFile }: Store, publicUrl: string): Mail {
  const lines = [
    say('portal.mail.emailIsChanging', { store: name }),
    say('portal.mail.emailIsChangingIfNot', { store: name }),
  ];
  const subject = say('portal.mail.emailIsChangingSubject', { store: name });
  return payerMail({ subject, lines, links: [], logoFile }, publicUrl);
}
