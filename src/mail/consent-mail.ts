import type { Mandate } from '../database/entities/mandate.ts';
import type { Store } from '../database/entities/store.ts';
import { formatBrl } from '../domain/money.ts';
import { consentPath } from '../mandates/consent/consent-path.ts';
import { say } from '../web/frame/language.ts';
import { type Mail, payerMail } from '../web/frame/payer-mail.ts';

/** What the mail says about a request; its page has the dates and the code. */
interface MailedConsent {
  readonly mandate: Pick<Mandate, 'id' | 'amountCents' | 'devMode'>;
  readonly plan: string;
}

/** The mail that asks a payer to authorize debits, in the current language. */
export function renderConsentMail(
  { mandate, plan }: MailedConsent,
  { name: store, supportEmail, logoFile }: Pick<Store, 'name' | 'supportEmail' | 'logoFile'>,
  publicUrl: string,
): Mail {
  const { amountCents, devMode } = mandate;
  const amount = amountCents === null ? say('authorize.variable') : formatBrl(amountCents);
  const lines = [
    ...(devMode ? [say('payer.testEnvironmentNoPaymentHere')] : []),
    say('authorize.asks', { store, plan }),
    say('authorize.mail.eachDebit', { amount }),
    say('authorize.untilThen'),
    ...(supportEmail === null ? [] : [say('receipt.questions', { address: supportEmail })]),
  ];
  const links = [{ text: say('authorize.mail.open'), url: publicUrl + consentPath(mandate) }];
  const subject = say('authorize.mail.subject', { plan, store });
  return payerMail({ subject, lines, links, logoFile }, publicUrl);
}
