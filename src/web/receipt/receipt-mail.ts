import type { Store } from '../../database/entities/store.ts';
import { isDayOnly } from '../../domain/civil-date.ts';
import { formatBrl } from '../../domain/money.ts';
import { html } from '../frame/html.ts';
import { currentLanguage, formatTime, localeOf, say } from '../frame/language.ts';
import { METHOD_NAMES } from '../frame/method-words.ts';
import { shownName } from '../frame/payer-texts.ts';
import { logoInMail } from '../frame/store-logo.ts';
import type { ReceiptView } from './receipt-view.ts';

/** A mail without its recipient. */
export interface Mail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/**
 * The receipt as a mail, in the reader's language; the linked page has the details.
 * @param portalPath of the payer's customer portal; null without one.
 */
export function renderReceiptMail(
  view: ReceiptView,
  { supportEmail }: Store,
  publicUrl: string,
  portalPath: string | null,
): Mail {
  const amount = formatBrl(view.paidAmountCents);
  const store = view.merchantName;
  const time = formatTime(view.paidAt, {
    dateStyle: 'short',
    ...(!isDayOnly(view.paidAt) && { timeStyle: 'short' }),
  });
  const lines = [
    ...(view.devMode ? [say('payer.testEnvironmentNoPaymentHere')] : []),
    say('receipt.youHavePaidToOn', { amount, store, time }),
    say('receipt.paidWith', { method: view.card ?? say(METHOD_NAMES[view.method]) }),
    ...view.items.map(({ name, quantity }) => `${quantity} × ${name}`),
    ...(view.payerTaxId === null
      ? []
      : [say('receipt.payer', { payer: `${shownName(view.payerName)}, ${view.payerTaxId}` })]),
    say('receipt.chargeId', { id: view.chargeId }),
    ...(supportEmail === null ? [] : [say('receipt.questions', { address: supportEmail })]),
  ];
  const links = [
    { text: say('payer.seeReceipt'), url: view.url },
    ...(portalPath === null ? [] : [{ text: say('receipt.allYourPayments'), url: publicUrl + portalPath }]),
  ];
  const body = html`<!doctype html>
<html lang="${localeOf(currentLanguage())}"><head><meta charset="utf-8"></head><body>
${logoInMail(publicUrl, view.logoFile)}
${lines.map((line) => html`<p>${line}</p>\n`)}
${links.map(({ text, url }) => html`<p><a href="${url}">${text}</a></p>\n`)}
</body></html>`;
  return {
    subject: say('receipt.receiptOf', { amount, store }),
    text: `${[...lines, ...links.map(({ text, url }) => `${text}: ${url}`)].join('\n\n')}\n`,
    html: body.markup,
  };
}
