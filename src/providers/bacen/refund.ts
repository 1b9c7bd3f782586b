import { decimalOf } from '../../domain/money.ts';
import type { Refund, RefundAnswer } from '../ports/charges.ts';
import type { BankClient } from './bank-client.ts';
import { bankIdOf } from './ids.ts';
import { orderOnce } from './order-once.ts';
import { type BankPayment, type BankRefund, readPayment, readRefund, refundStatusOf } from './wire.ts';

/** Refunds of PIX take seconds; the bank also notifies slower ones. */
const POLL_AFTER_MS = 5_000;

/** Returns a payment in part or in full ("devolução"). */
export function refundAtBank(
  client: BankClient,
  paymentsPath: string,
  { refundReference, providerPaymentId, amountCents, mayHaveBeenOrdered }: Refund,
): Promise<RefundAnswer> {
  const path = `${paymentsPath}/${providerPaymentId}/devolucao/${bankIdOf(refundReference)}`;
  return orderOnce<RefundAnswer>({
    mayHaveBeenOrdered,
    find: async (signal) => {
      const there = await client.find(path, signal);
      return there === null ? null : answerOf(readRefund(there), amountCents);
    },
    give: async (signal) => {
      const body = { valor: decimalOf(amountCents) };
      const made = await client.send({ method: 'PUT', path, body, signal });
      return answerOf(readRefund(made), amountCents);
    },
    refused: (reason) => ({ outcome: 'REFUSED', reason }),
    isImpossible: async (signal) => {
      const payment = await client.find(`${paymentsPath}/${providerPaymentId}`, signal);
      return payment !== null && leftBeside(readPayment(payment), bankIdOf(refundReference)) < amountCents;
    },
  });
}

/**
 * The most that other refunds leave of a payment, in cents: a larger refund was never made. An unreadable refund
 * counts as zero.
 */
function leftBeside({ valor, devolucoes }: BankPayment, ownId: string): number {
  const others = devolucoes.filter((refund) => refund.id !== ownId && refundStatusOf(refund) !== 'REFUSED');
  return others.reduce((left, refund) => left - refund.valor, valor);
}

function answerOf(refund: BankRefund, amountCents: number): RefundAnswer {
  // The bank accepts an id once, so nothing can have been returned for this request.
  if (refund.valor !== amountCents)
    return { outcome: 'REFUSED', reason: 'the bank has a refund of another amount under this id' };
  switch (refundStatusOf(refund)) {
    case 'RETURNED':
      return { outcome: 'RETURNED' };
    case 'REFUSED':
      return { outcome: 'REFUSED', reason: refund.motivo ?? 'the bank gave no reason' };
    case 'PENDING':
      return { outcome: 'PENDING', pollAfterMs: POLL_AFTER_MS };
  }
}
