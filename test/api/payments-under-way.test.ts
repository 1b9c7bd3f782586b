import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { StoreId } from '../../src/domain/ids.ts';
import { PaymentsUnderWay } from '../../src/temporal/payments-under-way.ts';

const STORE = { storeId: 'store_1' as StoreId, devMode: false };
const OTHER = { storeId: 'store_2' as StoreId, devMode: false };
const DEV = { ...STORE, devMode: true };

let under: PaymentsUnderWay;
beforeEach(() => {
  jest.useFakeTimers();
  under = new PaymentsUnderWay();
});
afterEach(() => void jest.useRealTimers());

/** Begins payments. @returns what ends each of them. */
function pay(count: number, environment = STORE): (() => Promise<void>)[] {
  return Array.from({ length: count }, () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const paid = under.during(environment, () => promise);
    return async () => {
      resolve();
      await paid;
    };
  });
}

/** Asks for the turn of a create. @returns whether it has come. */
function create(environment = STORE): () => boolean {
  let hasCome = false;
  void under.turnOfCreate(environment).then(() => {
    hasCome = true;
  });
  return () => hasCome;
}

const settled = () => jest.advanceTimersByTimeAsync(0);

it('lets charges begin at once beside fifteen payments of their environment', async () => {
  pay(15);
  const turn = create();
  await settled();
  expect(turn()).toBe(true);
});

it('lets one charge begin for each payment that ends, the oldest first', async () => {
  const [first, second] = pay(16);
  const turns = [create(), create()];
  await settled();
  expect(turns.map((turn) => turn())).toEqual([false, false]);
  await first?.();
  await settled();
  expect(turns.map((turn) => turn())).toEqual([true, false]);
  await second?.();
  await settled();
  expect(turns.map((turn) => turn())).toEqual([true, true]);
});

it('delays no charge of another store or environment', async () => {
  pay(100);
  const turns = [create(OTHER), create(DEV)];
  await settled();
  expect(turns.map((turn) => turn())).toEqual([true, true]);
});

it('lets a charge begin after three seconds however many payments follow', async () => {
  pay(16);
  const turn = create();
  await jest.advanceTimersByTimeAsync(2_400);
  pay(16);
  await jest.advanceTimersByTimeAsync(500);
  expect(turn()).toBe(false);
  await jest.advanceTimersByTimeAsync(200);
  expect(turn()).toBe(true);
});

it('does not count payments that wait for their provider for long', async () => {
  pay(16);
  await jest.advanceTimersByTimeAsync(2_500);
  const turn = create();
  await settled();
  expect(turn()).toBe(true);
});

it('counts a payment that fails no longer', async () => {
  pay(15);
  await expect(under.during(STORE, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  const turn = create();
  await settled();
  expect(turn()).toBe(true);
});

/** Pays a charge of the environment now and every second. */
async function paySeconds(environment: typeof STORE, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    await pay(1, environment)[0]?.();
    await jest.advanceTimersByTimeAsync(1_000);
  }
}

it('waits for slow payments of a store for 15 seconds while others are decided', async () => {
  await paySeconds(STORE, 1);
  await paySeconds(OTHER, 13);
  expect(under.isProgressing(STORE)).toBe(true);
  await paySeconds(OTHER, 1);
  // The provider of this store may hang.
  expect([under.isProgressing(STORE), under.isProgressing(OTHER)]).toEqual([false, true]);
});

it('shows that payments are decided until two seconds after the last one', async () => {
  expect(under.isProgressing(STORE)).toBe(false);
  const [first] = pay(2);
  await first?.();
  await jest.advanceTimersByTimeAsync(1_900);
  expect([under.isProgressing(STORE), under.isProgressing(OTHER)]).toEqual([true, false]);
  await jest.advanceTimersByTimeAsync(200);
  expect(under.isProgressing(STORE)).toBe(false);
});
