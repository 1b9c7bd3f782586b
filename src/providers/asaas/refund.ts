import { decimalOf } from '../../domain/money.ts';
import { claimsOf, type OrderClaims } from '../order-claims.ts';
import type { Refund, RefundAnswer } from '../ports/charges.ts';
import { ProviderError } from '../provider-error.ts';
import { type AsaasClient, AsaasError } from './asaas-client.ts';
import { madeNothing } from './issue.ts';
import type { AsaasPayments } from './payments.ts';
import type { AsaasPayment } from './wire.ts';

const PENDING = { outcome: 'PENDING', pollAfterMs: 10_000 } as const;

/** A refund of one payment at Asaas: all that is left of it, or a part. */
interface Step {
  readonly payment: AsaasPayment;
  readonly amountCents: number;
  /** Asaas cannot return the rest of a payment twice. It could return a part twice. */
  readonly isRest: boolean;
}

/** What Asaas knows of a refund, and what is still to be ordered. */
interface Known {
  readonly answer: RefundAnswer | null;
  readonly steps: readonly Step[];
  readonly hasBegun: boolean;
  readonly leftCents: number;
}

/**
 * Refunds a payment or a part of it. Asaas has no idempotency key for refunds, so each carries its reference as its
 * description, and is looked up before it is ordered. A part is claimed for good before its order: if the answer is lost, it is
 * looked up and not ordered again.
 *
 * A payment in installments is refunded from the last one on, whose money has not come yet.
 */
export async function refundAtAsaas(
  client: AsaasClient,
  payments: AsaasPayments,
  claims: OrderClaims | null,
  request: Refund,
): Promise<RefundAnswer> {
  const before = await known(payments, request);
  if (before.answer !== null) return before.answer;
  if (!before.hasBegun && request.amountCents > before.leftCents)
    return { outcome: 'REFUSED', reason: 'the payment has less left at Asaas' };
  for (const [nth, step] of before.steps.entries()) {
    try {
      if (!(await order(client, claims, request, step))) return PENDING;
    } catch (error) {
      const after = await known(payments, request);
      if (after.answer !== null) return after.answer;
      const isRefusal = error instanceof AsaasError && error.refusal !== null;
      if (isRefusal && isOfBarCode(step.payment))
        return { outcome: 'REFUSED', reason: error.refusal ?? '', isImpossible: true };
      const isFirst = nth === 0 && !after.hasBegun;
      // A refusal says nothing about an earlier request, which may show up.
      if (!isFirst || !isRefusal || request.mayHaveBeenOrdered === true) throw error;
      return { outcome: 'REFUSED', reason: error.refusal ?? '' };
    }
  }
  return (await known(payments, request)).answer ?? PENDING;
}

/** @returns false if an earlier request may have ordered the part. */
async function order(
  client: AsaasClient,
  accountClaims: OrderClaims | null,
  { refundReference }: Refund,
  { payment, amountCents, isRest }: Step,
): Promise<boolean> {
  const body = { value: Number(decimalOf(amountCents)), description: refundReference };
  const send = () => client.send({ method: 'POST', path: `/v3/payments/${payment.id}/refund`, body });
  if (isRest) {
    await send();
    return true;
  }
  const claims = claimsOf(accountClaims);
  const key = `${refundReference}/${payment.id}`;
  const claim = await claims.claim(key, null);
  if (claim.outcome !== 'MINE') return false;
  try {
    await send();
  } catch (error) {
    if (madeNothing(error)) await claims.release(key, claim.claimId, 0);
    throw error;
  }
  await claims.record(key, payment.id);
  return true;
}

/** @throws ProviderError RETRY if Asaas does not find the payment, which it has reported before. */
async function known(payments: AsaasPayments, request: Refund): Promise<Known> {
  const { providerPaymentId, refundReference, amountCents } = request;
  const parts = await payments.partsOf(providerPaymentId);
  if (parts === null) throw new ProviderError('RETRY', 'Asaas does not find the payment');
  const own = parts.flatMap(({ refunds }) =>
    (refunds ?? []).filter(({ description }) => description === refundReference),
  );
  const live = own.filter(isLive);
  const orderedCents = sumOf(live);
  const lefts = parts.map((payment) => ({
    payment,
    cents: payment.value - sumOf((payment.refunds ?? []).filter(isLive)),
  }));
  const facts = {
    hasBegun: live.length > 0,
    leftCents: lefts.reduce((sum, { cents }) => sum + cents, 0),
  };
  if (own.length > 0 && live.length === 0)
    return { ...facts, steps: [], answer: { outcome: 'REFUSED', reason: 'Asaas has cancelled the refund' } };
  if (orderedCents >= amountCents) {
    const isDone = live.every(({ status }) => status === 'DONE');
    return { ...facts, steps: [], answer: isDone ? { outcome: 'RETURNED' } : PENDING };
  }
  return { ...facts, steps: stepsOf(lefts, amountCents - orderedCents), answer: null };
}

/** From the last installment on. */
function stepsOf(
  lefts: readonly { readonly payment: AsaasPayment; readonly cents: number }[],
  amountCents: number,
): readonly Step[] {
  let missing = amountCents;
  return lefts.toReversed().flatMap(({ payment, cents }) => {
    const part = Math.min(cents, missing);
    if (part <= 0) return [];
    missing -= part;
    return [{ payment, amountCents: part, isRest: part === cents }];
  });
}

/** Asaas' API returns money of a PIX or a card only. */
function isOfBarCode({ billingType, pixTransaction }: AsaasPayment): boolean {
  return billingType === 'BOLETO' && pixTransaction === null;
}

function isLive({ status }: { readonly status: string }): boolean {
  return status !== 'CANCELLED';
}

function sumOf(refunds: readonly { readonly value: number }[]): number {
  return refunds.reduce((sum, { value }) => sum + value, 0);
}
