import { Counter, Histogram, Registry } from 'prom-client';
import type { Charge } from '../database/entities/charge.ts';
import type { DeliveryStatus } from '../domain/delivery.ts';
import type { PostResult } from '../outbound/post-result.ts';

/**
 * What this process has counted since it began. Each transition is counted by the process that has committed it,
 * which happens once however often it is asked for; so sums over all processes are right, and a process that is
 * killed takes with it only what nobody has asked it for yet (docs/decisions/0047). Labels are names of ours, never
 * ids: there are as many series whatever the number of stores.
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

/** A charge is stored. */
export function countCharge(charge: Kind & Pick<Charge, 'amountCents'>): void {
  count(charges, charge, charge.amountCents);
}

/** A charge is paid. */
export function countPayment(paid: Kind & Pick<Charge, 'paidAmountCents'>): void {
  count(payments, paid, paid.paidAmountCents ?? 0);
}

/** Money is back with its payer. */
export function countRefund(charge: Kind, amountCents: number): void {
  count(refunds, charge, amountCents);
}

const declines = new Counter({
  name: 'recebe_charges_failed_total',
  help: 'Charges that failed, by why: a card that was declined, a code of a subscription that nobody paid.',
  labelNames: [...MONEY, 'reason'],
  registers: [counted],
});

/** A charge has FAILED. */
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

/** An attempt at a webhook is recorded. @param status of the delivery after it. */
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

/** A provider was asked. @param provider which kind of it. @param outcome `answered`, or the kind of its error. */
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

/** A request is answered. @param route null where no route was found, whose method may be anything. */
export function countRequest(method: string, route: string | null, status: number, durationMs: number): void {
  const labels = route === null ? { method: 'any', route: 'none', status } : { method, route, status };
  requests.observe(labels, durationMs / 1_000);
}
