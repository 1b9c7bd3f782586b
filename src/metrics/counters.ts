import { Counter, Histogram, Registry } from 'prom-client';
import type { Charge } from '../database/entities/charge.ts';
import type { DeliveryStatus } from '../domain/delivery.ts';
import type { PostResult } from '../outbound/post-result.ts';

/**
 * The counters of this process since its start. Only the process that commits a transition counts it, which happens once however
 * often the transition is requested. Sums over all processes are therefore right. A killed process loses only the counts since
 * the last scrape (docs/decisions/0019). Labels never contain ids, so the number of series does not grow with the number of
 * stores.
 */
export const counted = new Registry();

const MONEY = ['method', 'environment'] as const;

function money(name: string, help: string) {
  const options = { labelNames: MONEY, registers: [counted] };
  return {
    number: new Counter({ ...options, name: `recebe_${name}_total`, help: `${help}.` }),
    cents: new Counter({ ...options, name: `recebe_${name}_cents_total`, help: `${help}, in cents.` }),
  };
}

const charges = money('charges_created', 'Charges that were created');
const payments = money('payments', 'Payments that were accepted');
const refunds = money('refunds', 'Refunds that are back with their payers');

type Kind = Pick<Charge, 'method' | 'devMode'>;

function labelsOf({ method, devMode }: Kind) {
  return { method, environment: devMode ? 'dev' : 'prod' };
}

function count({ number, cents }: ReturnType<typeof money>, kind: Kind, amountCents: number): void {
  number.inc(labelsOf(kind));
  cents.inc(labelsOf(kind), amountCents);
}

/** Counts a stored charge. */
export function countCharge(charge: Kind & Pick<Charge, 'amountCents'>): void {
  count(charges, charge, charge.amountCents);
}

/** Counts a paid charge. */
export function countPayment(paid: Kind & Pick<Charge, 'paidAmountCents'>): void {
  count(payments, paid, paid.paidAmountCents ?? 0);
}

/** Counts a refund that has reached its payer. */
export function countRefund(charge: Kind, amountCents: number): void {
  count(refunds, charge, amountCents);
}

const declines = new Counter({
  name: 'recebe_charges_failed_total',
  help: 'Charges that failed, by why: a card that was declined, a code of a subscription that nobody paid.',
  labelNames: [...MONEY, 'reason'],
  registers: [counted],
});

/** Counts a charge that has FAILED. */
export function countFailure(charge: Kind, reason: string): void {
  declines.inc({ ...labelsOf(charge), reason });
}

const attempts = new Histogram({
  name: 'recebe_webhook_attempt_duration_seconds',
  help: 'Attempts at webhooks, by outcome: delivered, failed, or gone (HTTP 410).',
  labelNames: ['outcome'],
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  registers: [counted],
});

const ended = new Counter({
  name: 'recebe_webhook_deliveries_total',
  help: 'Webhooks that have ended, by how: DELIVERED, or FAILED for good.',
  labelNames: ['status'],
  registers: [counted],
});

/** Counts a recorded attempt at a webhook. @param status of the delivery after the attempt. */
export function countAttempt({ outcome, durationMs }: PostResult, status: DeliveryStatus): void {
  attempts.observe({ outcome }, durationMs / 1_000);
  if (status !== 'PENDING') ended.inc({ status });
}

const providerCalls = new Histogram({
  name: 'recebe_provider_call_duration_seconds',
  help: 'Calls of providers, by outcome: answered, or why not.',
  labelNames: ['provider', 'call', 'outcome'],
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
  registers: [counted],
});

/** Counts a call to a provider. @param provider its kind. @param outcome `answered`, or the kind of its error. */
export function countProviderCall(provider: string, call: string, outcome: string, durationMs: number): void {
  providerCalls.observe({ provider, call, outcome }, durationMs / 1_000);
}

const requests = new Histogram({
  name: 'recebe_http_request_duration_seconds',
  help: 'Requests that were answered, by the pattern of their route; `none` where there is nothing at their path.',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers: [counted],
});

/** Counts a response. @param route null if no route matched; the method may then be any text. */
export function countRequest(method: string, route: string | null, status: number, durationMs: number): void {
  const labels = route === null ? { method: 'any', route: 'none', status } : { method, route, status };
  requests.observe(labels, durationMs / 1_000);
}
