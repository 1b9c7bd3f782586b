import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Integrator } from '../integrator.ts';
import type { Shop } from '../scenarios/shop.ts';

/** A store, and two programs for it: one waits for every answer, and the other does not. */
export interface OpenShop extends Shop {
  /** Gives up when the service goes down, and never asks again. */
  readonly impatient: Integrator;
  /** Sold every week, after a trial of a week. */
  readonly trialId: string;
}

/** Something that is open when Temporal's data is lost, and ends some time afterwards. */
export interface OpenThing {
  /** The ids that it created: of a charge, a checkout, a subscription or a payout. */
  readonly ids: readonly string[];
  /** The request that is sent while no worker runs, right before the loss. It is answered afterwards. */
  readonly unanswered?: () => Promise<unknown>;
  /**
   * The row that the request leaves at once. Without it, it is unknown whether the request arrived, and its client repeats it.
   */
  readonly leaves?: 'payment' | 'refund';
  /** What its payer or integrator does once the service is back. */
  readonly after?: () => Promise<unknown>;
}

type Recipe = (shop: OpenShop, number: number) => Promise<OpenThing>;

const APPROVED = '4242424242424242';
const DECLINED = '4000000000000002';
/** Accepted for the first payment and declined for every later one. */
const ONCE = '4000000000000341';
const PAYER = { name: 'Maria Souza', taxId: '529.982.247-25' };
const SLOW_KEY = 'demora@example.com';
const LOOK_EVERY_MS = 500;
const WEEK_S = 7 * 86_400;
const LONG_S = 86_400;

/** Mostly longer than until the loss, and short enough to wait for. */
export const SOON_S = 75;

/** Work that waits for a person, or for a long time. */
export const LASTING_THINGS: Readonly<Record<string, Recipe>> = {
  async 'PIX that is paid afterwards'(shop, number) {
    const id = await createPix(shop, number);
    return { ids: [id], after: () => pay(shop.integrator, id) };
  },
  async 'PIX that is cancelled afterwards'(shop, number) {
    const id = await createPix(shop, number);
    return { ids: [id], after: () => done(shop.integrator, 'transparents/cancel', { id }) };
  },
  async 'PIX whose payment nobody takes in, and whose client waits'(shop, number) {
    const id = await createPix(shop, number);
    return { ids: [id], unanswered: () => pay(shop.integrator, id), leaves: 'payment' };
  },
  async 'PIX whose payment nobody takes in, and whose client gives up'(shop, number) {
    const id = await createPix(shop, number);
    return { ids: [id], unanswered: () => inVain(pay(shop.impatient, id)), leaves: 'payment' };
  },
  async 'PIX that is cancelled while nobody listens'(shop, number) {
    const id = await createPix(shop, number);
    return { ids: [id], unanswered: () => done(shop.integrator, 'transparents/cancel', { id }) };
  },
  async 'boleto that is paid afterwards'(shop, number) {
    const id = await createBoleto(shop, number);
    return { ids: [id], after: () => pay(shop.integrator, id) };
  },
  async 'boleto that is paid and not settled'(shop, number) {
    const id = await createBoleto(shop, number);
    await pay(shop.integrator, id);
    return { ids: [id] };
  },
  async 'dispute that is won afterwards'(shop, number) {
    const id = await disputed(shop, number);
    return { ids: [id], after: () => done(shop.integrator, 'dev/disputes/win', { id }) };
  },
  async 'dispute that is lost while nobody listens'(shop, number) {
    const id = await disputed(shop, number);
    return { ids: [id], unanswered: () => done(shop.integrator, 'dev/disputes/lose', { id }) };
  },
  async 'refund that nobody makes, and whose client waits'(shop, number) {
    const id = await paidPix(shop, number);
    const unanswered = () => done(shop.integrator, 'transparents/refund', { id });
    return { ids: [id], unanswered, leaves: 'refund' };
  },
  async 'refund that nobody makes, and whose client gives up'(shop, number) {
    const id = await paidPix(shop, number);
    const unanswered = () => inVain(done(shop.impatient, 'transparents/refund', { id }));
    return { ids: [id], unanswered, leaves: 'refund' };
  },
  async 'checkout that is paid afterwards'(shop) {
    const id = await createCheckout(shop, 'checkouts/create');
    return { ids: [id], after: () => payCheckout(shop.integrator, id, 'CARD') };
  },
  async 'checkout that is cancelled afterwards'(shop) {
    const id = await createCheckout(shop, 'checkouts/create');
    return { ids: [id], after: () => done(shop.integrator, 'checkouts/cancel', { id }) };
  },
  async 'checkout whose card was declined, and is paid afterwards'(shop) {
    const id = await createCheckout(shop, 'checkouts/create');
    await declined(shop, id);
    return { ids: [id], after: () => payCheckout(shop.integrator, id, 'PIX') };
  },
  async 'checkout that was paid by card and is not settled'(shop) {
    const id = await createCheckout(shop, 'checkouts/create');
    await payCheckout(shop.integrator, id, 'CARD');
    return { ids: [id] };
  },
  async 'card that nobody charges'(shop) {
    const id = await createCheckout(shop, 'checkouts/create');
    return { ids: [id], unanswered: () => payCheckout(shop.integrator, id, 'CARD') };
  },
  async 'payment link that is paid before and afterwards, and taken down'(shop) {
    const id = await createCheckout(shop, 'payment-links/create');
    await payCheckout(shop.integrator, id, 'PIX');
    const after = async () => {
      await payCheckout(shop.integrator, id, 'CARD');
      await done(shop.integrator, 'checkouts/cancel', { id });
    };
    return { ids: [id], after };
  },
  async 'subscription that sleeps to its next cycle'(shop) {
    return { ids: await subscribed(shop, 'CARD', 0) };
  },
  async 'subscription whose PIX code waits for its payer'(shop) {
    const ids = await subscribed(shop, 'PIX', WEEK_S);
    return { ids, after: () => payCode(shop, ids[1]) };
  },
  async 'subscription whose card is declined, and is tried again tomorrow'(shop) {
    return { ids: await subscribed(shop, 'CARD', WEEK_S, ONCE) };
  },
  async 'subscription in dunning that is cancelled afterwards'(shop) {
    const ids = await subscribed(shop, 'CARD', WEEK_S, ONCE);
    return { ids, after: () => cancelSubscription(shop, ids[1]) };
  },
  async 'subscription that is cancelled while nobody listens'(shop) {
    const ids = await subscribed(shop, 'CARD', 0);
    return { ids, unanswered: () => cancelSubscription(shop, ids[1]) };
  },
  async 'subscription in its trial'(shop) {
    return { ids: await subscribed(shop, 'CARD', 0, APPROVED, shop.trialId) };
  },
};

/** Work that ends without help within about a minute. It is created last. */
export const PASSING_THINGS: Readonly<Record<string, Recipe>> = {
  async 'PIX that nobody pays'(shop, number) {
    return { ids: [await createPix(shop, number, SOON_S)] };
  },
  async 'subscription that is charged soon'(shop) {
    return { ids: await subscribed(shop, 'CARD', WEEK_S - SOON_S) };
  },
  async 'subscription whose card is declined soon'(shop) {
    return { ids: await subscribed(shop, 'CARD', WEEK_S - SOON_S, ONCE) };
  },
  async 'subscription whose trial ends soon'(shop) {
    return { ids: await subscribed(shop, 'CARD', WEEK_S - SOON_S, APPROVED, shop.trialId) };
  },
  async 'transfer that hangs at a bank'(shop, number) {
    return { ids: [await transfer(shop, number, SLOW_KEY)] };
  },
};

/** Requests that are sent while no worker runs. */
export const UNSUBSCRIBED_THINGS: Readonly<Record<string, Recipe>> = {
  async 'PIX that is asked for while nobody listens'(shop, number) {
    const id = await createPix(shop, number);
    return { ids: [id], after: () => pay(shop.integrator, id) };
  },
  async 'checkout that is asked for while nobody listens'(shop) {
    const id = await createCheckout(shop, 'checkouts/create');
    return { ids: [id], after: () => payCheckout(shop.integrator, id, 'PIX') };
  },
  async 'transfer that is asked for while nobody listens'(shop, number) {
    return { ids: [await transfer(shop, number, 'ana@example.com')] };
  },
};

/** Repeats the request until it is answered. @throws if the answer is a refusal. */
async function done<Data>(integrator: Integrator, path: string, body: object): Promise<Data> {
  const { data, code } = await integrator.post<Data>(path, body);
  if (data === null) throw new Error(`${path} ${JSON.stringify(body)} → ${code}`);
  return data;
}

/** A client that gives up gets no answer, but its request stands. */
async function inVain(asked: Promise<unknown>): Promise<void> {
  await asked.catch(() => undefined);
}

const pay = (integrator: Integrator, id: string) =>
  done(integrator, `transparents/simulate-payment?id=${id}`, {});

async function createPix({ integrator }: OpenShop, number: number, expiresIn = LONG_S): Promise<string> {
  const data = { amount: 1_000 + number, expiresIn, externalId: randomUUID() };
  return (await done<{ id: string }>(integrator, 'transparents/create', { method: 'PIX', data })).id;
}

async function createBoleto({ integrator }: OpenShop, number: number): Promise<string> {
  const data = { amount: 2_000 + number, customer: PAYER, externalId: randomUUID() };
  return (await done<{ id: string }>(integrator, 'transparents/create', { method: 'BOLETO', data })).id;
}

async function paidPix(shop: OpenShop, number: number): Promise<string> {
  const id = await createPix(shop, number);
  await pay(shop.integrator, id);
  return id;
}

async function disputed(shop: OpenShop, number: number): Promise<string> {
  const id = await paidPix(shop, number);
  await done(shop.integrator, 'dev/disputes/open', { id, reason: 'Não reconheço a compra' });
  return id;
}

async function createCheckout({ integrator, productId }: OpenShop, path: string): Promise<string> {
  return (await done<{ id: string }>(integrator, path, { items: [{ id: productId, quantity: 2 }] })).id;
}

function payCheckout<Data>(
  integrator: Integrator,
  id: string,
  method: 'CARD' | 'PIX',
  number = APPROVED,
): Promise<Data> {
  const card = method === 'CARD' ? { card: { number } } : {};
  return done(integrator, 'checkouts/simulate-payment', { id, method, ...card });
}

async function declined({ integrator }: OpenShop, id: string): Promise<void> {
  const body = { id, method: 'CARD', card: { number: DECLINED } };
  const { code }: Answer = await integrator.post('checkouts/simulate-payment', body);
  if (code !== 'CARD_DECLINED') throw new Error(`a bad card of ${id} → ${code}`);
}

/** @param secondsAgo how long ago its first cycle began. @returns the ids of its checkout and of the subscription. */
async function subscribed(
  { integrator, planId }: OpenShop,
  method: 'CARD' | 'PIX',
  secondsAgo: number,
  card = APPROVED,
  productId = planId,
): Promise<[string, string]> {
  const { id } = await done<{ id: string }>(integrator, 'subscriptions/create', {
    items: [{ id: productId, quantity: 1 }],
    methods: [method],
    metadata: { secondsAgo },
    retryPolicy: { maxRetry: 3, retryEvery: 1 },
  });
  const { subscriptionId } = await payCheckout<{ subscriptionId: string }>(integrator, id, method, card);
  return [id, subscriptionId];
}

/** Waits for the code of its cycle, and pays it. */
async function payCode({ integrator }: OpenShop, id: string): Promise<void> {
  for (;;) {
    const { data } = await integrator.get<{ currentCharge: { id: string } | null }>(
      `subscriptions/get?id=${id}`,
    );
    if (data?.currentCharge) return void (await pay(integrator, data.currentCharge.id));
    await sleep(LOOK_EVERY_MS);
  }
}

/** If an earlier unanswered try has cancelled it, the next try finds nothing to cancel. */
async function cancelSubscription({ integrator }: OpenShop, id: string): Promise<void> {
  const { code, isInDoubt }: Answer = await integrator.post('subscriptions/cancel', { id });
  if (code !== 'ok' && !(code === 'NOT_FOUND' && isInDoubt))
    throw new Error(`${id} is not cancelled: ${code}`);
}

async function transfer({ integrator }: OpenShop, number: number, key: string): Promise<string> {
  const body = { amount: 350 + number, externalId: randomUUID(), pix: { type: 'EMAIL', key } };
  return (await done<{ id: string }>(integrator, 'pix/send', body)).id;
}

/** Pays PIX charges, so that the store has money for payouts and disputes. */
export async function fund(shop: OpenShop, count: number): Promise<void> {
  for (let paid = 0; paid <= count; paid += 100) await paidPix(shop, 500_000);
}
