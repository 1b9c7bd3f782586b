import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { ThreadShares } from '../../src/api/limits/thread-shares.ts';
import { askedStatement, noteResumed, withCostCounted } from '../../src/request-cost.ts';

type Owner = 'store_1' | 'store_2';

let nowMs: number;
let areOthersBusy: boolean;
let shares: ThreadShares<Owner>;
let begun: number;
beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['performance'] });
  [nowMs, begun, areOthersBusy] = [1_000, 0, true];
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  shares = new ThreadShares(() => areOthersBusy, 2_000);
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

/** A request that keeps the main thread busy for so long. */
const request = (ms: number, owner: Owner = 'store_1', part = 'key_1') =>
  withCostCounted(() => {
    const run = async () => {
      begun += 1;
      nowMs += ms;
    };
    return shares.inTurn(owner, 'get', run, part);
  });

async function pass(ms: number): Promise<void> {
  nowMs += ms;
  await jest.advanceTimersByTimeAsync(ms);
}

it('lets cheap requests through, however many', async () => {
  for (let sent = 0; sent < 1_000; sent += 1) await request(3);
  expect(begun).toBe(1_000);
});

it('lets a read be paid back eight times beyond its first four milliseconds', async () => {
  await request(100);
  void request(50);
  // 768 ms are owed for the first one, of which 500 may be open.
  await pass(267);
  expect(begun).toBe(1);
  await pass(1);
  expect(begun).toBe(2);
  void request(50);
  await pass(317);
  expect(begun).toBe(2);
  await pass(1);
  expect(begun).toBe(3);
});

it('lets an owner wait for two seconds at most, whatever it took while it was alone', async () => {
  areOthersBusy = false;
  for (let sent = 0; sent < 100; sent += 1) await request(5_000);
  areOthersBusy = true;
  await request(1);
  void request(1);
  await pass(2_000);
  expect(begun).toBe(102);
});

it('starts all that wait when nobody else is busy any more', async () => {
  await request(100);
  const waiting = [1, 2, 3, 4].map(() => request(1));
  areOthersBusy = false;
  await pass(276);
  await Promise.all(waiting);
  expect(begun).toBe(5);
});

it('counts only the beginning of a request whose rest has turns of its own', async () => {
  await withCostCounted(async () => {
    await shares.beginInTurn('store_1', 'get', async () => undefined, 'key_1');
    nowMs += 1_000;
  });
  await request(1);
  await request(1);
  expect(begun).toBe(2);
});

it('lets an owner wait for its own requests only', async () => {
  await request(200);
  void request(1);
  await request(1, 'store_2');
  expect(begun).toBe(2);
});

it('lets nobody wait while others need nothing', async () => {
  areOthersBusy = false;
  await request(500);
  await request(500);
  expect(begun).toBe(2);
});

it('refuses a request whose turn does not come within five seconds', async () => {
  await request(1_000);
  const waiting = [1, 2, 3].map(() => request(1_000));
  const refused = expect(waiting[2]).rejects.toMatchObject({ status: 429, code: 'TOO_MANY_REQUESTS' });
  for (let seconds = 0; seconds < 6; seconds += 1) await pass(1_000);
  await refused;
  expect(begun).toBe(3);
});

it.each([
  ['get', 4],
  ['post', 8],
] as const)('runs requests at once that may wait for nobody or for a bank: %s', async (kind, atOnce) => {
  const run = () => {
    begun += 1;
    return new Promise<void>(() => undefined);
  };
  for (let sent = 0; sent < 8; sent += 1) void shares.inTurn('store_1', kind, run, 'key_1');
  await pass(1);
  expect(begun).toBe(atOnce);
});

it('refuses what a store has waiting beyond its share of the connections', async () => {
  const never = () => new Promise<void>(() => undefined);
  const refused = { store_1: 0, store_2: 0 };
  const send = (owner: Owner, kind: 'get' | 'post' | 'form') =>
    void shares.inTurn(owner, kind, never, 'key_1').catch(() => {
      refused[owner] += 1;
    });
  for (let sent = 0; sent < 600; sent += 1) send('store_1', 'get');
  for (let sent = 0; sent < 100; sent += 1) send('store_2', 'get');
  await pass(1);
  expect(refused).toEqual({ store_1: 225, store_2: 0 });
  begun = 0;
  const revoke = async () => {
    begun += 1;
  };
  await shares.inTurn('store_1', 'form', revoke, 'owner');
  expect(begun).toBe(1);
});

it('leaves connections to Postgres free while nobody else needs them', async () => {
  areOthersBusy = false;
  const run = () => {
    begun += 1;
    return new Promise<void>(() => undefined);
  };
  for (let sent = 0; sent < 20; sent += 1) void shares.inTurn('store_1', 'get', run, 'key_1');
  await pass(1);
  expect(begun).toBe(8);
});

it('lets a store sell while it pays back what it has read', async () => {
  await request(200);
  void request(1);
  const sell = async () => {
    begun += 1;
  };
  await withCostCounted(() => shares.inTurn('store_1', 'post', sell, 'key_1'));
  expect(begun).toBe(2);
});

it('lets a member wait for one request of another, however many wait', async () => {
  await request(200, 'store_1', 'support');
  for (let sent = 0; sent < 40; sent += 1) void request(100, 'store_1', 'support').catch(() => undefined);
  let isServed = false;
  void request(1, 'store_1', 'owner').then(() => {
    isServed = true;
  });
  // The first rests for 700 ms, and one of the forty may be before the owner's.
  await pass(700);
  await pass(600);
  expect(isServed).toBe(true);
});

/** A request whose statements take so long. */
const reading = (ms: number, kind: 'get' | 'post') =>
  withCostCounted(() =>
    shares.inTurn(
      'store_1',
      kind,
      async () => {
        begun += 1;
        const statement = askedStatement();
        statement?.sent();
        // The main thread ends its turn. Ticks are faked too.
        await jest.advanceTimersByTimeAsync(0);
        nowMs += ms;
        statement?.answered();
      },
      'key_1',
    ),
  );

it('lets a store pay back slow statements of reads', async () => {
  for (let sent = 0; sent < 10; sent += 1) await reading(5, 'get');
  await reading(250, 'get');
  void request(1);
  // 1,960 ms are owed, of which 500 may be open.
  await pass(1_459);
  expect(begun).toBe(11);
  await pass(1);
  expect(begun).toBe(12);
});

it('lets ordinary changes owe nothing, which take longer than ordinary reads', async () => {
  const sell = async () => {
    begun += 1;
    nowMs += 6;
  };
  for (let sent = 0; sent < 1_000; sent += 1)
    await withCostCounted(() => shares.inTurn('store_1', 'post', sell, 'key_1'));
  expect(begun).toBe(1_000);
});

it('counts no statements of changes, which may wait for each other', async () => {
  await reading(1_000, 'post');
  await reading(1_000, 'post');
  expect(begun).toBe(2);
});

it('serves the form of a session next, whatever other sessions and keys send', async () => {
  const send = (kind: 'form' | 'post', part: string) =>
    withCostCounted(async () => {
      const run = async () => {
        served.push(part);
        nowMs += 300;
      };
      await shares.inTurn('store_1', kind, run, part).catch(() => undefined);
    });
  const served: string[] = [];
  for (const session of ['support_1', 'support_2', 'stolen'])
    for (let sent = 0; sent < 20; sent += 1) void send('form', session);
  for (let sent = 0; sent < 20; sent += 1) void send('post', 'key_1');
  await pass(1);
  served.splice(0);
  void send('form', 'owner');
  for (let steps = 0; steps < 10; steps += 1) await pass(200);
  expect(served.filter((part) => part !== 'key_1').slice(0, 4)).toContain('owner');
});

it('starts requests that wait when a debt is paid back, without another request', async () => {
  const slow = () => new Promise<void>(() => undefined);
  await request(100);
  for (let sent = 0; sent < 3; sent += 1) void shares.inTurn('store_1', 'get', slow, 'key_1');
  const serve = async () => {
    isServed = true;
  };
  let isServed = false;
  void shares.inTurn('store_1', 'get', serve, 'key_1');
  // One runs, and will for ever. After another half a second the debt is small enough for the others.
  await pass(400);
  expect(isServed).toBe(false);
  await pass(200);
  await pass(250);
  expect(isServed).toBe(true);
});

it('serves the form of another session while those before it wait for a bank', async () => {
  const bank = () => new Promise<void>(() => undefined);
  const expensive = async () => {
    nowMs += 100;
  };
  const owe = () =>
    withCostCounted(() => shares.inTurn('store_1', 'post', expensive, 'key_1')).catch(() => undefined);
  const serve = async () => {
    isServed = true;
  };
  let isServed = false;
  await owe();
  for (let sent = 0; sent < 8; sent += 1) void shares.inTurn('store_1', 'form', bank, 'stolen');
  void shares.inTurn('store_1', 'form', serve, 'owner');
  for (let steps = 0; steps < 10; steps += 1) {
    void owe();
    await pass(250);
  }
  expect(isServed).toBe(true);
});

it('counts what a change does after its turn has ended', async () => {
  const change = async () => {
    begun += 1;
  };
  const late = async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    noteResumed();
    nowMs += 300;
  };
  void withCostCounted(() => shares.inTurn('store_1', 'post', late, 'key_1'));
  await pass(1_000);
  for (let sent = 0; sent < 5; sent += 1) void shares.inTurn('store_1', 'post', change, 'key_1');
  await pass(500);
  expect(begun).toBe(4);
});
