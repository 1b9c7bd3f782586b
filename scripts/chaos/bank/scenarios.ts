import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Chance } from '../../../test/support/chance.ts';
import type { BankPayment } from '../../psp/state.ts';
import type { Answer } from '../integrator.ts';
import type { BankedCharge, BankShop } from './bank-shop.ts';

export type BankScenario = (shop: BankShop, chance: Chance) => Promise<void>;

const LONG_S = 86_400;
const LOOK_EVERY_MS = 500;
/** A notification takes seconds; one that is lost takes longer than this customer waits. */
const LOOKS = 16;
/** What the bank in a box sends; a little more fails later, and above that it refuses at once. */
const MOST_SENT_CENTS = 1_000;
const MOST_TRIED_CENTS = 2_000;

/**
 * A PIX code of the bank: paid by one payer or two, cancelled, left unpaid, or paid although it was cancelled. Payments may
 * be refunded by the store or disputed by the payer's bank.
 */
const pix: BankScenario = async (shop, chance) => {
  const weights = { paid: 7, paidTwice: 2, paidOrCancelled: 1, cancelled: 1, paidLate: 1, expired: 1 };
  const end = chance.weighted(weights);
  const issued = await create(shop, chance, end === 'expired' ? chance.between(2, 12) : LONG_S);
  if (issued === null || end === 'expired') return;
  const { charge, brCode } = issued;
  const cancel = async () => {
    const { code } = await shop.integrator.post('transparents/cancel', { id: charge.id });
    if (code !== 'ok' && code !== 'INVALID_STATE')
      shop.contradictions.push(`${charge.id} could not be cancelled: ${code}`);
  };
  const payment = end === 'paid' || end === 'paidTwice' ? await shop.door.pay(brCode) : null;
  charge.isPaid = payment !== null;
  if (end === 'paidOrCancelled') await Promise.all([shop.door.pay(brCode), cancel()]);
  if (end === 'cancelled' || end === 'paidLate') await cancel();
  if (end === 'paidTwice' || end === 'paidLate') await shop.door.pay(brCode, { whateverItsStatus: true });
  if (payment !== null) await perhapsBack(shop, chance, charge, payment);
};

/** Asked for by one request, by one that is sent twice at once, by two that name the same order, or without any name. */
async function create(shop: BankShop, chance: Chance, expiresIn: number) {
  const amountCents = chance.between(300, 50_000);
  const how = chance.weighted({ once: 3, sentTwice: 1, orderedTwice: 1 });
  const isOrdered = how === 'orderedTwice' || chance.isIn(50);
  const data = { amount: amountCents, expiresIn, ...(isOrdered && { externalId: randomUUID() }) };
  const key = how === 'sentTwice' ? randomUUID() : undefined;
  const ask = () =>
    shop.integrator.post<{ id: string; brCode: string }>('transparents/create', { method: 'PIX', data }, key);
  const answers = await Promise.all(how === 'once' ? [ask()] : [ask(), ask()]);
  const charges = new Map<string, string>();
  for (const { data: made, code } of answers) {
    if (made === null) shop.contradictions.push(`a PIX code of the bank was refused: ${code}`);
    else charges.set(made.id, made.brCode);
  }
  const known = [...charges].map(([id, brCode]) => ({
    charge: { id, amountCents, isPaid: false } as BankedCharge,
    brCode,
  }));
  shop.charges.push(...known.map(({ charge }) => charge));
  // A code that lives for seconds may have expired before the second request, which then creates another one.
  if (known.length > 1 && expiresIn === LONG_S)
    shop.contradictions.push(
      `one PIX code was asked for, and answered: ${[...charges.keys()].join(' and ')}`,
    );
  return known[0] ?? null;
}

/**
 * Reverses half of the payments, in whole or in parts, once this customer knows of the payment: the store refunds it, the
 * payer's bank disputes it, or both at once.
 */
async function perhapsBack(
  shop: BankShop,
  chance: Chance,
  { id, amountCents }: BankedCharge,
  payment: BankPayment,
) {
  const weights = { none: 5, all: 2, parts: 2, partAndRest: 1, takenBack: 2, partAndTakenBack: 2 };
  const how = chance.weighted(weights);
  if (how === 'none' || !(await becomesPaid(shop, id))) return;
  const part = { id, amount: Math.ceil((amountCents * 2) / 5) };
  const refunds = {
    all: [{ id }],
    parts: [part, part],
    partAndRest: [part, { id }],
    takenBack: [],
    partAndTakenBack: [part],
  }[how];
  const taken = { underWay: chance.isIn(40), ...(chance.isIn(30) && { amountCents: part.amount }) };
  await Promise.all([
    refunded(shop, id, refunds),
    how === 'takenBack' || how === 'partAndTakenBack' ? shop.door.takeBack(payment, taken) : null,
  ]);
}

async function refunded(shop: BankShop, id: string, bodies: readonly object[]): Promise<void> {
  const ask = (body: object) => shop.integrator.post<{ refundPublicId: string }>('transparents/refund', body);
  for (const { data, code } of await Promise.all(bodies.map(ask))) {
    if (data !== null) shop.refundIds.add(data.refundPublicId);
    else if (!REFUSALS.includes(code)) shop.contradictions.push(`a refund of ${id} was refused: ${code}`);
  }
}

/** What depends on what else is sent back, or was paid out. */
const REFUSALS = [
  'TRANSACTION_NOT_REFUNDABLE',
  'TRANSACTION_UNDER_DISPUTE',
  'REFUND_EXCEEDS_PAYMENT',
  'INSUFFICIENT_FUNDS',
];

async function becomesPaid({ integrator }: BankShop, id: string): Promise<boolean> {
  for (let look = 0; look < LOOKS; look += 1) {
    const { data } = await integrator.get<{ status: string }>(`transparents/check?id=${id}`);
    if (data?.status === 'PAID') return true;
    await sleep(LOOK_EVERY_MS);
  }
  return false;
}

/** To the store's own account, or to somebody's key: sent, failed later, or refused. */
const send =
  (path: 'payouts/create' | 'pix/send', to: object): BankScenario =>
  async (shop, chance) => {
    const end = chance.weighted({ sent: 5, failing: 2, refused: 1 });
    const amount = {
      sent: chance.between(350, MOST_SENT_CENTS),
      failing: chance.between(MOST_SENT_CENTS + 1, MOST_TRIED_CENTS),
      refused: MOST_TRIED_CENTS + 1,
    }[end];
    const body = { amount, externalId: randomUUID(), ...to };
    const ask = () => shop.integrator.post<{ id: string }>(path, body);
    const answers: Answer<{ id: string }>[] = await Promise.all(chance.isIn(30) ? [ask(), ask()] : [ask()]);
    const ids = new Set(answers.flatMap(({ data }) => data?.id ?? []));
    if (ids.size > 1) shop.contradictions.push(`one ${path}, and there are ${[...ids].join(' and ')}`);
    for (const id of ids) shop.payouts.push({ id, amountCents: amount });
    if (ids.size === 0 && answers.some(({ isInDoubt }) => isInDoubt))
      shop.refusedInDoubt.add(body.externalId);
    for (const { code } of answers)
      if (!['ok', 'INSUFFICIENT_FUNDS', 'TOO_MANY_PAYOUTS'].includes(code))
        shop.contradictions.push(`a ${path} was refused: ${code}`);
  };

/** What customers of the bank's store do, by how much of it there is. */
export const BANK_SCENARIOS = {
  'PIX at the bank': { weight: 34, scenario: pix },
  'payout from the bank': { weight: 4, scenario: send('payouts/create', {}) },
  'transfer from the bank': {
    weight: 10,
    scenario: send('pix/send', { pix: { type: 'EMAIL', key: 'ana@example.com' } }),
  },
} as const satisfies Record<string, { readonly weight: number; readonly scenario: BankScenario }>;

/** Whether the bank in a box refuses to send so much. */
export function isRefusedByBank(amountCents: number): boolean {
  return amountCents > MOST_TRIED_CENTS;
}

/** Whether the bank in a box sends so much. */
export function isSentByBank(amountCents: number): boolean {
  return amountCents <= MOST_SENT_CENTS;
}
