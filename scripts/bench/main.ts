import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/database/orm.ts';
import { createLogger } from '../../src/log.ts';
import { connectTemporal, temporalClient } from '../../src/temporal/client.ts';
import { installTemporalRuntime } from '../../src/temporal/runtime.ts';
import type { Endpoints } from '../embedded/data-folder.ts';
import { atEnd, runAndStop, say } from '../embedded/run-and-stop.ts';
import { Api } from './api.ts';
import type { Bench } from './bench.ts';
import { FULL, QUICK, WARM_UP } from './durations.ts';
import type { Figures } from './figures.ts';
import { loadNow, machineFacts } from './machine.ts';
import { linesOf, reportText, writeJson } from './report.ts';
import { SCENARIOS, type ScenarioName } from './scenarios.ts';
import { LIMITED, LIMITED_STRANGERS, spawnNothingWorker, spawnService, UNLIMITED } from './service.ts';
import { startSink } from './sink.ts';

const SCENARIO_NAMES = Object.keys(SCENARIOS) as ScenarioName[];

/**
 * Scenarios that run only if they are named: a year of two thousand subscriptions takes longer than all others together, and
 * endpoints that time out disturb other scenarios.
 */
const ONLY_WHEN_NAMED: readonly ScenarioName[] = [
  'subscriptions',
  'debits',
  'neighbour',
  'size',
  'away',
  'clock',
  'besideClock',
  'flood',
  'strangers',
  'expensive',
  'requests',
];

/** Scenarios that run without others, with their settings: they need limits, which are off for the others. */
const ONLY_ALONE: Partial<Readonly<Record<ScenarioName, Readonly<Record<string, string>>>>> = {
  flood: LIMITED,
  strangers: LIMITED_STRANGERS,
};

const USAGE = `usage: npm run bench -- [${SCENARIO_NAMES.join('|')} …] [--rounds N] [--quick] [--json FILE] [--profile FOLDER]
  --rounds N         how often each part is measured, 3 unless given; medians are reported
  --quick            shorter parts, for a first impression
  --json FILE        write the figures to FILE as well
  --profile FOLDER   write V8 CPU profiles of the service to FOLDER (it is slower then)`;

const NOTHING_QUEUE = 'bench-nothing';

/** `npm run bench`: the figures of docs/performance.md, compared with their ceilings on this machine. */
async function main(): Promise<void> {
  const options = readOptions();
  const loadBefore = loadNow();
  const folder = mkdtempSync(join(tmpdir(), 'recebe-bench-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  say('Starting the service');
  const service = await spawnService(folder, options.profile, options.limits);
  atEnd(service.stop);
  const endpoints = await service.ready();
  const bench = await connect(folder, service.pid, endpoints, options.quick ? QUICK : FULL);
  const machine = await machineFacts(bench.database, bench.temporal, folder, loadBefore);

  await round({ ...bench, durations: WARM_UP }, options.scenarios, 'warming up');
  const rounds: Figures[] = [];
  while (rounds.length < options.rounds) {
    rounds.push(await round(bench, options.scenarios, `round ${rounds.length + 1} of ${options.rounds}`));
  }
  const lines = linesOf(rounds);
  process.stdout.write(`\n${reportText(lines, machine)}\n`);
  if (options.json !== undefined) writeJson(options.json, lines, rounds, machine);
  if (rounds.some((figures) => (figures.lost ?? 0) > 0)) process.exitCode = 1;
}

function readOptions() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '3' },
      quick: { type: 'boolean', default: false },
      json: { type: 'string' },
      profile: { type: 'string' },
    },
  });
  const rounds = Number(values.rounds);
  const unknown = positionals.filter((name) => !Object.hasOwn(SCENARIOS, name));
  if (unknown.length > 0 || !Number.isInteger(rounds) || rounds < 1) throw new Error(USAGE);
  const named = (name: ScenarioName) =>
    positionals.length === 0 ? !ONLY_WHEN_NAMED.includes(name) : positionals.includes(name);
  const scenarios = SCENARIO_NAMES.filter(named);
  const alone = scenarios.find((name) => ONLY_ALONE[name] !== undefined);
  if (alone !== undefined && scenarios.length > 1) throw new Error(`${alone} runs alone\n${USAGE}`);
  return { ...values, rounds, scenarios, limits: (alone && ONLY_ALONE[alone]) ?? UNLIMITED };
}

/** Starts the load generator: clients, the integrator's endpoint, and the worker for ceilings. */
async function connect(
  folder: string,
  servicePid: number,
  endpoints: Endpoints,
  durations: Bench['durations'],
): Promise<Bench> {
  const { databaseUrl, temporalAddress, apiUrl, demoKey } = endpoints;
  const config = loadConfig({
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporalAddress,
    LOG_LEVEL: 'warn',
  });
  const database = await openDatabase(databaseUrl, config.databasePoolSize);
  atEnd(() => database.close(true));
  installTemporalRuntime(createLogger(config.logLevel), null);
  const connection = await connectTemporal(config.temporal);
  atEnd(() => connection.close());
  const worker = spawnNothingWorker(folder, temporalAddress, NOTHING_QUEUE);
  atEnd(worker.stop);
  const sink = await startSink();
  atEnd(sink.close);
  const api = new Api(apiUrl, demoKey);
  atEnd(() => api.close());
  await api.subscribe(sink.url);
  const temporal = temporalClient(connection, config.temporal, null);
  return { api, sink, servicePid, endpoints, database, temporal, nothingQueue: NOTHING_QUEUE, durations };
}

/** Runs every scenario and its ceilings once, so that they alternate over the rounds. */
async function round(bench: Bench, scenarios: readonly ScenarioName[], title: string): Promise<Figures> {
  const figures: Figures = {};
  for (const name of scenarios) {
    say(`${title}: ${name}`);
    Object.assign(figures, await SCENARIOS[name](bench));
  }
  return figures;
}

await runAndStop(main);
