import { setTimeout as sleep } from 'node:timers/promises';
import type { Chance } from '../../../test/support/chance.ts';
import { feeOf, KnownCharge, paidThroughCheckout } from '../book.ts';
import { APPROVED, payCheckout } from './pay-checkout.ts';
import { PLAN_CENTS, type Scenario, type Shop } from './shop.ts';

/** Accepted for the first payment and declined for every later one. */
const ONCE = '4000000000000341';
const LOOK_EVERY_MS = 500;
/** Of a weekly plan. */
const CYCLE_S = 7 * 86_400;

interface Begun {
  readonly paymentId: string;
  readonly subscriptionId: string;
}

interface Shown {
  readonly currentCycle: { readonly number: number };
  readonly currentCharge: { readonly id: string } | null;
}

/**
 * A weekly plan that is paid by card or by PIX codes. It began some weeks ago and is renewed for each of them at once; or its
 * card fails at the first renewal, which ends it; or it is cancelled at any time.
 */
export const subscription: Scenario = async (shop, chance) => {
  const way = chance.weighted({ card: 3, pix: 2, declined: 1, cancelled: 1 });
  const renewals = way === 'declined' ? 1 : chance.between(0, 3);
  const method = way === 'pix' ? 'PIX' : 'CARD';
  const begun = await begin(shop, method, renewals, way === 'declined' ? ONCE : APPROVED);
  if (begun === null) return;
  const { id, checkoutId } = begun;
  const known = {
    id,
    checkoutId,
    amountCents: PLAN_CENTS,
    feeCents: feeOf(method, PLAN_CENTS),
    failedAttempts: 0,
  };
  if ((way === 'pix' || way === 'card') && chance.isIn(30)) await changePlan(shop, id);
  if (way === 'pix') await payEachCode(shop, id, renewals);
  if (way === 'declined')
    shop.book.subscriptions.push({ ...known, renewals: 0, status: 'CANCELLED', failedAttempts: 1 });
  else if (way === 'cancelled') {
    const { code } = await cancelSoon(shop, chance, id);
    if (code !== 'ok') shop.book.contradictions.push(`${id} could not be cancelled: ${code}`);
    shop.book.subscriptions.push({ ...known, renewals: null, status: 'CANCELLED' });
  } else shop.book.subscriptions.push({ ...known, renewals, status: 'ACTIVE' });
};

async function begin(
  { integrator, planId, book }: Shop,
  method: 'CARD' | 'PIX',
  weeksAgo: number,
  number: string,
) {
  const body = {
    items: [{ id: planId, quantity: 1 }],
    methods: [method],
    metadata: { secondsAgo: weeksAgo * CYCLE_S },
    retryPolicy: { maxRetry: 1, retryEvery: 1 },
  };
  const created = await integrator.post<{ id: string }>('subscriptions/create', body);
  const checkoutId = created.data?.id ?? '';
  const paid = await payCheckout<Begun>({ integrator }, { id: checkoutId, method, number });
  if (paid.data === null) {
    book.contradictions.push(`${checkoutId}: the first payment of a subscription → ${paid.code}`);
    return null;
  }
  const { paymentId, subscriptionId } = paid.data;
  const charge = new KnownCharge(
    paymentId,
    'subscription.completed',
    paidThroughCheckout(method, PLAN_CENTS),
  );
  book.charges.push(charge);
  book.checkouts.push({ id: checkoutId, isLink: false, end: charge });
  return { id: subscriptionId, checkoutId };
}

/** Changes to a plan of the same price, so that it does not matter from which cycle the new plan counts. */
async function changePlan({ integrator, planId, book }: Shop, id: string): Promise<void> {
  const body = { id, productId: planId, quantity: 1 };
  const { data, code } = await integrator.post<{ id: string }>('subscriptions/change-plan', body);
  if (data === null) book.contradictions.push(`the plan of ${id} could not be changed: ${code}`);
  else book.planChanges.push(data.id);
}

/** Waits for the code of each cycle, and pays it. */
async function payEachCode({ integrator, book }: Shop, id: string, renewals: number): Promise<void> {
  const paid = new Set<string>();
  while (paid.size < renewals) {
    const { data } = await integrator.get<Shown>(`subscriptions/get?id=${id}`);
    const codeId = data?.currentCharge?.id;
    if (codeId === undefined || paid.has(codeId)) {
      await sleep(LOOK_EVERY_MS);
      continue;
    }
    const { code } = await integrator.post(`transparents/simulate-payment?id=${codeId}`, {});
    if (code !== 'ok') book.contradictions.push(`${codeId} of ${id} could not be paid: ${code}`);
    paid.add(codeId);
  }
}

async function cancelSoon({ integrator }: Shop, chance: Chance, id: string) {
  await sleep(chance.between(0, 2_000));
  const answer = await integrator.post('subscriptions/cancel', { id });
  // An earlier unanswered try has cancelled it: only active subscriptions are found.
  return answer.code === 'NOT_FOUND' && answer.isInDoubt ? { ...answer, code: 'ok' } : answer;
}
