import type { Store } from '../../database/entities/store.ts';
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

/** The receipt as a mail, in the reader's language; the linked page has the details. */
export function renderReceiptMail(view: ReceiptView, { supportEmail }: Store, publicUrl: string): Mail {
  const amount = formatBrl(view.paidAmountCents);
  const store = view.merchantName;
  const time = formatTime(view.paidAt, { dateStyle: 'short', timeStyle: 'short' });
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
  const link = say('payer.seeReceipt');
  const body = html`<!doctype html>
<html lang="${localeOf(currentLanguage())}"><head><meta charset="utf-8"></head><body>
${logoInMail(publicUrl, view.logoFile)}
${lines.map((line) => html`<p>${line}</p>\n`)}
<p><a href="${view.url}">${link}</a></p>
</body></html>`;
  return {
    subject: say('receipt.receiptOf', { amount, store }),
    text: `${[...lines, `${link}: ${view.url}`].join('\n\n')}\n`,
    html: body.markup,
  };
}
