import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { StoreId } from '../../src/domain/ids.ts';
import { DeviceReserve } from '../../src/http/device-reserve.ts';
import { KeyTraffic } from '../../src/http/key-traffic.ts';
import { RateLimiter } from '../../src/http/rate-limiter.ts';
import { SharedRates } from '../../src/http/shared-rates.ts';
import { createTestApp, createTestStore, TEST_CONFIG, type TestApp } from '../support/api/app.ts';
import { createTestDatabase, type TestDatabase } from '../support/rows/database.ts';
import { eventually } from '../support/waiting/eventually.ts';

const NO_LOG = { warn: () => undefined };

const LIMIT = { perSecond: 20, burst: 20 };

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

/** One API process, as far as its limits are concerned. */
class Process {
  readonly #limiter = new RateLimiter(LIMIT);
  readonly #shared = new SharedRates(db.database, this.#limiter, NO_LOG);

  /** Asks so many times, spread over a second, and exchanges at its end. @returns how many were let through. */
  async second(owner: string, fromMs: number, asked: number): Promise<number> {
    let allowed = 0;
    for (let time = 0; time < asked; time += 1) {
      const atMs = fromMs + (time * 1_000) / asked;
      this.#shared.note(owner, atMs);
      if (this.#limiter.take(owner, atMs).isAllowed) allowed += 1;
    }
    await this.#shared.exchange(fromMs + 1_000);
    return allowed;
  }
}

/** @returns what each process let through in the last of these seconds, a second. */
async function perSecond(owner: string, asked: readonly number[], seconds = 10, counted = 5) {
  const processes = asked.map(() => new Process());
  const allowed = asked.map(() => 0);
  for (let second = 0; second < seconds; second += 1) {
    for (const [index, process] of processes.entries()) {
      const passed = await process.second(owner, second * 1_000, asked[index] ?? 0);
      if (second >= seconds - counted) allowed[index] = (allowed[index] ?? 0) + passed;
    }
  }
  return allowed.map((passed) => passed / counted);
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

describe('processes share the limit of a store', () => {
  it('splits the limit equally between two processes with equal traffic', async () => {
    const allowed = await perSecond('equal', [50, 50]);
    expect(sum(allowed)).toBeGreaterThan(18);
    expect(sum(allowed)).toBeLessThanOrEqual(21);
    expect(Math.abs((allowed[0] ?? 0) - (allowed[1] ?? 0))).toBeLessThanOrEqual(2);
  });

  it('splits the limit between processes by their traffic', async () => {
    const [often = 0, rarely = 0] = await perSecond('unequal', [90, 30]);
    expect(often + rarely).toBeLessThanOrEqual(22);
    expect(often).toBeGreaterThan(13);
    expect(rarely).toBeGreaterThan(3);
  });

  it('refuses nothing while four processes together stay below the limit', async () => {
    expect(await perSecond('calm', [4, 4, 4, 4])).toEqual([4, 4, 4, 4]);
  });

  it('gives the whole limit to the remaining process once the other is gone', async () => {
    const [stays, goes] = [new Process(), new Process()];
    for (let second = 0; second < 4; second += 1) {
      await stays.second('gone', second * 1_000, 50);
      await goes.second('gone', second * 1_000, 50);
    }
    await db.database.em
      .fork()
      .execute(`update shared_rates set reported_at = reported_at - interval '4 seconds'`);
    await stays.second('gone', 4_000, 50);
    await stays.second('gone', 8_000, 50);
    expect(await stays.second('gone', 9_000, 50)).toBeGreaterThanOrEqual(19);
  });
});

it('shares the reserve of a device between two processes', async () => {
  const reserves = [1, 2].map(() => new DeviceReserve(db.database, NO_LOG, () => 'laptop'));
  const headers = { cookie: `recebe_device=${'x'.repeat(100)}` };
  const request = { url: '/dashboard/sign-in', headers } as IncomingMessage;
  let nowMs = 0;
  const passedOf = (reserve: DeviceReserve) =>
    Array.from({ length: 40 }, () => reserve.take(request, '198.51.100.1', nowMs, 1)).filter(Boolean).length;
  expect(reserves.map(passedOf)).toEqual([30, 30]);
  await eventually(() => {
    nowMs += 1_000;
    // By itself, each would let one through every second.
    expect(sum(reserves.map(passedOf))).toBe(0);
  });
});

describe('without Postgres', () => {
  it('applies the limit in one process if Postgres is out of reach', async () => {
    const gone = await createTestDatabase();
    await gone.drop();
    const traffic = new KeyTraffic(gone.database, LIMIT, NO_LOG);
    let allowed = 0;
    for (let time = 0; time < 500; time += 1) {
      const at = new Date(time * 10);
      if (traffic.take({ storeId: 'store_1' as StoreId, devMode: true }, at).isAllowed) allowed += 1;
      if (time % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    // At 100 requests a second, 88 are refused, at a tenth of a token each, once there are two seconds' worth more than the limit.
    expect(allowed).toBeGreaterThanOrEqual(LIMIT.burst + 5 * 12);
    expect(allowed).toBeLessThanOrEqual(LIMIT.burst + 5 * 15);
  });
});

describe('two API processes', () => {
  let now = new Date('2026-12-02T15:00:00.000Z');
  let apps: TestApp[];
  beforeAll(async () => {
    const config = { ...TEST_CONFIG, rateLimit: { perSecond: 10, burst: 10 } };
    const given = { config, clock: () => now };
    apps = [
      await createTestApp(given, { database: db.database }),
      await createTestApp(given, { database: db.database }),
    ];
  });
  beforeEach(() => {
    now = new Date(now.getTime() + 60_000);
  });
  afterAll(async () => {
    for (const app of apps) await app.close();
  });

  it('allows two processes together only the limit of one store', async () => {
    const { id: storeId } = await createTestStore(db.database);
    const clients = await Promise.all(apps.map((app) => app.clientWith({ storeId })));
    await eventually(async () => {
      now = new Date(now.getTime() + 1_000);
      const answers = await Promise.all(
        clients.flatMap((client) => Array.from({ length: 10 }, () => client.get('/v2/customers/list'))),
      );
      // Each by itself would let through ten.
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    });
  });
});
