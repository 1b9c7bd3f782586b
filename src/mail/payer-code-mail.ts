import { CODE_MINUTES } from '../portal/codes.ts';
import { say } from '../web/frame/language.ts';
import type { Mail } from '../web/frame/mail-layout.ts';
import { type PayersStore, payerMail } from '../web/frame/payer-mail.ts';
import type { MessageKey } from '../web/i18n/catalogs.ts';

/** A code, and what it is for: a sign-in, or the change of the customer's address, which needs a code of each address. */
export interface CodeOfMail {
  readonly code: string;
  readonly proof: 'signIn' | 'presentEmail' | 'newEmail';
}

/** The mail with a code for the customer portal, in the payer's language. */
export function renderPayerCodeMail(store: PayersStore, { code, proof }: CodeOfMail): Mail {
  const words = { store: store.name };
  const { heading, line, ifNot } = WORDS[proof];
  return payerMail({
    store,
    // The test environment mails no codes: its page shows them.
    devMode: false,
    heading: say(heading),
    lines: [say(line, words), say('portal.mail.enterIt', { minutes: CODE_MINUTES })],
    code,
    notes: [say(ifNot, words)],
  });
}

interface Words {
  readonly heading: MessageKey;
  readonly line: MessageKey;
  /** For someone who did not ask for it. */
  readonly ifNot: MessageKey;
}

const WORDS: Readonly<Record<CodeOfMail['proof'], Words>> = {
  signIn: {
    heading: 'portal.mail.subject',
    line: 'portal.mail.yourCode',
    ifNot: 'portal.mail.ifYouDidNot',
  },
  presentEmail: {
    heading: 'portal.mail.emailIsChangingSubject',
    line: 'portal.mail.presentEmailCode',
    ifNot: 'portal.mail.emailIsChangingIfNot',
  },
  newEmail: {
    heading: 'portal.mail.emailIsChangingSubject',
    line: 'portal.mail.newEmailCode',
    ifNot: 'portal.mail.ifYouDidNot',
  },
};
