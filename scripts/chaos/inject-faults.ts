import { setTimeout as delay } from 'node:timers/promises';
import { Chance } from '../../test/support/chance.ts';
import type { TcpProxy } from '../../test/support/servers/tcp-proxy.ts';
import type { Cluster } from './cluster.ts';
import type { MortalServer } from './servers.ts';
import type { ServiceProcess } from './service-process.ts';

/** The faults of the cluster, for the report: how often each occurred, and how many at once. */
export interface InjectedFaults {
  readonly faults: ReadonlyMap<string, number>;
}

/** Injects one fault. The fault has ended when the promise resolves. */
export type Fault = (chance: Chance, lasts: Lasts) => Promise<void>;

/** Waits for the given time, or until the injection stops, which ends every fault. */
type Lasts = (ms: number) => Promise<void>;

/** The possible faults of one target, how often each occurs, and the pause between two of them. */
export interface Target {
  readonly faults: Readonly<Record<string, { readonly weight: number; readonly fault: Fault }>>;
  readonly leastCalmMs: number;
  readonly mostCalmMs: number;
}

const SECOND_MS = 1_000;
/** Faults inside the provider have no duration. */
const [LEAST_CALM_MS, MOST_CALM_MS] = [SECOND_MS, 4 * SECOND_MS];

/**
 * Injects faults into the cluster and the provider for the given time. Every target has one fault after the other, so faults of
 * several targets overlap in any way. When this resolves, all faults have ended, and killed processes have been restarted.
 */
export async function injectFaults(
  cluster: Cluster,
  ofProvider: readonly Target[],
  seed: number,
  durationMs: number,
): Promise<InjectedFaults> {
  const endsAtMs = performance.now() + durationMs;
  const lasts: Lasts = async (ms) =>
    void (await delay(Math.max(0, Math.min(ms, endsAtMs - performance.now()))));
  const faults = new Map<string, number>();
  const targets = [...targetsOf(cluster), ...ofProvider];
  const befall = async ({ faults: possible, leastCalmMs, mostCalmMs }: Target, index: number) => {
    const chance = new Chance(seed, index);
    const weights = Object.fromEntries(Object.entries(possible).map(([name, { weight }]) => [name, weight]));
    // The first fault comes sooner, so that short runs have some of every kind.
    let calmMs = chance.between(leastCalmMs / 4, mostCalmMs / 2);
    while (performance.now() + calmMs < endsAtMs) {
      await lasts(calmMs);
      const name = chance.weighted(weights);
      faults.set(name, (faults.get(name) ?? 0) + 1);
      await possible[name]?.fault(chance, lasts);
      calmMs = chance.between(leastCalmMs, mostCalmMs);
    }
  };
  await Promise.all(targets.map(befall));
  return { faults };
}

function targetsOf({ members, postgres, temporal }: Cluster): Target[] {
  return [
    serverTarget('Postgres: immediate shutdown', postgres),
    serverTarget('Temporal: kill -9', temporal.server),
    ...members.map(({ process }) => processTarget(process)),
    workersTarget(members.map(({ process }) => process).filter(({ name }) => kindOf(name) === 'worker')),
    ...members.flatMap(({ process: { name }, toPostgres, toTemporal }) => [
      proxyTarget(`${kindOf(name)} to Postgres`, toPostgres),
      proxyTarget(`${kindOf(name)} to Temporal`, toTemporal),
    ]),
    ...(temporal.toPostgres === null ? [] : [proxyTarget('Temporal to Postgres', temporal.toPostgres)]),
  ];
}

function kindOf(name: string): string {
  if (name.startsWith('worker')) return 'worker';
  return name.startsWith('api') ? 'API' : name;
}

function serverTarget(name: string, server: MortalServer): Target {
  const fault: Fault = async (chance, lasts) => {
    const downMs = chance.between(0, 6 * SECOND_MS);
    await server.end();
    await lasts(downMs);
    await server.restart();
  };
  return {
    faults: { [name]: { weight: 1, fault } },
    leastCalmMs: 20 * SECOND_MS,
    mostCalmMs: 60 * SECOND_MS,
  };
}

/** @param mayBeKilled false for a process that keeps its state in memory. */
export function processTarget(process: ServiceProcess, { mayBeKilled = true } = {}): Target {
  const kind = kindOf(process.name);
  const kill: Fault = async (chance, lasts) => {
    const downMs = chance.between(0, 4 * SECOND_MS);
    await process.kill();
    await lasts(downMs);
    process.start();
  };
  const pause: Fault = async (chance, lasts) => {
    process.pause();
    // Longer than the 10 seconds after which Temporal considers a task lost and gives it to another worker.
    await lasts(chance.between(SECOND_MS / 2, 15 * SECOND_MS));
    process.goOn();
  };
  return {
    faults: {
      ...(mayBeKilled && { [`${kind}: kill -9`]: { weight: 1, fault: kill } }),
      [`${kind}: pause`]: { weight: 1, fault: pause },
    },
    leastCalmMs: 10 * SECOND_MS,
    mostCalmMs: 35 * SECOND_MS,
  };
}

/** Faults of the provider itself, by how often each occurs. */
export function insideTarget(faults: Target['faults']): Target {
  return { faults, leastCalmMs: LEAST_CALM_MS, mostCalmMs: MOST_CALM_MS };
}

/** Stops all workers. Work that becomes due meanwhile is done late, and with the time at which it is done. */
function workersTarget(workers: readonly ServiceProcess[]): Target {
  const away: Fault = async (chance, lasts) => {
    const downMs = chance.between(5 * SECOND_MS, 20 * SECOND_MS);
    await Promise.all(workers.map((worker) => worker.kill()));
    await lasts(downMs);
    for (const worker of workers) worker.start();
  };
  return {
    faults: { 'all workers: kill -9': { weight: 1, fault: away } },
    leastCalmMs: 30 * SECOND_MS,
    mostCalmMs: 90 * SECOND_MS,
  };
}

export function proxyTarget(name: string, proxy: TcpProxy): Target {
  const latency: Fault = async (chance, lasts) => {
    proxy.delay(chance.between(20, SECOND_MS));
    await lasts(chance.between(2 * SECOND_MS, 10 * SECOND_MS));
    proxy.delay(0);
  };
  const reset: Fault = async () => proxy.reset();
  const hole: Fault = async (chance, lasts) => {
    const [forMs, isReset] = [chance.between(SECOND_MS, 20 * SECOND_MS), chance.isIn(50)];
    proxy.swallow();
    await lasts(forMs);
    if (isReset) proxy.reset();
    proxy.flow();
  };
  return {
    faults: {
      [`${name}: latency`]: { weight: 1, fault: latency },
      [`${name}: connections reset`]: { weight: 1, fault: reset },
      [`${name}: nothing answered`]: { weight: 1, fault: hole },
    },
    leastCalmMs: 10 * SECOND_MS,
    mostCalmMs: 50 * SECOND_MS,
  };
}
