import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TcpProxy } from '../../test/support/servers/tcp-proxy.ts';
import { freePort } from '../embedded/ports.mjs';
import { Api } from './api.ts';
import { type Bench, countLost, openStore } from './bench.ts';
import type { Figures } from './figures.ts';
import { type Load, openLoop, percentile, until } from './load.ts';
import { spawnApi } from './service.ts';

/** Concurrent requests of another store that need Temporal, each with an `Idempotency-Key`. */
const WAITING_CANCELS = 30;

/** Far below the capacity of the service, so that only waiting makes a create slow. */
const CREATES_PER_SECOND = 50;

/**
 * How long creates with an `Idempotency-Key` take while Temporal does not answer and another store's requests wait for it. Uses
 * a separate API process whose packets to Temporal are dropped.
 */
export async function away(bench: Bench): Promise<Figures> {
  await using cleanup = new AsyncDisposableStack();
  const { hostname, port } = new URL(`http://${bench.endpoints.temporalAddress}`);
  const temporal = cleanup.use(await TcpProxy.start(Number(port)));
  const folder = mkdtempSync(join(tmpdir(), 'recebe-bench-api-'));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  const service = spawnApi(folder, {
    DATABASE_URL: bench.endpoints.databaseUrl,
    TEMPORAL_ADDRESS: `${hostname}:${temporal.port}`,
    PORT: String(await freePort()),
  });
  cleanup.defer(() => service.stop());
  const api = cleanup.adopt(new Api(await service.ready(), bench.endpoints.demoKey), (opened) =>
    opened.close(),
  );
  const shop = await openStore({ ...bench, api });
  cleanup.defer(() => shop.api.close());

  const waiting: string[] = [];
  while (waiting.length < WAITING_CANCELS) waiting.push(await shop.api.createCharge());
  const acknowledged: string[] = [];
  const creates = (): Promise<Load> =>
    openLoop(bench.durations.halfRateMs, CREATES_PER_SECOND, async () => {
      acknowledged.push(await api.createCharge(randomUUID()));
    });

  const there = await creates();
  temporal.swallow();
  // They get a 503 after their time-out, and are repeated until Temporal is back.
  const cancels = waiting.map((id) => askUntilCancelled(shop.api, id));
  const gone = await creates();
  temporal.flow();
  await Promise.all(cancels);
  await until('the starts', async () => (await countLost(bench, acknowledged)) === 0, { everyMs: 500 });
  return {
    keyedP50Ms: percentile(there.latenciesMs, 50),
    awayP50Ms: percentile(gone.latenciesMs, 50),
    awayP99Ms: percentile(gone.latenciesMs, 99),
  };
}

/** Repeats the request with its key until it is done. */
async function askUntilCancelled(api: Api, chargeId: string): Promise<void> {
  const key = randomUUID();
  await until('a charge to be cancelled', () => api.cancelCharge(chargeId, key), { everyMs: 250 });
}
