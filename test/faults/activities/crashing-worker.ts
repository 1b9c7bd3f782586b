import { AsyncLocalStorage } from 'node:async_hooks';
import type { ActivityDeps } from '../../../activities/deps.ts';
import type { Database } from '../../../src/database/orm.ts';
import { aroundCalls } from '../../../src/providers/around-calls.ts';
import { type Providers, storeProvidersOf } from '../../../src/providers/providers.ts';

/** What an activity causes outside its process: a commit, a call of the provider, or a call of Temporal. */
type Effect = string;

/** Calls of Temporal. Repeating one has no effect, because workflow ids follow from ids of rows. */
export const TEMPORAL_CALLS = [
  'startDelivery',
  'resendDelivery',
  'startAttempt',
  'startSubscription',
  'startSettlement',
  'startDebit',
  'wakeSubscription',
  'confirmPayment',
  'cancelCharge',
  'notifyCheckout',
  'notifySubscription',
] as const;

const WRITES = /\b(?<!for |for no key )(update|insert|delete)\b/i;

interface Client {
  query(...given: unknown[]): unknown;
}
interface Pool {
  on(event: 'connect', listener: (client: Client) => void): void;
  readonly _clients: readonly Client[];
}

const running = new AsyncLocalStorage<WorkerProcess | null>();

/** One worker's process, from the start of an activity to its end or crash. */
export class WorkerProcess {
  readonly effects: Effect[] = [];
  readonly #crashesAfter: number | null;
  #hasCrashed: boolean = false;

  /** @param crashesAfter the effect after which the worker crashes, counted from 1. */
  constructor(crashesAfter: number | null = null) {
    this.#crashesAfter = crashesAfter;
  }

  /** Runs an activity in this process. @returns its result, or null if the worker crashed before the result arrived. */
  async run<Result>(activity: () => Promise<Result>): Promise<Result | null> {
    return running.run(this, async () => {
      try {
        const result = await activity();
        return this.#hasCrashed ? null : result;
      } catch (error) {
        if (this.#hasCrashed) return null;
        throw error;
      }
    });
  }

  get hasCrashed(): boolean {
    return this.#hasCrashed;
  }

  /** Makes a call with an effect, unless the worker crashes at it. */
  async effect<Result>(name: Effect, call: () => Promise<Result>): Promise<Result> {
    this.expectRunning();
    this.effects.push(name);
    const number = this.effects.length;
    const result = await call();
    if (number === this.#crashesAfter) {
      this.#hasCrashed = true;
      throw new Error('the worker crashed');
    }
    return result;
  }

  expectRunning(): void {
    if (this.#hasCrashed) throw new Error('the worker has crashed');
  }
}

/** Has the statements of a worker's activities count as its effects, and fail once it has crashed. */
export async function watchStatements(database: Database): Promise<void> {
  const pool = (await database.em.getDriver().getConnection().getNativeClient()) as unknown as Pool;
  for (const client of pool._clients) watch(client);
  pool.on('connect', watch);
}

function watch(client: Client): void {
  const query = client.query.bind(client);
  let isInTransaction = false;
  client.query = (...given) => {
    const [first] = given;
    const text = typeof first === 'string' ? first : String((first as { text?: string }).text);
    const isCommit = /^\s*commit\b/i.test(text);
    const isRollback = /^\s*rollback\b/i.test(text);
    const isWrite = !isInTransaction && WRITES.test(text);
    if (/^\s*(begin|start transaction)\b/i.test(text)) isInTransaction = true;
    if (isCommit || /^\s*rollback\s*$/i.test(text)) isInTransaction = false;
    const worker = running.getStore() ?? null;
    // Postgres rolls back what a crashed process has begun.
    if (worker === null || isRollback) return query(...given);
    const callback = given.at(-1);
    const send = async () => query(...(typeof callback === 'function' ? given.slice(0, -1) : given));
    const sent =
      isCommit || isWrite ? worker.effect(isCommit ? 'commit' : 'write', send) : whileRunning(worker, send);
    if (typeof callback !== 'function') return sent;
    return void sent.then(
      (result) => callback(null, result),
      (error) => callback(error),
    );
  };
}

async function whileRunning(worker: WorkerProcess, send: () => Promise<unknown>): Promise<unknown> {
  worker.expectRunning();
  return send();
}

/** Dependencies whose calls count as effects of the worker that makes them. */
export function crashingDeps(deps: ActivityDeps): ActivityDeps {
  const temporal = Object.fromEntries(
    TEMPORAL_CALLS.map((name) => {
      const call: (...given: never[]) => Promise<unknown> = deps[name];
      return [name, (...given: never[]) => around(name, () => elsewhere(() => call(...given)))];
    }),
  );
  return { ...deps, ...temporal, providers: crashingProviders(deps.providers) };
}

function crashingProviders(providers: Providers): Providers {
  const crashing = <Provider extends Parameters<typeof aroundCalls>[0]>(provider: Provider) =>
    aroundCalls(provider, (call, ask) => around(call, async () => ask()));
  return {
    providersOf: async (owner) =>
      storeProvidersOf([...(await providers.providersOf(owner))].map(([use, each]) => [use, crashing(each)])),
    issuerOf: async (issued) => crashing(await providers.issuerOf(issued)),
  };
}

function around<Result>(name: Effect, call: () => Promise<Result>): Promise<Result> {
  const worker = running.getStore() ?? null;
  return worker === null ? call() : worker.effect(name, call);
}

/** Another process does this, so its statements are no effects of the worker. */
function elsewhere<Result>(call: () => Result): Result {
  return running.run(null, call);
}
