import { decimalOf } from '../../domain/money.ts';
import type { Refund, RefundAnswer } from '../provider.ts';
import type { BankClient } from './bank-client.ts';
import { BankError } from './bank-error.ts';
import { bankIdOf } from './ids.ts';
import { type BankRefund, readRefund, refundStatusOf } from './wire.ts';

/** Refunds of PIX take seconds; one that takes longer is told by a notification, too. */
const POLL_AFTER_MS = 5_000;

/**
 * Sends a payment back, in part or whole ("devolução"). An id may be used once per payment, and the bank answers a second
 * use as it answers what it refuses; so it is looked up first, and after whatever went wrong.
 */
export async function refundAtBank(
  client: BankClient,
  paymentsPath: string,
  { refundReference, providerPaymentId, amountCents }: Refund,
): Promise<RefundAnswer> {
  const path = `${paymentsPath}/${providerPaymentId}/devolucao/${bankIdOf(refundReference)}`;
  const find = async () => {
    const body = await client.find(path);
    return body === null ? null : answerOf(readRefund(body), amountCents);
  };
  const there = await find();
  if (there !== null) return there;
  try {
    const made = await client.send({ method: 'PUT', path, body: { valor: decimalOf(amountCents) } });
    return answerOf(readRefund(made), amountCents);
  } catch (error) {
    const made = await find();
    if (made !== null) return made;
    if (error instanceof BankError && error.refusal !== null)
      return { outcome: 'REFUSED', reason: error.refusal };
    throw error;
  }
}

function answerOf(refund: BankRefund, amountCents: number): RefundAnswer {
  if (refund.valor !== amountCents)
    throw new BankError('INVALID', null, 'the bank has another refund under this id');
  switch (refundStatusOf(refund)) {
    case 'RETURNED':
      return { outcome: 'RETURNED' };
    case 'REFUSED':
      return { outcome: 'REFUSED', reason: refund.motivo ?? 'the bank gave no reason' };
    case 'PENDING':
      return { outcome: 'PENDING', pollAfterMs: POLL_AFTER_MS };
  }
}
