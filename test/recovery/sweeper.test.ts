import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Client } from '@temporalio/client';
import { createStore } from '../../src/cli/stores.ts';
import { RefundEntity } from '../../src/database/entities/refund.ts';
import type { Webhook } from '../../src/database/entities/webhook.ts';
import { type Notices, Sweeper } from '../../src/recovery/sweeper.ts';
import type { WorkflowStart } from '../../src/temporal/workflow-start.ts';
import { NO_CLOCKS } from '../support/api/no-starter.ts';
import { requestRefund } from '../support/fixtures/money.ts';
import { MisbehavingProvider } from '../support/outside/misbehaving-provider.ts';
import { insertDelivery, insertWebhook } from '../support/rows/build.ts';
import { insertPix } from '../support/rows/charges.ts';
import { createTestDatabase, type TestDatabase } from '../support/rows/database.ts';
import { SILENT_LOG } from '../support/servers/silent-temporal.ts';
import { eventually } from '../support/waiting/eventually.ts';

const SECOND_MS = 1_000;
/** More than are looked at at once. */
const MANY = 60;
/** One for all charges: it numbers them. */
const provider = new MisbehavingProvider();

let test: TestDatabase;
let webhook: Webhook;
let started: string[];
/** Refunds that a run knows of. */
let running: Set<string>;

beforeAll(async () => {
  test = await createTestDatabase();
});

beforeEach(async () => {
  const { database } = test;
  const em = database.em.fork();
  await em.execute('delete from deliveries');
  await em.execute('delete from refunds');
  const { id: storeId } = await createStore(em, { name: 'Loja', city: 'SAO PAULO' }, new Date());
  webhook = await insertWebhook(database, { storeId });
  started = [];
  running = new Set();
});

afterAll(() => test.drop());

/** Temporal as it is where a part of it answers nobody. @param isOut whether this workflow, or refund, is of that part. */
function sweeper(isOut: (id: string) => boolean, notices: readonly Notices[] = []): Sweeper {
  const reach = async (id: string) => {
    if (isOut(id)) throw new Error('a shard does not answer');
    started.push(id);
  };
  const startOnly = ({ id }: WorkflowStart) => reach(id);
  return new Sweeper({
    client: { withDeadline: (_, call) => call() } as Client,
    database: test.database,
    starter: { startOnly },
    chargeUpdates: {
      isSendingBack: async (_, what) => 'refundId' in what && running.has(what.refundId),
      refund: (_, refundId) => reach(refundId).then(() => 'REFUNDED'),
    },
    notices,
    clocks: NO_CLOCKS,
    log: SILENT_LOG,
  });
}

type Mark = (createdAt: Date) => Date | null;
const NEVER_STARTED: Mark = () => null;
const MARKED: Mark = (createdAt) => createdAt;

/** A delivery without an attempt since then. @returns its id. */
async function unattempted(mark: Mark, secondsAgo: number): Promise<string> {
  const createdAt = new Date(Date.now() - secondsAgo * SECOND_MS);
  const changes = { createdAt, workflowStartedAt: mark(createdAt) };
  return (await insertDelivery(test.database, webhook, changes)).id;
}

describe.each([
  ['that nobody has started', NEVER_STARTED],
  ['whose run is lost', MARKED],
])('a webhook %s', (_, mark) => {
  it('starts a delivery although many older ones cannot start', async () => {
    const older = new Set<string>();
    for (let index = 0; index < MANY; index += 1) older.add(await unattempted(mark, 200 + index));
    const id = await unattempted(mark, 100);
    const sweeping = sweeper((each) => older.has(each));
    // Two looks at so many at once, and one for what is new.
    for (let look = 0; look < 3; look += 1) await sweeping.sweep(new Date());
    expect(started).toEqual([id]);
  });

  it('starts deliveries while a notification gets no answer', async () => {
    const silence = Promise.withResolvers<void>();
    const sweeping = sweeper(() => false, [{ notifyAgain: () => silence.promise }]);
    sweeping.start();
    for (let count = 1; count <= 2; count += 1) {
      const id = await unattempted(mark, 100);
      await eventually(async () => expect(started).toContain(id));
    }
    silence.resolve();
    await sweeping.close();
  });
});

it('starts a lost webhook although many cannot start and workers restart each time', async () => {
  const older = new Set<string>();
  for (let index = 0; index < MANY; index += 1) older.add(await unattempted(MARKED, 200 + index));
  const id = await unattempted(MARKED, 100);
  for (let look = 0; look < 3; look += 1) await sweeper((each) => older.has(each)).sweep(new Date());
  expect(started).toEqual([id]);
});

it('resumes a refund without a workflow although many older ones cannot start', async () => {
  const { database } = test;
  const { storeId } = webhook;
  const charge = await insertPix({ database, storeId, provider, now: async () => new Date() });
  const requested = (secondsAgo: number) => {
    const at = new Date(Date.now() - secondsAgo * SECOND_MS);
    return requestRefund({ database, now: async () => at }, charge, 1);
  };
  const older = new Set<string>();
  for (let index = 0; index < MANY; index += 1) older.add((await requested(200 + index)).id);
  const { id } = await requested(100);
  const sweeping = sweeper((each) => older.has(each) || each === charge.id);
  for (let look = 0; look < 2; look += 1) await sweeping.sweep(new Date());
  expect(started).toEqual([id]);
});

describe('a refund whose money is set aside', () => {
  /** Reserves a refund at an instant. No run touches it afterwards. @returns its id. */
  async function setAside(secondsAgo: number): Promise<string> {
    const { database } = test;
    const { storeId } = webhook;
    const at = new Date(Date.now() - secondsAgo * SECOND_MS);
    const charge = await insertPix({ database, storeId, provider, now: async () => at });
    const { id } = await requestRefund({ database, now: async () => at }, charge, 1);
    await database.em.fork().nativeUpdate(RefundEntity, { id }, { status: 'PENDING', updatedAt: at });
    return id;
  }

  it('resumes a reserved refund after a minute if no run knows it', async () => {
    await setAside(55);
    const lost = await setAside(65);
    await sweeper((id) => id.startsWith('pix_')).sweep(new Date());
    expect(started).toEqual([lost]);
  });

  it('leaves a reserved refund to its run, and to the auditor after twenty minutes', async () => {
    running.add(await setAside(65));
    await setAside(21 * 60);
    await sweeper((id) => id.startsWith('pix_')).sweep(new Date());
    expect(started).toEqual([]);
  });

  it('checks a reserved refund every thirty seconds', async () => {
    const lost = await setAside(65);
    const sweeping = sweeper((id) => id.startsWith('pix_'));
    const atMs = Date.now();
    for (const seconds of [0, 29, 30]) await sweeping.sweep(new Date(atMs + seconds * SECOND_MS));
    expect(started).toEqual([lost, lost]);
  });
});

describe('a postponed webhook whose endpoint hangs', () => {
  const pause = (seconds: number) =>
    test.database.em.fork().execute(
      `insert into endpoint_breakers (webhook_id, hangs, paused_until) values (:id, 5, now() + :seconds * interval '1 second')
       on conflict (webhook_id) do update set paused_until = excluded.paused_until`,
      { id: webhook.id, seconds },
    );

  it('stays unstarted until the pause of the endpoint ends', async () => {
    const id = await unattempted(NEVER_STARTED, 100);
    await pause(60);
    await sweeper(() => false).sweep(new Date());
    expect(started).toEqual([]);
    await pause(-1);
    await sweeper(() => false).sweep(new Date());
    expect(started).toEqual([id]);
  });

  it('starts after an hour although the endpoint is paused', async () => {
    const id = await unattempted(NEVER_STARTED, 3_601);
    await pause(60);
    await sweeper(() => false).sweep(new Date());
    expect(started).toEqual([id]);
  });
});
