import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WebhookEntity } from '../../src/database/entities/webhook.ts';
import { type Database, openDatabase } from '../../src/database/orm.ts';
import { REQUEST_LIMITS } from '../../src/database/time-limits.ts';
import { mintId } from '../../src/ids.ts';
import { createTestApp, type TestApp } from '../support/api/app.ts';
import { webhookBody } from '../support/rows/build.ts';
import { createTestDatabase } from '../support/rows/database.ts';
import { TcpProxy } from '../support/servers/tcp-proxy.ts';
import { eventually } from '../support/waiting/eventually.ts';
import { hold } from '../support/waiting/hold.ts';

const POOL_SIZE = 2;

let operator: Awaited<ReturnType<typeof createTestDatabase>>;
/** The network between the service and Postgres. */
let network: TcpProxy;
let service: Database;
let app: TestApp;

beforeAll(async () => {
  operator = await createTestDatabase();
  network = await TcpProxy.start(Number(new URL(operator.url).port));
  const url = Object.assign(new URL(operator.url), { hostname: '127.0.0.1', port: String(network.port) });
  service = await openDatabase(url.href, POOL_SIZE, REQUEST_LIMITS);
  app = await createTestApp({}, { database: service });
});

afterAll(async () => {
  await app.close();
  await service.close(true);
  await network[Symbol.asyncDispose]();
  await operator.drop();
});

function create(name: string, key: string) {
  const headers = { 'Idempotency-Key': key };
  return app.api.post('/webhooks/create', webhookBody({ name }), { headers });
}

const webhooksNamed = (name: string) => operator.database.em.fork().count(WebhookEntity, { name });

/** Of ids that may exist. */
const PAGES = [`/pay/${mintId('checkout', new Date())}`, `/boleto/${mintId('boletoCharge', new Date())}`];

/** One request of each kind, and more of them than the pool has connections. */
async function askAll() {
  const pages = PAGES.map(async (path) => {
    const { status, headers } = await fetch(`${app.api.url}${path}`);
    return [status, headers.get('Retry-After')];
  });
  const calls = [app.api.get('/webhooks/list'), create('never', randomUUID()), create('never', randomUUID())];
  const answers = calls.map(async (call) => {
    const { status, headers, json } = await call;
    return [status, headers.get('Retry-After'), json.code];
  });
  return Promise.all([...pages, ...answers]);
}

describe('while Postgres', () => {
  it('returns 503 while Postgres does not answer and recovers by itself', async () => {
    expect(await create('before', randomUUID())).toMatchObject({ status: 200 });
    network.swallow();
    const [page, boleto, ...calls] = await askAll().finally(() => network.flow());
    expect([page, boleto]).toEqual(Array(2).fill([503, '5']));
    expect(calls).toEqual(Array(3).fill([503, '5', 'TEMPORARILY_UNAVAILABLE']));
    await eventually(async () => expect(await create('after', 'after')).toMatchObject({ status: 200 }));
    expect([await webhooksNamed('never'), await webhooksNamed('after')]).toEqual([0, 1]);
  });

  it('returns 503 while a lock blocks the request and stores nothing', async () => {
    const key = randomUUID();
    {
      await using _ = await hold(operator.database, 'lock table webhooks in share mode');
      expect(await create('locked out', key)).toMatchObject({
        status: 503,
        json: { code: 'TEMPORARILY_UNAVAILABLE' },
      });
    }
    expect(await create('locked out', key)).toMatchObject({ status: 200 });
    expect(await webhooksNamed('locked out')).toBe(1);
  });
});

it('releases the locks of a process that stops in the middle of a transaction', async () => {
  const limits = { ...REQUEST_LIMITS, idleInTransactionMs: 100 };
  const stopped = await openDatabase(operator.url, 1, limits);
  try {
    await using _ = await hold(stopped, 'lock table webhooks in share mode');
    expect(await create('not locked out', randomUUID())).toMatchObject({ status: 200 });
  } finally {
    await stopped.close(true);
  }
});
