import type { Store } from '../../database/entities/store.ts';
import { formatBrl } from '../../domain/money.ts';
import { say, sayTime } from '../frame/language.ts';
import { METHOD_NAMES } from '../frame/method-words.ts';
import { type Mail, payerMail } from '../frame/payer-mail.ts';
import { shownName } from '../frame/payer-texts.ts';
import type { ReceiptView } from './receipt-view.ts';

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
  const time = sayTime(view.paidAt);
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
  const subject = say('receipt.receiptOf', { amount, store });
  return payerMail({ subject, lines, links, logoFile: view.logoFile }, publicUrl);
}
