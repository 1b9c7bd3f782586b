import type { Mandate } from '../database/entities/mandate.ts';
import { consentPath } from '../mandates/consent/consent-path.ts';
import { say } from '../web/frame/language.ts';
import type { Mail } from '../web/frame/mail-layout.ts';
import { type PayersStore, payerMail } from '../web/frame/payer-mail.ts';
import { sayAmount } from '../web/i18n/money.ts';

/** What the mail says about a request; its page has the dates and the code. */
interface MailedConsent {
  readonly mandate: Pick<Mandate, 'id' | 'amountCents' | 'devMode'>;
  readonly plan: string;
}

/** The mail that asks a payer to authorize debits, in the current language. */
export function renderConsentMail(
  { mandate, plan }: MailedConsent,
  store: PayersStore,
  publicUrl: string,
): Mail {
  const { amountCents, devMode } = mandate;
  const amount = amountCents === null ? say('authorize.variable') : sayAmount(amountCents);
  return payerMail({
    store,
    devMode,
    heading: say('authorize.mail.subject', { plan }),
    lines: [say('authorize.asks', { store: store.name, plan }), say('authorize.untilThen')],
    facts: [[say('authorize.mail.eachDebit'), amount]],
    links: [{ text: say('authorize.mail.open'), url: publicUrl + consentPath(mandate) }],
  });
}
