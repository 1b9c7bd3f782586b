import type { Chance } from '../../../test/support/chance.ts';
import type { BankPayment } from '../../psp/state.ts';
import {
  becomesPaid,
  cancelled,
  created,
  refundBodies,
  refunded,
  sent,
} from '../real-money/client-requests.ts';
import type { KnownRealCharge } from '../real-money/real-shop.ts';
import type { BankShop } from './bank-shop.ts';

export type BankScenario = (shop: BankShop, chance: Chance) => Promise<void>;

const LONG_S = 86_400;
/**
 * The highest amount that the bank in a box transfers. Slightly higher transfers fail later, and much higher ones are refused
 * at once.
 */
const MOST_SENT_CENTS = 1_000;
const MOST_TRIED_CENTS = 2_000;

/**
 * A PIX code of the bank: paid by one payer or two, cancelled, left unpaid, or paid although it was cancelled. Payments may
 * be refunded by the store or disputed by the payer's bank.
 */
const pix: BankScenario = async (shop, chance) => {
  const weights = { paid: 7, paidTwice: 2, paidOrCancelled: 1, cancelled: 1, paidLate: 1, expired: 1 };
  const end = chance.weighted(weights);
  const expiresIn = end === 'expired' ? chance.between(2, 12) : LONG_S;
  const data = { amount: chance.between(300, 50_000), expiresIn };
  // A code that lives for seconds may have expired before the second request, which then creates another one.
  const mayBeTwo = expiresIn !== LONG_S;
  const issued = await created<{ id: string; brCode: string }>(
    shop,
    chance,
    { method: 'PIX', data },
    { mayBeTwo },
  );
  if (issued === null || end === 'expired') return;
  const { charge, shown } = issued;
  const cancel = () => cancelled(shop, 'transparents', charge.id);
  const payment = end === 'paid' || end === 'paidTwice' ? await shop.door.pay(shown.brCode) : null;
  charge.isPaid = payment !== null;
  if (end === 'paidOrCancelled') await Promise.all([shop.door.pay(shown.brCode), cancel()]);
  if (end === 'cancelled' || end === 'paidLate') await cancel();
  if (end === 'paidTwice' || end === 'paidLate')
    await shop.door.pay(shown.brCode, { whateverItsStatus: true });
  if (payment !== null) await perhapsBack(shop, chance, charge, payment);
};

/**
 * Reverses half of the payments, in full or in parts, once this customer has seen that the payment was recorded: the store
 * refunds it, the payer's bank disputes it, or both at once.
 */
async function perhapsBack(
  shop: BankShop,
  chance: Chance,
  { id, amountCents }: KnownRealCharge,
  payment: BankPayment,
) {
  const weights = { none: 5, all: 2, parts: 2, partAndRest: 1, takenBack: 2, partAndTakenBack: 2 };
  const how = chance.weighted(weights);
  if (how === 'none' || !(await becomesPaid(shop, 'transparents', id))) return;
  const refunds = {
    all: refundBodies(id, amountCents, 'all'),
    parts: refundBodies(id, amountCents, 'parts'),
    partAndRest: refundBodies(id, amountCents, 'partAndRest'),
    takenBack: [],
    partAndTakenBack: refundBodies(id, amountCents, 'part'),
  }[how];
  const taken = {
    underWay: chance.isIn(40),
    ...(chance.isIn(30) && { amountCents: Math.ceil((amountCents * 2) / 5) }),
  };
  await Promise.all([
    refunded(shop, 'transparents', id, refunds),
    how === 'takenBack' || how === 'partAndTakenBack' ? shop.door.takeBack(payment, taken) : null,
  ]);
}

/** A transfer to the store's own account, or to another person's key: it completes, fails later, or is refused. */
const send =
  (path: 'payouts/create' | 'pix/send', to: object): BankScenario =>
  async (shop, chance) => {
    const end = chance.weighted({ sent: 5, failing: 2, refused: 1 });
    const amount = {
      sent: chance.between(350, MOST_SENT_CENTS),
      failing: chance.between(MOST_SENT_CENTS + 1, MOST_TRIED_CENTS),
      refused: MOST_TRIED_CENTS + 1,
    }[end];
    await sent(shop, chance, path, amount, to);
  };

/** The scenarios of customers of the bank's store, by their weight. */
export const BANK_SCENARIOS = {
  'PIX at the bank': { weight: 34, scenario: pix },
  'payout from the bank': { weight: 4, scenario: send('payouts/create', {}) },
  'transfer from the bank': {
    weight: 10,
    scenario: send('pix/send', { pix: { type: 'EMAIL', key: 'ana@example.com' } }),
  },
} as const satisfies Record<string, { readonly weight: number; readonly scenario: BankScenario }>;

/** Whether the bank in a box refuses to transfer this amount. */
export function isRefusedByBank(amountCents: number): boolean {
  return amountCents > MOST_TRIED_CENTS;
}

/** Whether the bank in a box transfers this amount. */
export function isSentByBank(amountCents: number): boolean {
  return amountCents <= MOST_SENT_CENTS;
}
