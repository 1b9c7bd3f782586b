import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Api } from './api.ts';
import { type Bench, chargesToPay, openStore, payEach, payOneByOne } from './bench.ts';
import type { Figures } from './figures.ts';
import { percentile, until } from './load.ts';

/** The number of endpoints of another store that never answer, and of those that are fast until all stop at once. */
const ENDPOINTS_OF_A_KIND = 20;

/** The number of payments for which the fast endpoints answer first. */
const WHILE_FAST = 3;

/**
 * The time from a payment of one store to its webhook, compared with no other store:
 * - beside a store that pays without a pause and has no webhooks,
 * - beside the same payments when 40 endpoints that hang get a webhook of each,
 * - later, when thousands of these deliveries wait.
 * The second compared with the first is what the endpoints cost others.
 */
export async function neighbour(bench: Bench): Promise<Figures> {
  const alone = await payOneByOne(bench);
  await using cleanup = new AsyncDisposableStack();
  const endpoints = cleanup.use(await startHangingEndpoints());
  const shop = await openStore(bench);
  cleanup.defer(() => shop.api.close());
  const payments = Math.ceil(bench.durations.waitingDeliveries / endpoints.urls.length);
  const paying = await payBeside(bench, shop.api, payments);

  const webhooks = await Promise.all(endpoints.urls.map((url) => shop.api.subscribe(url)));
  // Its deliveries end with their webhooks, so that the next round starts without them.
  cleanup.defer(async () => void (await Promise.all(webhooks.map((id) => shop.api.unsubscribe(id)))));
  for (let paid = 0; paid < WHILE_FAST; paid += 1) await pay(shop.api);
  await until('the endpoints that are fast', () => endpoints.answered() >= WHILE_FAST * ENDPOINTS_OF_A_KIND);
  endpoints.stopAnswering();
  const surge = await payBeside(bench, shop.api, payments);
  await until(
    'all its endpoints to be known',
    async () => (await knownToHang(bench, webhooks)) === webhooks.length,
  );
  const { latenciesMs: disturbed } = await payOneByOne(bench);
  const waiting = await waitingOf(bench, shop.storeId);

  const ratio = (slow: readonly number[], fast: readonly number[], percent: number) =>
    percentile(slow, percent) / percentile(fast, percent);
  return {
    neighbourWaiting: waiting,
    aloneP50Ms: percentile(alone.latenciesMs, 50),
    payingP50ToAlone: ratio(paying, alone.latenciesMs, 50),
    payingP99ToAlone: ratio(paying, alone.latenciesMs, 99),
    surgeP50ToPaying: ratio(surge, paying, 50),
    surgeP99ToPaying: ratio(surge, paying, 99),
    neighbourP50Ms: percentile(disturbed, 50),
    neighbourP50ToAlone: ratio(disturbed, alone.latenciesMs, 50),
    neighbourP99ToAlone: ratio(disturbed, alone.latenciesMs, 99),
  };
}

/** Makes payments one at a time while another store makes `payments` without a pause. @returns the time from each to its webhook. */
async function payBeside(bench: Bench, other: Api, payments: number): Promise<readonly number[]> {
  const ownCharges = await chargesToPay(bench);
  let isOver = false;
  const others = (async () => {
    for (let paid = 0; paid < payments; paid += 1) await pay(other);
    isOver = true;
  })();
  const { latenciesMs } = await payEach(bench, ownCharges, async () => isOver);
  await others;
  return latenciesMs;
}

/** The number of these endpoints that the service treats as timed out. That takes the half minute of the first attempts. */
async function knownToHang({ database }: Bench, webhookIds: readonly string[]): Promise<number> {
  const [row] = await database.em.fork().execute<{ count: number }[]>(
    `select count(*)::int as count from endpoint_breakers
      where webhook_id in (select json_array_elements_text(?::json))`,
    [JSON.stringify(webhookIds)],
  );
  return row?.count ?? 0;
}

async function pay(api: Api): Promise<void> {
  await api.simulatePayment(await api.createCharge());
}

async function waitingOf({ database }: Bench, storeId: string): Promise<number> {
  const [row] = await database.em
    .fork()
    .execute<{ count: number }[]>(
      `select count(*)::int as count from deliveries where store_id = ? and status = 'PENDING'`,
      [storeId],
    );
  return row?.count ?? 0;
}

/** Each on a separate server, because connections are also divided per server. */
async function startHangingEndpoints() {
  let isAnswering = true;
  let answered = 0;
  const servers: Server[] = [];
  const urls: string[] = [];
  for (let index = 0; index < 2 * ENDPOINTS_OF_A_KIND; index += 1) {
    const isFastAtFirst = index % 2 === 0;
    const server = createServer((request, response) => {
      request.resume();
      if (!isFastAtFirst || !isAnswering) return;
      answered += 1;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    servers.push(server);
    urls.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  }
  return {
    urls,
    answered: () => answered,
    stopAnswering: () => {
      isAnswering = false;
    },
    [Symbol.asyncDispose]: async () => {
      for (const server of servers) server.close().closeAllConnections();
    },
  };
}
