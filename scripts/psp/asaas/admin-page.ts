import { formatBrl } from '../../../src/domain/money.ts';
import type { AsaasBox } from './asaas-box.ts';
import type { BoxPayment } from './books.ts';

/** What an issuer may do with a paid card payment: charge it back, and then decide. */
function chargebackActs({ id, status, confirmedDate, chargeback, installmentNumber }: BoxPayment): string {
  if (confirmedDate === null || status === 'REFUNDED' || (installmentNumber ?? 1) > 1) return '';
  const button = (to: string, label: string) =>
    `<button onclick="post('/chargeback/${id}',{status:'${to}'})">${label}</button>`;
  if (chargeback === null) return button('REQUESTED', 'Charge back');
  if (!['REQUESTED', 'IN_DISPUTE'].includes(chargeback.status)) return chargeback.status;
  return `${button('REVERSED', 'The store wins')} ${button('DISPUTE_LOST', 'The payer wins')}`;
}

/** How many of the newest payments are shown. */
const SHOWN = 50;

/** The page on which payers pay by hand. */
export function adminPage({ books, queue }: AsaasBox): string {
  const rows = [...books.payments.keys()]
    .slice(-SHOWN)
    .reverse()
    .flatMap((id) => books.payment(id) ?? [])
    .map((payment) => {
      const { id, billingType, dueDate, status, deleted } = payment;
      const isOpen = !deleted && ['PENDING', 'OVERDUE'].includes(status);
      const bank = `<button onclick="post('/pay/${id}',{atBank:true})">Pay at a bank</button>`;
      const card = `<button onclick="post('/card/${id}')">Pay by card</button> <button onclick="post('/card/${id}',{isRefused:true})">Refuse the card</button>`;
      const isCard = billingType === 'CREDIT_CARD';
      const code = `<button onclick="post('/pay/${id}')">Pay by PIX</button> ${billingType === 'BOLETO' ? bank : ''}`;
      const acts = isOpen ? (isCard ? card : code) : isCard ? chargebackActs(payment) : '';
      const amount = formatBrl(Math.round((isOpen ? books.amountToday(payment) : payment.value) * 100));
      return `<tr><td><code>${id}</code><td>${billingType}<td>${amount}<td>${dueDate}<td>${deleted ? 'removed' : status}<td>${acts}`;
    });
  const stopped = [...queue.webhooks.values()].filter(({ interrupted }) => interrupted).length;
  return `<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content="width=device-width"><title>Asaas in a box</title>
<style>body{font:16px system-ui;max-width:60rem;margin:2rem auto;padding:0 1rem}td{padding:.25rem .75rem .25rem 0}table{display:block;overflow-x:auto}</style>
<h1>Asaas in a box</h1>
<p>Payments that it has issued, newest first. Its clock says ${books.now().toISOString()}. Balance: ${formatBrl(Math.round(books.balance * 100))}.
${stopped === 0 ? '' : '<p><strong>A queue of webhooks is stopped after 15 failures.</strong>'}
<p><button onclick="post('/clock',{advanceMs:86400000})">Move the clock by a day</button>
<table>${rows.join('\n')}</table>
<script>
async function post(path, body = {}) {
  const answer = await fetch(path, { method: 'POST', body: JSON.stringify(body) });
  if (!answer.ok) alert((await answer.json()).error);
  location.reload();
}
</script></html>`;
}
