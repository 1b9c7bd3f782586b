import { decimalOf } from '../../domain/money.ts';
import type { Refund, RefundAnswer } from '../ports/charges.ts';
import type { ProviderPayment } from '../ports/payment.ts';
import { type AsaasClient, AsaasError } from './asaas-client.ts';

const POLL_AFTER_MS = 10_000;

/**
 * Refunds everything that is left of a payment. Asaas has no id for refunds: a repeated refund of a part could return
 * the part twice, so only the rest is refunded, which Asaas cannot do twice.
 * @param find the payment with its refunds, as Asaas reports it now.
 */
export async function refundRest(
  client: AsaasClient,
  find: (providerPaymentId: string) => Promise<ProviderPayment | null>,
  request: Refund,
): Promise<RefundAnswer> {
  const { refundReference, providerPaymentId, amountCents } = request;
  const before = await knownRefund(find, request);
  if (before.answer !== null) return before.answer;
  if (amountCents !== before.leftCents)
    return { outcome: 'REFUSED', reason: 'Asaas is asked to refund only all that is left of a payment' };
  try {
    const body = { value: Number(decimalOf(amountCents)), description: refundReference };
    await client.send({ method: 'POST', path: `/v3/payments/${providerPaymentId}/refund`, body });
  } catch (error) {
    const after = await knownRefund(find, request);
    if (after.answer !== null) return after.answer;
    const isRefusal = error instanceof AsaasError && error.refusal !== null;
    // A refusal says nothing about an earlier request, which may show up.
    if (!isRefusal || request.mayHaveBeenOrdered === true) throw error;
    return { outcome: 'REFUSED', reason: error.refusal ?? '' };
  }
  return (await knownRefund(find, request)).answer ?? { outcome: 'PENDING', pollAfterMs: POLL_AFTER_MS };
}

async function knownRefund(
  find: (providerPaymentId: string) => Promise<ProviderPayment | null>,
  { providerPaymentId, refundReference }: Refund,
): Promise<{ readonly answer: RefundAnswer | null; readonly leftCents: number }> {
  const payment = await find(providerPaymentId);
  const refunds = payment?.refunds ?? [];
  const [own] = refunds.filter(({ reference }) => reference === refundReference);
  const gone = refunds.filter(({ status }) => status !== 'REFUSED');
  const leftCents = gone.reduce((left, refund) => left - refund.amountCents, payment?.amountCents ?? 0);
  if (own === undefined) return { answer: null, leftCents };
  if (own.status === 'RETURNED') return { answer: { outcome: 'RETURNED' }, leftCents };
  if (own.status === 'REFUSED')
    return { answer: { outcome: 'REFUSED', reason: 'Asaas has cancelled the refund' }, leftCents };
  return { answer: { outcome: 'PENDING', pollAfterMs: POLL_AFTER_MS }, leftCents };
}
