import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Operation, shareCentsOf } from '../../../test/model/money.model.ts';
import type { Chance } from '../../../test/support/chance.ts';
import type { KnownCharge } from '../book.ts';
import { act, noted, perhapsReversed, REFUNDED, type Scenario, type Shop, sellerId } from './shop.ts';

type PixOrder = Operation & { do: 'createPix' };

const LONG_S = 86_400;
const PAYER = { name: 'Maria Souza', taxId: '529.982.247-25' };

/** A PIX code that is paid once, paid by two programs at once, cancelled, or left unpaid. */
export const pix: Scenario = async (shop, chance) => {
  const end = chance.weighted({
    paid: 6,
    paidTwice: 2,
    paidOrCancelled: 1,
    cancelled: 1,
    expired: 1,
    paidInTime: 1,
  });
  const expiresIn = end === 'expired' || end === 'paidInTime' ? chance.between(2, 12) : LONG_S;
  const charge = await createPix(shop, chance, expiresIn);
  if (charge === null) return;
  if (end === 'paid') await act(shop, charge, 'pay');
  if (end === 'paidTwice') await act(shop, charge, 'pay', 'pay');
  if (end === 'paidOrCancelled') await act(shop, charge, 'pay', 'cancel');
  if (end === 'cancelled') await act(shop, charge, 'cancel');
  if (end === 'expired') charge.expires({ perhapsPaid: false });
  if (end === 'paidInTime') await payBeforeDeadline(shop, chance, charge, expiresIn);
  if (end === 'paid' || end === 'paidTwice') await perhapsReversed(shop, chance, charge);
};

/** A boleto that is paid or cancelled. */
export const boleto: Scenario = async (shop, chance) => {
  const amountCents = chance.between(500, 50_000);
  const body = { method: 'BOLETO', data: { amount: amountCents, customer: PAYER, externalId: randomUUID() } };
  const { data, code } = await shop.integrator.post<{ id: string }>('transparents/create', body);
  if (data === null) return void shop.book.contradictions.push(`a boleto was refused: ${code}`);
  const charge = noted(shop, data.id, { do: 'createBoleto', amountCents });
  const end = chance.weighted({ paid: 5, paidTwice: 1, cancelled: 1, paidOrCancelled: 1 });
  if (end === 'cancelled') return act(shop, charge, 'cancel');
  if (end === 'paidOrCancelled') return act(shop, charge, 'pay', 'cancel');
  await act(shop, charge, ...(end === 'paid' ? (['pay'] as const) : (['pay', 'pay'] as const)));
  await perhapsReversed(shop, chance, charge);
};

/** Requests a charge once, twice at once with one key, or with two requests for the same order. */
async function createPix(shop: Shop, chance: Chance, expiresIn: number): Promise<KnownCharge | null> {
  const order: PixOrder = {
    do: 'createPix',
    amountCents: chance.between(300, 50_000),
    expiresInS: expiresIn,
    sharePercent: chance.isIn(70) ? 0 : chance.between(1, 100),
    seller: REFUNDED,
  };
  const amount = shareCentsOf(order);
  const splits = amount === 0 ? null : [{ subAccountId: await sellerId(shop, REFUNDED), amount }];
  const data = { amount: order.amountCents, expiresIn, externalId: randomUUID(), splits };
  const body = { method: 'PIX', data };
  const how = chance.weighted({ once: 3, sentTwice: 1, orderedTwice: 1 });
  const key = how === 'sentTwice' ? randomUUID() : undefined;
  const create = () => shop.integrator.post<{ id: string }>('transparents/create', body, key);
  const answers = await Promise.all(how === 'once' ? [create()] : [create(), create()]);
  const ids = new Set(answers.map(({ data, code }) => data?.id ?? code));
  const [id = ''] = ids;
  // A code that lives for seconds may have expired before the second request, which then creates another one.
  if (expiresIn !== LONG_S && ids.size > 1) {
    for (const each of ids) expiring(shop, each, order);
    return null;
  }
  if (ids.size > 1 || answers[0]?.data == null) {
    shop.book.contradictions.push(`one PIX code was asked for, and answered: ${[...ids].join(' and ')}`);
    return null;
  }
  return noted(shop, id, order);
}

function expiring(shop: Shop, id: string, order: PixOrder): void {
  noted(shop, id, order).expires({ perhapsPaid: false });
}

/**
 * Simulates a payment close to the deadline. A try before the deadline may have succeeded although the last one was refused.
 */
async function payBeforeDeadline(shop: Shop, chance: Chance, charge: KnownCharge, expiresInS: number) {
  await sleep(chance.between(0, expiresInS * 1_000));
  const answer = await shop.integrator.post(`transparents/simulate-payment?id=${charge.id}`, {});
  if (answer.code === 'ok') charge.learn(['pay'], [answer]);
  else charge.expires({ perhapsPaid: answer.isInDoubt });
}
