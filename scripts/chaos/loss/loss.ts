import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import type { Database } from '../../../src/database/orm.ts';
import { verifyLedger } from '../../../src/ledger/verify-ledger.ts';
import { auditAhead } from '../auditor.ts';
import { type Cluster, type ClusterOptions, startCluster } from '../cluster.ts';
import { compareProvider } from '../differences/provider.ts';
import { compareDeliveries } from '../differences/webhooks.ts';
import { Endpoints } from '../endpoints.ts';
import { Integrator, Tally } from '../integrator.ts';
import { openText } from '../open.ts';
import { openShop } from '../open-shop.ts';
import { rebuildWorkflows } from '../operator.ts';
import { settled } from '../settle.ts';
import { failedWorkflows } from '../workflows.ts';
import {
  fund,
  LASTING_THINGS,
  type OpenShop,
  type OpenThing,
  PASSING_THINGS,
  SOON_S,
  UNSUBSCRIBED_THINGS,
} from './open-things.ts';
import { countOpen, outcomeOf, sleepless, totalsOf } from './outcomes.ts';

/** Things that are created or requested at the same time. */
const AT_ONCE = 16;
const LOOK_EVERY_MS = 500;
/** Longer than short timers, later requests and webhooks take. */
const patienceMs = (count: number) => 240_000 + count * 500;
const TRIAL = {
  name: 'Teste',
  price: 4_900,
  currency: 'BRL',
  externalId: 'trial',
  cycle: 'WEEKLY',
  trialDays: 7,
};

export interface LossOptions extends ClusterOptions {
  /** How many things are open. */
  readonly count: number;
  readonly log: (line: string) => void;
}

/** The result of a run in which everything went down at once and came back with or without Temporal's data. */
export interface LossRun {
  readonly open: ReadonlyMap<string, number>;
  /** How long `workflows rebuild` took; null if nothing was lost. */
  readonly rebuiltMs: number | null;
  /** From the restart of all processes to the end of all work. */
  readonly settledMs: number;
  readonly startedByAuditor: readonly string[];
  /** How many things ended in the same way, by what they are and how they ended. */
  readonly outcomes: ReadonlyMap<string, number>;
  readonly totals: ReadonlyMap<string, string>;
  /** Webhooks that an endpoint has taken, each counted once. */
  readonly taken: number;
  /** What is wrong in this run by itself. */
  readonly wrong: readonly string[];
}

/**
 * Opens things in every state, kills every process, deletes Temporal's data if it is to be lost, starts all
 * again, rebuilds the lost workflows, and waits until all work has ended.
 */
export async function runLoss(options: LossOptions, isLost: boolean): Promise<LossRun> {
  const { count, log } = options;
  await using cluster = await startCluster(options);
  await using endpoints = await Endpoints.start(1);
  const { database, temporal } = cluster;
  await slowBank(database);
  await using closing = new AsyncDisposableStack();
  const connection = Connection.lazy({ address: cluster.temporalAddress });
  closing.defer(() => connection.close());
  const client = new Client({ connection });
  const [nobodyWaits, overdue] = [new AbortController(), new AbortController()];
  const shop = await openStore(cluster, endpoints, overdue.signal, nobodyWaits.signal);

  await fund(shop, count);
  log(`Opening ${count} things`);
  const things = await open(shop, LASTING_THINGS, PASSING_THINGS, count);
  const passedMs = performance.now() + SOON_S * 1_000;
  await Promise.all(ofKind(cluster, 'worker').map((worker) => worker.kill()));
  const unsubscribed = await open(shop, UNSUBSCRIBED_THINGS, {}, Math.ceil(count / 10));
  const all = [...things, ...unsubscribed];
  const answers = Promise.all(all.map(({ unanswered }) => unanswered?.()));
  // A failure is handled where the answers are awaited.
  answers.catch(() => undefined);
  await haveLeft(database, all);
  await Promise.all(ofKind(cluster, 'api').map((api) => api.kill()));
  nobodyWaits.abort();
  await temporal.server.end();
  const openThen = await countOpen(database);
  if (isLost) await temporal.forget();
  log(`All is down${isLost ? ", and Temporal's data deleted" : ''}`);

  await temporal.server.restart();
  for (const { process } of cluster.members) process.start();
  await Promise.all(cluster.members.map(({ process }) => process.ready()));
  const upMs = performance.now();
  const rebuiltMs = isLost ? await rebuildWorkflows(cluster, log) : null;
  endpoints.mend();
  let isServing = true;
  const served = eachOf(all, async ({ after }) => after?.())
    .then(() => answers)
    .then(() => sleep(Math.max(0, passedMs - performance.now())))
    .finally(() => {
      isServing = false;
    });
  served.catch(() => undefined);
  const startedByAuditor: string[] = [];
  const { open: left } = await settled({
    database,
    temporal: client,
    integratorOf: () => shop.integrator,
    audit: async () => {
      startedByAuditor.push(...(await auditAhead(cluster)));
    },
    isServing: () => isServing,
    patienceMs: patienceMs(count),
  });
  const settledMs = performance.now() - upMs;
  overdue.abort();
  const wrong = await served.then(
    () => [],
    (error: unknown) => [String(error)],
  );
  log(`All had ended after ${Math.round(settledMs / 1_000)} s`);

  const outcomes = new Map<string, number>();
  for (const { name, ids } of all) {
    const outcome = `${name}: ${await outcomeOf(database, ids)}`;
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  return {
    open: openThen,
    rebuiltMs,
    settledMs,
    startedByAuditor,
    outcomes,
    totals: await totalsOf(database),
    taken: endpoints.all
      .flatMap(({ deliveries }) => [...deliveries.values()])
      .filter(({ taken }) => taken > 0).length,
    wrong: [
      ...wrong,
      ...left.map((each) => `not ended: ${openText(each)}`),
      ...(await sleepless(database, client)),
      ...(await failedWorkflows(client)),
      ...(await verifyLedger(database.em.fork())).discrepancies.map(
        (each) => `ledger: ${JSON.stringify(each)}`,
      ),
      ...(await compareProvider(database)),
      ...(await Promise.all(endpoints.all.map((endpoint) => compareDeliveries(database, endpoint)))).flat(),
    ],
  };
}

interface NamedThing extends OpenThing {
  readonly name: string;
}

/** Opens `count` things, as many of each kind. Things with short timers come last. */
async function open(
  shop: OpenShop,
  lasting: typeof LASTING_THINGS,
  passing: typeof PASSING_THINGS,
  count: number,
): Promise<NamedThing[]> {
  const [first, last] = [Object.entries(lasting), Object.entries(passing)];
  const kinds = first.length + last.length;
  const numbered = Array.from({ length: count }, (_, number) => ({ number, kind: number % kinds }));
  const things: NamedThing[] = [];
  const make = async ({ number, kind }: { number: number; kind: number }) => {
    const recipe = first[kind] ?? last[kind - first.length];
    if (recipe !== undefined) things.push({ name: recipe[0], ...(await recipe[1](shop, number)) });
  };
  await eachOf(
    numbered.filter(({ kind }) => kind < first.length),
    make,
  );
  await eachOf(
    numbered.filter(({ kind }) => kind >= first.length),
    make,
  );
  return things;
}

async function eachOf<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void> {
  const left = [...items];
  const next = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

async function openStore(
  { apiUrls, database }: Cluster,
  endpoints: Endpoints,
  overdue: AbortSignal,
  nobodyWaits: AbortSignal,
): Promise<OpenShop> {
  const tally = new Tally();
  const { shop, keyText } = await openShop(database, apiUrls, endpoints, tally, overdue, ['erratic', 'dead']);
  const { data } = await shop.integrator.post<{ id: string }>('products/create', TRIAL);
  const impatient = new Integrator(apiUrls, keyText, tally, nobodyWaits);
  return { ...shop, impatient, trialId: data?.id ?? '' };
}

function ofKind({ members }: Cluster, kind: 'api' | 'worker') {
  return members.map(({ process }) => process).filter(({ name }) => name.startsWith(kind));
}

const TRACES = `
  select count(*)::integer as count from charges where id = any(string_to_array(?, ',')) and exists (
    select from sandbox_charges where reference = provider_reference and sandbox_charges.status = 'PAID')
  union all select count(*)::integer from refunds where charge_id = any(string_to_array(?, ','))`;

/** Waits until the requests have had every effect that needs no worker. */
async function haveLeft(database: Database, things: readonly OpenThing[]): Promise<void> {
  const idsOf = (trace: OpenThing['leaves']) =>
    things.filter(({ leaves }) => leaves === trace).flatMap(({ ids }) => ids);
  const [paid, refunded] = [idsOf('payment'), idsOf('refund')];
  for (;;) {
    const counts = await database.em
      .fork()
      .execute<{ count: number }[]>(TRACES, [paid.join(','), refunded.join(',')]);
    const left = counts.reduce((sum, { count }) => sum + count, 0);
    if (left === paid.length + refunded.length) return;
    await sleep(LOOK_EVERY_MS);
  }
}

/** Makes transfers to the bank's slow key last long enough to be pending when everything goes down. */
async function slowBank(database: Database): Promise<void> {
  await database.em.fork().execute(`
    create function take_long() returns trigger language plpgsql as $$
    begin new.completes_at := new.completes_at + interval '40 seconds'; return new; end $$;
    create trigger sandbox_transfers_take_long before insert on sandbox_transfers
      for each row when (new.completes_at > now() + interval '1 second') execute function take_long();`);
}
