import { formatBrl } from '../../domain/money.ts';
import { say, sayTime } from '../frame/language.ts';
import type { Mail } from '../frame/mail-layout.ts';
import { METHOD_NAMES } from '../frame/method-words.ts';
import { type PayersStore, payerMail } from '../frame/payer-mail.ts';
import { shownName } from '../frame/payer-texts.ts';
import type { ReceiptView } from './receipt-view.ts';

/**
 * The receipt as a mail, in the reader's language; the linked page has the details.
 * @param portalPath of the payer's customer portal; null without one.
 */
export function renderReceiptMail(
  view: ReceiptView,
  store: PayersStore,
  publicUrl: string,
  portalPath: string | null,
): Mail {
  const amount = formatBrl(view.paidAmountCents);
  return payerMail({
    store,
    devMode: view.devMode,
    heading: say('receipt.receiptOfPayment'),
    amount,
    lines: [say('receipt.youHavePaidToOn', { amount, store: store.name, time: sayTime(view.paidAt) })],
    facts: factsOf(view),
    links: [
      { text: say('payer.seeReceipt'), url: view.url },
      ...(portalPath === null ? [] : [{ text: say('receipt.allYourPayments'), url: publicUrl + portalPath }]),
    ],
  });
}

function factsOf(view: ReceiptView): readonly (readonly [string, string])[] {
  const items = view.items.map(({ name, quantity }) => `${quantity} × ${name}`).join('\n');
  const payer = view.payerTaxId && `${shownName(view.payerName)}, ${view.payerTaxId}`;
  const facts: readonly (readonly [string, string])[] = [
    [say('receipt.items'), items],
    [say('payer.paymentMethod'), view.card ?? say(METHOD_NAMES[view.method])],
    [say('receipt.payer2'), payer ?? ''],
  ];
  return facts.filter(([, value]) => value !== '');
}
