import type { OrderClaims } from '../order-claims.ts';
import type { CloseAnswer, ProviderCharge, UnstoredCharge } from '../ports/charges.ts';
import type { ProviderPayment } from '../ports/payment.ts';
import { AsaasError } from './asaas-client.ts';
import { type AsaasPayments, isSameOrder } from './payments.ts';
import { type AsaasPayment, standingOf } from './wire.ts';

const POLL_AFTER_MS = 5_000;
/** A person at Asaas may analyze the risk of a card payment for days. It cannot be removed meanwhile. */
export const RISK_POLL_MS = 10 * 60_000;
const CLOSING_MS = 60_000;
/** Recorded as what an order has made if it may make nothing any more. No payment has this id. */
export const NOTHING_MADE = '-';

/** The charge by its payment's id at Asaas. */
export async function findCharge(payments: AsaasPayments, reference: string): Promise<ProviderCharge | null> {
  const payment = await payments.find(reference);
  if (payment === null) return null;
  const money = await payments.moneyOf(payment);
  return { status: standingOf(payment), payments: money === null ? [] : [money] };
}

/** Removes the payment, and every other one that was issued for the same charge. */
export async function closeCharge(payments: AsaasPayments, reference: string): Promise<CloseAnswer> {
  const payment = await payments.find(reference);
  if (payment === null) return { outcome: 'CLOSED', wasDead: true };
  const { externalReference } = payment;
  const listed = externalReference === null ? [] : await payments.issuedFor(externalReference);
  const others = listed.filter((other) => !isSameOrder(other, payment));
  for (const other of others) if (standingOf(other) === 'OPEN') await settled(payments, other);
  return closeOne(payments, payment);
}

/**
 * Removes whatever was issued for a charge that is not stored, and records that nothing may be issued for it any more.
 * PENDING while a request may be issuing it.
 */
export async function closeAll(
  payments: AsaasPayments,
  claims: OrderClaims,
  externalReference: string,
): Promise<CloseAnswer> {
  const claim = await claims.claim(externalReference, CLOSING_MS);
  if (claim.outcome === 'TAKEN') return { outcome: 'PENDING', pollAfterMs: POLL_AFTER_MS };
  const recorded = claim.outcome === 'MADE' ? await payments.find(claim.madeId) : null;
  const found = await payments.issuedFor(externalReference);
  const all = [
    ...(recorded === null ? [] : [recorded]),
    ...found.filter((each) => recorded === null || !isSameOrder(each, recorded)),
  ];
  let worst: CloseAnswer = all.length === 0 ? { outcome: 'CLOSED', wasDead: true } : { outcome: 'CLOSED' };
  for (const payment of all) {
    const answer = await closeOne(payments, payment);
    if (answer.outcome === 'PAID') return answer;
    if (answer.outcome === 'PENDING') worst = answer;
  }
  if (worst.outcome === 'CLOSED') await claims.record(externalReference, NOTHING_MADE);
  return worst;
}

export async function findAll(payments: AsaasPayments, externalReference: string): Promise<UnstoredCharge> {
  const listed = await payments.issuedFor(externalReference);
  const money = await Promise.all(listed.map((payment) => payments.moneyOf(payment)));
  const paid = money.filter((each): each is ProviderPayment => each !== null);
  if (paid.length > 0) return { status: 'PAID', payments: paid };
  return { status: listed.some((payment) => standingOf(payment) === 'OPEN') ? 'OPEN' : 'GONE' };
}

async function closeOne(payments: AsaasPayments, payment: AsaasPayment): Promise<CloseAnswer> {
  const now = standingOf(payment) === 'OPEN' ? await settled(payments, payment) : payment;
  const money = await payments.moneyOf(now);
  if (money !== null) return { outcome: 'PAID', payment: money };
  return standingOf(now) === 'CLOSED'
    ? { outcome: 'CLOSED' }
    : { outcome: 'PENDING', pollAfterMs: isAnalyzed(now) ? RISK_POLL_MS : POLL_AFTER_MS };
}

/** Whether a person at Asaas decides about a card payment. */
export function isAnalyzed({ status }: Pick<AsaasPayment, 'status'>): boolean {
  return status === 'AWAITING_RISK_ANALYSIS';
}

/**
 * Asks for the removal, and looks the payment up: it may have been paid first, or the answer was lost.
 * @throws AsaasError if it is still open and no one refused to remove it.
 */
async function settled(payments: AsaasPayments, payment: AsaasPayment): Promise<AsaasPayment> {
  let failure: unknown = null;
  try {
    await payments.remove(payment);
  } catch (error) {
    failure = error;
  }
  const now = (await payments.find(payment.id)) ?? payment;
  const wasRefused = failure instanceof AsaasError && failure.refusal !== null;
  if (standingOf(now) === 'OPEN' && failure !== null && !wasRefused) throw failure;
  return now;
}
