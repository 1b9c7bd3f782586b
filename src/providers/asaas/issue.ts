import { setTimeout as delay } from 'node:timers/promises';
import type { CivilDate } from '../../domain/civil-date.ts';
import { decimalOf } from '../../domain/money.ts';
import { claimsOf, type OrderClaims } from '../order-claims.ts';
import type { Issue, IssueAnswer } from '../ports/issuing.ts';
import { ProviderError } from '../provider-error.ts';
import { type AsaasClient, AsaasError } from './asaas-client.ts';
import { NOTHING_MADE } from './close.ts';
import { type AsaasPayments, isSameOrder } from './payments.ts';
import { type AsaasPayment, readPayment, standingOf } from './wire.ts';

/** Asaas truncates nothing: longer descriptions are refused. */
const MAX_DESCRIPTION = 500;
/** Longer than a look-up and an order take. A process that is suspended for longer may still make a second payment. */
const CLAIM_MS = 35_000;
/** After a lost answer the list gets this time to show the payment. */
const SETTLE_MS = 3_000;
/** A parallel request waits for the first one, as its payer does. */
const WAIT_MS = 250;
const MOST_WAITS = 20;

const DEAD = { outcome: 'DEAD', reason: 'Asaas has removed it' } as const;

/** What Asaas is asked for beside the fields of every charge. */
export interface AsaasTerms {
  readonly billingType: 'BOLETO' | 'PIX' | 'CREDIT_CARD';
  readonly dueDate: CivilDate;
  /** Into how many payments Asaas divides the amount; the first or last one takes the cents that are left over. */
  readonly installmentsCount?: number;
  /** Where Asaas sends the payer back. */
  readonly successUrl?: string;
  /** The provider's own fields for late payments. */
  readonly late?: Readonly<Record<string, unknown>>;
}

/** The fields of an order that Asaas needs. */
export type AsaasOrder = Pick<Issue, 'chargeId' | 'amountCents' | 'description' | 'payer'>;

export interface Issuing {
  readonly client: AsaasClient;
  readonly payments: AsaasPayments;
  readonly claims: OrderClaims | null;
  /** How long an order may be under way, and how long the list may lag after a lost answer. */
  readonly claimMs?: number;
  readonly settleMs?: number;
}

/** The part of a charge's id after its prefix, by which Asaas is asked for it. */
export function externalReferenceOf(chargeId: string): string {
  return chargeId.slice(-26);
}

/**
 * Issues one payment per charge. Asaas has no idempotency key, so one request at a time orders, and whatever was issued
 * is looked up before. If an answer was lost and the list lags, a repeat makes a second payment. The first that is
 * recorded counts, for every process, and is the only one that a payer sees. The others are removed now, or at the
 * charge's end. Money for one of them belongs to a charge that was never stored, and is returned.
 */
export async function issueOnce<Issued>(
  issuing: Issuing,
  request: AsaasOrder,
  terms: AsaasTerms,
  codesOf: (payment: AsaasPayment) => Promise<Issued>,
): Promise<IssueAnswer<Issued>> {
  const { taxId } = request.payer;
  if (taxId === null)
    return { outcome: 'REFUSED', reason: "customer.taxId: Asaas requires the payer's CPF or CNPJ" };
  const { payments } = issuing;
  const claims = claimsOf(issuing.claims);
  const reference = externalReferenceOf(request.chargeId);
  const claim = await ownClaim(claims, reference, issuing.claimMs ?? CLAIM_MS);
  if (claim.outcome === 'TAKEN') return { outcome: 'PENDING', pollAfterMs: SETTLE_MS };
  if (claim.outcome === 'MADE') return answerOfMade(payments, reference, claim.madeId, codesOf);
  const release = (afterMs: number) => claims.release(reference, claim.claimId, afterMs);
  try {
    const known = await payments.issuedFor(reference);
    if (known.length > 0) return await answerOfKnown(payments, claims, reference, known, codesOf);
    const customer = await payments.customerOf({ name: request.payer.name ?? taxId, taxId });
    const made = await ordered(issuing, reference, bodyOf(request, terms, customer));
    return await answerOf(payments, await counted(payments, claims, reference, made), codesOf);
  } catch (error) {
    const refusal = error instanceof AsaasError ? error.refusal : null;
    await release(madeNothing(error) ? 0 : (issuing.settleMs ?? SETTLE_MS));
    if (refusal === null) throw error;
    return { outcome: 'REFUSED', reason: refusal };
  }
}

/** Whether Asaas, or the connection, says that the request had no effect. */
export function madeNothing(error: unknown): boolean {
  if (!(error instanceof AsaasError)) return false;
  const { kind, refusal } = error;
  return refusal !== null || kind === 'RATE_LIMITED' || kind === 'UNAUTHORIZED' || error.isUnsent;
}

async function ownClaim(claims: OrderClaims, reference: string, forMs: number) {
  for (let waits = 0; ; waits += 1) {
    const claim = await claims.claim(reference, forMs);
    if (claim.outcome !== 'TAKEN' || waits === MOST_WAITS) return claim;
    await delay(WAIT_MS);
  }
}

function bodyOf(request: AsaasOrder, terms: AsaasTerms, customer: string) {
  const { amountCents, chargeId, description } = request;
  return {
    customer,
    billingType: terms.billingType,
    ...amountOf(amountCents, terms.installmentsCount ?? 1),
    dueDate: terms.dueDate,
    ...(description !== null && { description: description.slice(0, MAX_DESCRIPTION) }),
    externalReference: externalReferenceOf(chargeId),
    ...terms.late,
    ...(terms.successUrl !== undefined && { callback: { successUrl: terms.successUrl } }),
  };
}

function amountOf(amountCents: number, installmentCount: number) {
  const reais = Number(decimalOf(amountCents));
  return installmentCount > 1 ? { installmentCount, totalValue: reais } : { value: reais };
}

/** Orders, and looks up what an order whose answer was lost has made. */
async function ordered(
  { client, payments }: Issuing,
  reference: string,
  body: unknown,
): Promise<AsaasPayment> {
  try {
    return readPayment(await client.send({ method: 'POST', path: '/v3/payments', body }));
  } catch (error) {
    if (madeNothing(error)) throw error;
    const [made] = await payments.issuedFor(reference);
    if (made !== undefined) return made;
    throw error;
  }
}

/** Records what was made. If another payment was recorded first, that one counts, and this one is removed. */
async function counted(
  payments: AsaasPayments,
  claims: OrderClaims,
  reference: string,
  made: AsaasPayment,
): Promise<AsaasPayment> {
  const counting = await claims.record(reference, made.id);
  if (counting === made.id) return made;
  const kept = await requirePayment(payments, counting);
  if (!isSameOrder(kept, made)) await removeOpen(payments, [made]);
  return kept;
}

/** A paid one counts, then the first open one; all others that are open are removed. */
async function answerOfKnown<Issued>(
  payments: AsaasPayments,
  claims: OrderClaims,
  reference: string,
  known: readonly AsaasPayment[],
  codesOf: (payment: AsaasPayment) => Promise<Issued>,
): Promise<IssueAnswer<Issued>> {
  const paid = known.find((payment) => standingOf(payment) === 'PAID');
  const first = paid ?? known.find((payment) => standingOf(payment) === 'OPEN');
  if (first === undefined) {
    await claims.record(reference, NOTHING_MADE);
    return DEAD;
  }
  const kept = await counted(payments, claims, reference, first);
  await removeOpen(
    payments,
    known.filter((each) => !isSameOrder(each, kept)),
  );
  return answerOf(payments, kept, codesOf);
}

/** The answer to a repeated request. Others, whose requests were lost, are removed. */
async function answerOfMade<Issued>(
  payments: AsaasPayments,
  reference: string,
  madeId: string,
  codesOf: (payment: AsaasPayment) => Promise<Issued>,
): Promise<IssueAnswer<Issued>> {
  if (madeId === NOTHING_MADE) return DEAD;
  const kept = await requirePayment(payments, madeId);
  const known = await payments.issuedFor(reference);
  await removeOpen(
    payments,
    known.filter((each) => !isSameOrder(each, kept)),
  );
  return answerOf(payments, kept, codesOf);
}

async function answerOf<Issued>(
  payments: AsaasPayments,
  kept: AsaasPayment,
  codesOf: (payment: AsaasPayment) => Promise<Issued>,
): Promise<IssueAnswer<Issued>> {
  if (standingOf(kept) === 'CLOSED') return DEAD;
  const issued = await codesOf(kept);
  const payment = await payments.moneyOf(kept);
  return payment === null ? { outcome: 'ISSUED', issued } : { outcome: 'PAID', issued, payment };
}

async function removeOpen(payments: AsaasPayments, others: readonly AsaasPayment[]): Promise<void> {
  for (const other of others) if (standingOf(other) === 'OPEN') await payments.remove(other);
}

async function requirePayment(payments: AsaasPayments, id: string): Promise<AsaasPayment> {
  const payment = await payments.find(id);
  if (payment !== null) return payment;
  throw new ProviderError('RETRY', 'Asaas does not find a payment that it has made');
}
