import { expect, it } from '@jest/globals';
import { createStore } from '../../src/cli/stores.ts';
import type { Webhook } from '../../src/database/entities/webhook.ts';
import { balanceOf } from '../../src/ledger/balance.ts';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import { openPages } from '../../src/recovery/find-open.ts';
import { rebuild } from '../../src/recovery/rebuild.ts';
import { auditDeps } from '../support/fixtures/audits.ts';
import {
  END_MS,
  GOES_ON_MS,
  LOSS_MS,
  OPEN_THINGS,
  type OpenFixture,
  type OpenThing,
} from '../support/fixtures/open-things.ts';
import { ScriptedProvider } from '../support/fixtures/scripted-provider.ts';
import { sleepUntil } from '../support/fixtures/subscriptions.ts';
import { createWorkflowFixture } from '../support/fixtures/workflow-fixture.ts';
import { startWebhookSink } from '../support/outside/webhook-sink.ts';
import { heldBy } from '../support/rows/books.ts';
import { insertWebhook } from '../support/rows/build.ts';
import { createTestDatabase } from '../support/rows/database.ts';
import { eventually } from '../support/waiting/eventually.ts';

/** The events that the store's endpoint subscribes to. */
const OPT_IN_NAMES: Webhook['events'] = [
  'transparent.completed',
  'transparent.refunded',
  'checkout.completed',
  'subscription.renewed',
  'subscription.payment_failed',
  'subscription.cancelled',
  'transfer.completed',
];

/** The number of scenarios that run each step at the same time. */
const AT_ONCE = 8;

/** Two fixtures of months. */
const TIMEOUT_MS = 180_000;

it(
  'ends all open work after a rebuild as it ends without the loss',
  async () => {
    const [untouched, rebuilt] = await Promise.all([
      runScenarios({ isLost: false }),
      runScenarios({ isLost: true }),
    ]);
    expect(rebuilt.things).toEqual(untouched.things);
    expect(rebuilt.events).toEqual(untouched.events);
    expect(rebuilt.deliveries).toEqual(untouched.deliveries);
    expect(rebuilt.books).toEqual(untouched.books);
    for (const { discrepancies } of [untouched, rebuilt]) expect(discrepancies).toEqual([]);
  },
  TIMEOUT_MS,
);

/** The outcome of all scenarios, with or without a loss of Temporal's data between their steps. */
async function runScenarios({ isLost }: { readonly isLost: boolean }) {
  await using cleanup = new AsyncDisposableStack();
  const { database, drop } = await createTestDatabase();
  cleanup.defer(drop);
  const { id: storeId } = await createStore(database.em.fork(), { name: 'Loja', city: 'SP' }, new Date());
  const sink = cleanup.use(await startWebhookSink());
  const { url: endpoint } = sink.endpoint();
  await insertWebhook(database, { storeId, endpoint, events: OPT_IN_NAMES });
  const before = { database, storeId, provider: new ScriptedProvider() };
  let fixture: OpenFixture = { ...(await createWorkflowFixture({ before })), sink };
  cleanup.defer(() => fixture.close());

  const start = await fixture.now();
  const things: (OpenThing & { readonly name: string })[] = [];
  await each([...Object.entries(OPEN_THINGS).entries()], async ([index, [name, make]]) => {
    things[index] = { name, ...(await make(fixture, start)) };
  });

  await advanceTo(fixture, start.getTime() + LOSS_MS);
  await each(things, (thing) => thing.before?.(fixture));
  await waitUntilIdle(fixture);
  if (isLost) {
    await fixture.close();
    // The new server is empty and starts at the current time, so its clock is set to the time of the loss.
    fixture = { ...(await createWorkflowFixture({ before })), sink };
  }
  await sleepUntil(fixture, new Date(start.getTime() + GOES_ON_MS));
  if (isLost) await rebuildAll(fixture);
  else await each(things, (thing) => thing.resumed?.(fixture));
  await each(things, (thing) => thing.after?.(fixture));
  await advanceTo(fixture, start.getTime() + END_MS);

  const em = database.em.fork();
  const tally = (sql: string) => em.execute<object[]>(sql);
  return {
    things: await Promise.all(things.map(async ({ name, ended }) => [name, await ended(fixture)])),
    events: await tally('select name, count(*)::int from events group by 1 order by 1'),
    deliveries: await tally('select status, count(*)::int from deliveries group by 1 order by 1'),
    books: [await heldBy(fixture), await balanceOf(em, { storeId, devMode: true })],
    discrepancies: (await verifyLedger(em, storeId)).discrepancies,
  };
}

/** Repeats the rebuild until every start succeeds. A repeated start of a running workflow has no effect. */
async function rebuildAll(fixture: OpenFixture): Promise<void> {
  const now = await fixture.now();
  await eventually(async () => {
    for await (const { resumed } of rebuild(auditDeps(fixture), { now, startedBefore: null }))
      for (const { kind, id, outcome } of resumed) expect([kind, id, outcome]).not.toContain('FAILED');
  });
}

async function advanceTo(fixture: OpenFixture, instantMs: number): Promise<void> {
  await sleepUntil(fixture, new Date(instantMs));
  await waitUntilIdle(fixture);
}

/** Waits until no open work is overdue. */
async function waitUntilIdle(fixture: OpenFixture): Promise<void> {
  await eventually(async () => {
    const due = { before: await fixture.now(), startedBefore: null };
    for (const kind of ['charge', 'checkout', 'subscription', 'delivery', 'settlement'] as const)
      for await (const items of openPages(fixture.database.em, kind, due))
        expect([kind, items.length]).toEqual([kind, 0]);
  }, TIMEOUT_MS);
}

async function each<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown> | undefined) {
  for (let first = 0; first < items.length; first += AT_ONCE)
    await Promise.all(items.slice(first, first + AT_ONCE).map(work));
}
