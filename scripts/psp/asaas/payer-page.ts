import { formatBrl } from '../../../src/domain/money.ts';
import type { Books, BoxPayment } from './books.ts';

/** What a payer may do on the page of a payment, by the name of its button. */
const ACTS = {
  card: 'Pay by card',
  refusedCard: 'Pay with a card that is refused',
  analyzedCard: 'Pay with a card whose risk is analyzed',
  pix: 'Pay by PIX',
  bank: 'Pay the bar code at a bank',
} as const;
type Act = keyof typeof ACTS;

/** Where a payer goes next: back to the shop, or to the page again. */
export interface Served {
  readonly status: 200 | 303 | 404;
  readonly html: string;
  readonly location: string | null;
}

/**
 * The pages of a payment, which payers open without a key: `/i/<number>` to pay it, `/b/pdf/<number>` for a boleto.
 * @returns null for any other path.
 */
export function servePayerPage(
  books: Books,
  method: string,
  path: string,
  form: URLSearchParams,
): Served | null {
  const [, number] = /^\/(?:i|b\/pdf)\/(\d+)$/.exec(path) ?? [];
  if (number === undefined) return null;
  const payment = books.payment(`pay_${number}`);
  if (payment === null) return { status: 404, html: 'There is no such payment.', location: null };
  if (method !== 'POST') return { status: 200, html: payerPage(books, payment), location: null };
  const isPaid = pay(books, payment, form.get('act') as Act);
  const back = isPaid ? books.returnTo(payment) : null;
  return { status: 303, html: '', location: back ?? path };
}

function pay(books: Books, { id }: BoxPayment, act: Act): boolean {
  switch (act) {
    case 'card':
      return books.payByCard(id);
    case 'refusedCard':
      return books.payByCard(id, { isRefused: true });
    case 'analyzedCard':
      return books.payByCard(id, { isAnalyzed: true });
    case 'pix':
      return books.pay(id);
    case 'bank':
      return books.pay(id, { atBank: true });
    default:
      return false;
  }
}

function payerPage(books: Books, payment: BoxPayment): string {
  const { id, billingType, status, deleted, dueDate } = payment;
  const parts = books.partsOf(id);
  const cents = parts.reduce((sum, part) => sum + Math.round(books.amountToday(part) * 100), 0);
  const isOpen = !deleted && ['PENDING', 'OVERDUE'].includes(status);
  const buttons = actsOf(billingType).map((act) => `<p><button name=act value=${act}>${ACTS[act]}</button>`);
  const line = books.identificationField(id)?.identificationField;
  return `<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content="width=device-width"><title>Asaas in a box</title>
<style>body{font:16px system-ui;max-width:30rem;margin:2rem auto;padding:0 1rem}button{font:inherit;padding:.6rem 1rem}code{overflow-wrap:anywhere}</style>
<h1>${formatBrl(cents)}</h1>
<p>${parts.length > 1 ? `${parts.length} installments. ` : ''}Due on ${dueDate}. The money is play money, and the page asks for no card number.
${line === undefined ? '' : `<p>Bar code: <code>${line}</code>`}
${isOpen ? `<form method=post>${buttons.join('\n')}</form>` : `<p><strong>${deleted ? 'This payment was removed.' : `Status: ${status}`}</strong>`}
</html>`;
}

function actsOf(billingType: BoxPayment['billingType']): readonly Act[] {
  if (billingType === 'CREDIT_CARD') return ['card', 'refusedCard', 'analyzedCard'];
  return billingType === 'BOLETO' ? ['pix', 'bank'] : ['pix'];
}
