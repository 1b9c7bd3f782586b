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
 * The time from a payment of one store to its webhook while the endpoints of another store time out and thousands of its
 * deliveries wait for them, compared with no such store. Also the time while that store makes the payments that create these
 * thousands, one after the other without a pause.
 */
export async function neighbour(bench: Bench): Promise<Figures> {
  const alone = await payOneByOne(bench);
  await using cleanup = new AsyncDisposableStack();
  const endpoints = cleanup.use(await startHangingEndpoints());
  const shop = await openStore(bench);
  cleanup.defer(() => shop.api.close());
  const webhooks = await Promise.all(endpoints.urls.map((url) => shop.api.subscribe(url)));
  // Its deliveries end with their webhooks, so that the next round starts without them.
  cleanup.defer(async () => void (await Promise.all(webhooks.map((id) => shop.api.unsubscribe(id)))));

  for (let paid = 0; paid < WHILE_FAST; paid += 1) await pay(shop.api);
  await until('the endpoints that are fast', () => endpoints.answered() >= WHILE_FAST * ENDPOINTS_OF_A_KIND);
  endpoints.stopAnswering();
  const payments = Math.ceil(bench.durations.waitingDeliveries / endpoints.urls.length);
  const ownCharges = await chargesToPay(bench);
  let isOver = false;
  const burst = (async () => {
    for (let paid = 0; paid < payments; paid += 1) await pay(shop.api);
    isOver = true;
  })();
  const surge = await payEach(bench, ownCharges, async () => isOver);
  await burst;
  await until(
    'all its endpoints to be known',
    async () => (await knownToHang(bench, webhooks)) === webhooks.length,
  );
  const disturbed = await payOneByOne(bench);
  const waiting = await waitingOf(bench, shop.storeId);

  const [aloneMs, surgeMs, disturbedMs] = [alone.latenciesMs, surge.latenciesMs, disturbed.latenciesMs];
  return {
    neighbourWaiting: waiting,
    aloneP50Ms: percentile(aloneMs, 50),
    surgeP50ToAlone: percentile(surgeMs, 50) / percentile(aloneMs, 50),
    surgeP99ToAlone: percentile(surgeMs, 99) / percentile(aloneMs, 99),
    neighbourP50Ms: percentile(disturbedMs, 50),
    neighbourP50ToAlone: percentile(disturbedMs, 50) / percentile(aloneMs, 50),
    neighbourP99ToAlone: percentile(disturbedMs, 99) / percentile(aloneMs, 99),
  };
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
