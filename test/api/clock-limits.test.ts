import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AdvanceView, ClockView } from '../../src/api/clock/schema.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { advance, clockOf } from '../support/fixtures/clock.ts';
import { buildPixCharge } from '../support/rows/build.ts';
import { buildProduct } from '../support/rows/catalog.ts';
import { chargeOf } from '../support/rows/payments.ts';
import { eventually } from '../support/waiting/eventually.ts';

let app: MoneyApp;
beforeAll(async () => {
  app = await createMoneyApp();
});
afterAll(() => app.close());

const WEEK_MS = 7 * 86_400_000;

/** Has a payer begin subscriptions of one plan. */
async function subscribe(api: ApiClient, cycle: 'WEEKLY' | 'MONTHLY', count: number): Promise<void> {
  const plan = await buildProduct(api, { cycle, price: 5_000 });
  for (let made = 0; made < count; made += 1) {
    const items = [{ id: plan.id, quantity: 1 }];
    const checkout = dataOf<{ id: string }>(await api.post('/v2/subscriptions/create', { items }));
    dataOf(await api.post('/v2/checkouts/simulate-payment', { id: checkout.id }));
  }
}

const move = (api: ApiClient, body: object) => api.post('/v2/dev/clock/advance', body);
const cancel = async (api: ApiClient) => dataOf<ClockView>(await api.post('/v2/dev/clock/cancel'));
const later = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

describe('the limits of an advance', () => {
  it('refuses more than five years at a time and names how far it can go', async () => {
    const { api } = await app.anotherStore();
    const beyondAnyCalendar = ['P999999Y', 'P999999M', 'P999999W', 'P999999D'].map((by) => ({ by }));
    for (const body of [
      { by: 'P100Y' },
      { by: 'P9999Y' },
      ...beyondAnyCalendar,
      { to: later(5 * 366 + 1) },
    ]) {
      const { status, json } = await move(api, body);
      expect(status).toBe(422);
      expect(json).toMatchObject({
        code: 'NOT_ACCEPTABLE',
        rule: 'CLOCK_TOO_FAR',
        issues: [{ path: Object.keys(body)[0] }],
        error: expect.stringMatching(
          /further than 5 years at a time: .* to \d{4}-\d\d-\d\dT[\d:.]+Z at most/,
        ),
      });
    }
    expect(await clockOf(api)).toMatchObject({ status: 'ready', movedFrom: null });
    expect((await move(api, { by: 'P5Y' })).status).toBe(200);
  });

  it('refuses more than 2,000 cycles at a time and accepts the target that it names', async () => {
    const { api } = await app.anotherStore();
    await subscribe(api, 'WEEKLY', 8);
    const { status, json } = await move(api, { by: 'P5Y', preview: true });
    expect(status).toBe(422);
    expect(json).toMatchObject({ rule: 'CLOCK_TOO_MANY_CYCLES', issues: [{ path: 'by' }] });
    const [, farthest = ''] =
      /more than 2000 cycles at a time: .* to (\S+) at most/.exec(json.error ?? '') ?? [];
    const { expected } = dataOf<AdvanceView>(await move(api, { to: farthest, preview: true }));
    expect(expected).toEqual({ target: farthest, cycles: 2_000, expiries: 0 });
    expect((await clockOf(api)).status).toBe('ready');
  });
});

describe('a preview of an advance', () => {
  it('previews the target, cycles and expiries of the advance that follows', async () => {
    const { api } = await app.anotherStore();
    await subscribe(api, 'MONTHLY', 2);
    const pix = await buildPixCharge(api, { expiresIn: 3_600 });
    const preview = dataOf<AdvanceView>(await move(api, { by: 'P2M', preview: true }));
    expect(preview).toMatchObject({ status: 'ready', target: null, expected: { cycles: 4, expiries: 1 } });
    expect(await clockOf(api)).toMatchObject({ status: 'ready', movedFrom: null });

    const moved = dataOf<AdvanceView>(await move(api, { to: preview.expected.target }));
    expect(moved).toMatchObject({ status: 'advancing', expected: preview.expected });
    await advance(api, { to: preview.expected.target });
    expect(dataOf(await api.get('/v2/events/list?name=subscription.renewed'))).toHaveLength(4);
    expect((await chargeOf(api, pix.id)).status).toBe('EXPIRED');
  });
});

describe('an advance with too many instants', () => {
  it('ends an advance where it stands after 10,000 instants', async () => {
    const { api, storeId } = await app.anotherStore();
    await app.stopWorker();
    try {
      dataOf(await move(api, { by: 'P1Y' }));
      await app.database.em
        .fork()
        .execute('update store_clocks set steps = 10000 where store_id = :storeId', { storeId });
    } finally {
      await app.startWorker();
    }
    await eventually(async () => expect((await clockOf(api)).status).toBe('ready'));
    expect(Date.parse((await clockOf(api)).now)).toBeLessThan(Date.now() + 60_000);
  });
});

describe('an advance while subscriptions are created', () => {
  it('ends an advance where it stands once more cycles are left than allowed', async () => {
    const { api, storeId } = await app.anotherStore();
    await subscribe(api, 'WEEKLY', 8);
    const setAll = (status: 'CANCELLED' | 'ACTIVE') =>
      app.database.em
        .fork()
        .execute(
          'update subscriptions set status = :status where store_id = :storeId',
          { status, storeId },
          'run',
        );
    await app.stopWorker();
    try {
      // As if all of them began after the advance did, and it had come a step further.
      await setAll('CANCELLED');
      dataOf(await move(api, { by: 'P5Y' }));
      await setAll('ACTIVE');
      await app.database.em
        .fork()
        .execute('update store_clocks set steps = 1 where store_id = :storeId', { storeId }, 'run');
    } finally {
      await app.startWorker();
    }
    await eventually(async () => expect((await clockOf(api)).status).toBe('ready'));
    expect(Date.parse((await clockOf(api)).now)).toBeLessThan(Date.now() + 60_000);
  });
});

describe('an advance that is cancelled', () => {
  it('stops a cancelled advance, keeps what has happened and can advance again', async () => {
    const { api } = await app.anotherStore();
    await subscribe(api, 'WEEKLY', 1);
    const renewals = async () =>
      dataOf<{ createdAt: string }[]>(
        await api.get('/v2/events/list?name=subscription.renewed&limit=100'),
      ).map(({ createdAt }) => createdAt);
    const [begun] = dataOf<{ createdAt: string }[]>(
      await api.get('/v2/events/list?name=subscription.completed'),
    );
    const { target } = dataOf<AdvanceView>(await move(api, { by: 'P5Y' }));
    await eventually(async () => expect((await clockOf(api)).steps).toBeGreaterThan(3));

    const stopped = await cancel(api);
    expect(stopped).toMatchObject({ status: 'ready', target: null, waitsFor: null });
    expect(stopped.now < String(target)).toBe(true);
    // What was due where it stood still happens, and nothing after it.
    const weeks = Math.floor((Date.parse(stopped.now) - Date.parse(begun?.createdAt ?? '')) / WEEK_MS);
    await eventually(async () => expect(await renewals()).toHaveLength(weeks));
    expect((await clockOf(api)).status).toBe('ready');

    await advance(api, { by: 'P1W' });
    const all = await renewals();
    expect(all).toHaveLength(weeks + 1);
    expect(new Set(all).size).toBe(weeks + 1);
  });

  it('starts one of many advances that several keys request at once', async () => {
    const { api, storeId } = await app.anotherStore();
    const keys = [api, ...(await Promise.all([1, 2, 3].map(() => app.clientWith({ storeId }))))];
    await app.stopWorker();
    try {
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          move(keys[index % 4] ?? api, { to: new Date(Date.now() + (index + 1) * WEEK_MS).toISOString() }),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(11).fill(409)]);
      const [begun] = answers.filter(({ status }) => status === 200);
      const { target } = dataOf<ClockView>(begun as NonNullable<typeof begun>);
      expect(await clockOf(api)).toMatchObject({ status: 'advancing', target });
    } finally {
      await app.startWorker();
    }
  });

  it('leaves a clock unchanged that is not advancing', async () => {
    const { api, storeId } = await app.anotherStore();
    expect(await cancel(api)).toMatchObject({ status: 'ready', movedFrom: null });
    const { now } = await advance(api, { by: 'P1D' });
    const after = await cancel(api);
    expect(after.status).toBe('ready');
    expect(Date.parse(after.now) - Date.parse(now)).toBeLessThan(60_000);
    const production = await app.clientWith({ storeId, devMode: false });
    expect((await production.post('/v2/dev/clock/cancel')).json).toMatchObject({ code: 'WRONG_ENVIRONMENT' });
  });

  it('accepts another target right after a cancel while no worker runs', async () => {
    const { api } = await app.anotherStore();
    await app.stopWorker();
    try {
      await move(api, { by: 'P1Y' });
      await cancel(api);
      expect((await move(api, { by: 'P1D' })).status).toBe(200);
    } finally {
      await app.startWorker();
    }
    await eventually(async () => expect((await clockOf(api)).status).toBe('ready'));
    expect(Date.parse((await clockOf(api)).now)).toBeLessThan(Date.now() + 2 * 86_400_000);
  });
});
