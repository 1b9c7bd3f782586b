import { pageLocale, say } from './language.ts';
import { type Mail, type MailContent, type MailStore, renderMail } from './mail-layout.ts';

/** A store that payers can write to. */
export interface PayersStore extends MailStore {
  readonly supportEmail: string | null;
}

interface PayerMail extends Omit<MailContent, 'locale' | 'notice'> {
  readonly store: PayersStore;
  readonly devMode: boolean;
}

/** A store's mail to a payer, in the current language. */
export function payerMail({ devMode, notes = [], ...content }: PayerMail): Mail {
  const { supportEmail } = content.store;
  return renderMail({
    ...content,
    locale: pageLocale(),
    notice: devMode ? say('payer.testEnvironmentNoPaymentHere') : null,
    notes: [...notes, supportEmail && say('receipt.questions', { address: supportEmail })],
  });
}
