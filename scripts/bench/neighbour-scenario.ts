import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Api } from './api.ts';
import { type Bench, openStore, payOneByOne } from './bench.ts';
import type { Figures } from './figures.ts';
import { percentile, until } from './load.ts';

/** Endpoints of the neighbour that never answer, and as many that are fast until all of them stop at once. */
const ENDPOINTS_OF_A_KIND = 20;

/** Payments at which those that are fast at first show it. */
const WHILE_FAST = 3;

/**
 * How long a payment of one store takes to its webhook while the endpoints of another one hang and thousands
 * of its deliveries wait for them; beside the same without. And how long it takes in the surge before that, in
 * which those thousands are begun within seconds: a busy neighbour rather than a hanging one.
 */
export async function neighbour(bench: Bench): Promise<Figures> {
  const alone = await payOneByOne(bench);
  await using cleanup = new AsyncDisposableStack();
  const endpoints = cleanup.use(await startHangingEndpoints());
  const shop = await openStore(bench);
  cleanup.defer(() => shop.api.close());
  const webhooks = await Promise.all(endpoints.urls.map((url) => shop.api.subscribe(url)));
  // Its deliveries end with their webhooks, so that the next round begins in peace.
  cleanup.defer(async () => void (await Promise.all(webhooks.map((id) => shop.api.unsubscribe(id)))));

  for (let paid = 0; paid < WHILE_FAST; paid += 1) await pay(shop.api);
  await until('the endpoints that are fast', () => endpoints.answered() >= WHILE_FAST * ENDPOINTS_OF_A_KIND);
  endpoints.stopAnswering();
  const payments = Math.ceil(bench.durations.waitingDeliveries / endpoints.urls.length);
  for (let paid = 0; paid < payments; paid += 1) await pay(shop.api);
  const surge = await payOneByOne(bench);
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

/** How many of these endpoints are known to hang, which takes the half minute that the first attempts hang. */
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

/** Each on a server of its own, as connections are shared out per server too. */
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
