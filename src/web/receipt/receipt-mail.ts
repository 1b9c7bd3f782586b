import { isDayOnly } from '../../domain/civil-date.ts';
import { say, sayTime } from '../frame/language.ts';
import type { Mail } from '../frame/mail-layout.ts';
import { METHOD_NAMES } from '../frame/method-words.ts';
import { type PayersStore, payerMail } from '../frame/payer-mail.ts';
import { shownName } from '../frame/payer-texts.ts';
import { sayAmount } from '../i18n/money.ts';
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
  const amount = sayAmount(view.paidAmountCents);
  return payerMail({
    store,
    devMode: view.devMode,
    heading: say('receipt.receiptOfPayment'),
    amount,
    lines: [say('receipt.youHavePaidToOn', { amount, store: store.name, time: timeOf(view.paidAt) })],
    facts: factsOf(view),
    links: [
      { text: say('payer.seeReceipt'), url: view.url },
      ...(portalPath === null ? [] : [{ text: say('receipt.allYourPayments'), url: publicUrl + portalPath }]),
    ],
  });
}

/** What mail programs make a link of: a scheme, an address, or a domain. */
const LINK = /:\/\/|@|[\p{L}\d-]{2}\.\p{L}{2}/u;

/** Anyone can type a name and another person's address on a hosted page. The mail must not lead its reader to a site of theirs. */
function nameWithoutLinks({ payerName }: ReceiptView): string | null {
  return payerName !== null && LINK.test(payerName) ? null : payerName;
}

function timeOf(at: Date): string {
  const time = sayTime(at);
  return isDayOnly(at) ? time : say('receipt.brasiliaTime', { time });
}

function factsOf(view: ReceiptView): readonly (readonly [string, string])[] {
  const items = view.items.map(({ name, quantity }) => `${quantity} × ${name}`).join('\n');
  const payer = view.payerTaxId && `${shownName(nameWithoutLinks(view))}, ${view.payerTaxId}`;
  const facts: readonly (readonly [string, string])[] = [
    [say('receipt.items'), items],
    [say('payer.paymentMethod'), view.card ?? say(METHOD_NAMES[view.method])],
    [say('receipt.payer2'), payer ?? ''],
  ];
  return facts.filter(([, value]) => value !== '');
}
