import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Chance } from '../../../test/support/chance.ts';
import type { Answer } from '../integrator.ts';
import type { KnownRealCharge, RealShop } from './real-shop.ts';

const LOOK_EVERY_MS = 500;
/** Longer than a notification takes, and shorter than recovery from a lost one takes. */
const LOOKS = 16;
/** Refusals that depend on other refunds and payouts. */
const REFUSALS = [
  'TRANSACTION_NOT_REFUNDABLE',
  'TRANSACTION_UNDER_DISPUTE',
  'REFUND_EXCEEDS_PAYMENT',
  'INSUFFICIENT_FUNDS',
];

/** A charge without a checkout, or a checkout. */
export type Refundable = 'transparents' | 'checkouts';

/** Parts that are refunded at the same time: all of a payment, two parts of two fifths, or one and the rest. */
export function refundBodies(id: string, amountCents: number, how: 'all' | 'parts' | 'partAndRest' | 'part') {
  const part = { id, amount: Math.ceil((amountCents * 2) / 5) };
  return { all: [{ id }], parts: [part, part], partAndRest: [part, { id }], part: [part] }[how];
}

/** Requests these refunds at once, and notes the accepted ones. */
export async function refunded(
  shop: RealShop,
  of: Refundable,
  id: string,
  bodies: readonly object[],
): Promise<void> {
  const ask = (body: object) => shop.integrator.post<{ refundPublicId: string }>(`${of}/refund`, body);
  for (const { data, code } of await Promise.all(bodies.map(ask))) {
    if (data !== null) shop.refundIds.add(data.refundPublicId);
    else if (!REFUSALS.includes(code)) shop.contradictions.push(`a refund of ${id} was refused: ${code}`);
  }
}

/** Whether it is paid while this customer waits. */
export async function becomesPaid({ integrator }: RealShop, of: Refundable, id: string): Promise<boolean> {
  const path = of === 'transparents' ? 'transparents/check' : 'checkouts/get';
  for (let look = 0; look < LOOKS; look += 1) {
    const { data } = await integrator.get<{ status: string }>(`${path}?id=${id}`);
    if (data?.status === 'PAID') return true;
    await sleep(LOOK_EVERY_MS);
  }
  return false;
}

/** Cancels, unless it has ended otherwise. */
export async function cancelled(shop: RealShop, of: Refundable, id: string): Promise<void> {
  const { code } = await shop.integrator.post(`${of}/cancel`, { id });
  if (code !== 'ok' && code !== 'INVALID_STATE')
    shop.contradictions.push(`${id} could not be cancelled: ${code}`);
}

interface Created {
  readonly id: string;
}

/**
 * Requests a charge once, twice with one key, or twice for the same order, and notes it.
 * @param mayBeTwo whether the first one may have ended before the second request.
 */
export async function created<Shown extends Created>(
  shop: RealShop,
  chance: Chance,
  request: { readonly method: string; readonly data: { readonly amount: number } & Record<string, unknown> },
  { mayBeTwo = false } = {},
): Promise<{ readonly charge: KnownRealCharge; readonly shown: Shown } | null> {
  const how = chance.weighted({ once: 3, sentTwice: 1, orderedTwice: 1 });
  const isOrdered = how === 'orderedTwice' || chance.isIn(50);
  const data = { ...request.data, ...(isOrdered && { externalId: randomUUID() }) };
  const key = how === 'sentTwice' ? randomUUID() : undefined;
  const ask = () => shop.integrator.post<Shown>('transparents/create', { ...request, data }, key);
  const answers = await Promise.all(how === 'once' ? [ask()] : [ask(), ask()]);
  const all = new Map<string, Shown>();
  for (const { data: made, code } of answers) {
    if (made === null) shop.contradictions.push(`a ${request.method} charge was refused: ${code}`);
    else all.set(made.id, made);
  }
  const known = [...all.values()].map((shown) => ({
    charge: { id: shown.id, amountCents: request.data.amount, isPaid: false },
    shown,
  }));
  shop.charges.push(...known.map(({ charge }) => charge));
  if (known.length > 1 && !mayBeTwo)
    shop.contradictions.push(`one charge was asked for, and answered: ${[...all.keys()].join(' and ')}`);
  return known[0] ?? null;
}

/** Sends money once, sometimes with two requests at once. @returns false if the store has not enough. */
export async function sent(
  shop: RealShop,
  chance: Chance,
  path: 'payouts/create' | 'pix/send',
  amount: number,
  to: object,
): Promise<boolean> {
  const body = { amount, externalId: randomUUID(), ...to };
  const ask = () => shop.integrator.post<{ id: string }>(path, body);
  const answers: Answer<{ id: string }>[] = await Promise.all(chance.isIn(30) ? [ask(), ask()] : [ask()]);
  const ids = new Set(answers.flatMap(({ data }) => data?.id ?? []));
  if (ids.size > 1) shop.contradictions.push(`one ${path}, and there are ${[...ids].join(' and ')}`);
  for (const id of ids) shop.payouts.push({ id, amountCents: amount });
  if (ids.size === 0 && answers.some(({ isInDoubt }) => isInDoubt)) shop.refusedInDoubt.add(body.externalId);
  for (const { code } of answers)
    if (!['ok', 'INSUFFICIENT_FUNDS', 'TOO_MANY_PAYOUTS'].includes(code))
      shop.contradictions.push(`a ${path} was refused: ${code}`);
  return ids.size > 0 || answers.every(({ code }) => code !== 'INSUFFICIENT_FUNDS');
}
