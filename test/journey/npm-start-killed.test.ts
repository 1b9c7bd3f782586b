import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from '@jest/globals';
import { commandLineOf } from '../../scripts/embedded/foreign-process.ts';
import { ApiClient, dataOf } from '../support/api/api-client.ts';
import { bundleOfRun } from '../support/fixtures/workflow-bundle.ts';
import { freePorts, killAll, killTree, OwnMachine, saying } from '../support/servers/npm-start.ts';
import { anyRuns, processTree } from '../support/servers/process-tree.ts';
import { eventually } from '../support/waiting/eventually.ts';

/** Bundling the workflows is tested in `npm-start.test.ts`. */
const BUNDLED = { WORKFLOW_BUNDLE: bundleOfRun() ?? '' };

type Started = Awaited<ReturnType<OwnMachine['npmStart']>>;

/** All starts share one data folder, so each test finds what the previous one left running or dead. */
const machine = new OwnMachine();
let running: Started | undefined;
afterAll(() => machine[Symbol.asyncDispose]());

/** Starts everything with the data and processes that the last start left. */
async function startAgain(): Promise<Started> {
  running = undefined;
  running = await machine.npmStart(BUNDLED);
  return running;
}

/** Each start takes seconds, or half a minute on a busy machine. */
const TIMEOUT_MS = 300_000;

/** Lines that a first start prints, and how long after each it is killed: during initdb, migrations, … */
const MOMENTS: [line: string, afterMs: number][] = [
  ['Starting Postgres', 300],
  ['Starting Temporal', 300],
  ['Preparing the database', 50],
  ['Starting API and worker', 300],
];

/** The watcher that spawnGuarded leaves behind (see GUARD there). */
const isWatcher = (commandLine: string) => commandLine.includes('read -r _');

it(
  'completes a first start that was killed with kill -9 at any step',
  async () => {
    for (const [line, afterMs] of MOMENTS) {
      const killed = machine.run(process.execPath, ['scripts/start.ts'], await freePorts());
      await saying(killed, line);
      await sleep(afterMs);
      await killTree(killed);
    }
    const { endpoints } = await startAgain();
    const api = new ApiClient(endpoints.apiUrl, endpoints.demoKey);
    const { id } = dataOf<{ id: string }>(
      await api.post('/v2/transparents/create', { method: 'PIX', data: { amount: 2500 } }),
    );
    expect(dataOf(await api.post(`/v2/transparents/simulate-payment?id=${id}`))).toMatchObject({
      status: 'PAID',
    });
  },
  TIMEOUT_MS,
);

it(
  'stops servers left by a killed start and continues with their data',
  async () => {
    const first = running ?? (await startAgain());
    const processes = await Promise.all(
      processTree(first.pid).map(async (pid) => ({ pid, commandLine: (await commandLineOf(pid)) ?? '' })),
    );
    const watchers = processes.filter(({ commandLine }) => isWatcher(commandLine));
    const servers = processes.filter(
      ({ commandLine }) => commandLine.includes(`${machine.dataFolder}/`) && !isWatcher(commandLine),
    );
    const launchers = processes.filter(
      (each) =>
        !watchers.includes(each) && !servers.includes(each) && !each.commandLine.startsWith('postgres:'),
    );
    expect(servers.map(({ commandLine }) => /postgres|start-dev/.exec(commandLine)?.[0]).sort()).toEqual([
      'postgres',
      'start-dev',
    ]);
    // Watchers first: they would end the servers.
    await killAll([...watchers, ...launchers].map(({ pid }) => pid));
    await sleep(1_000);
    for (const { pid } of servers) expect(anyRuns([pid])).toBe(true);

    const second = await startAgain();
    expect(anyRuns(servers.map(({ pid }) => pid))).toBe(false);
    expect(second.endpoints.demoKey).toBe(first.endpoints.demoKey);
  },
  TIMEOUT_MS,
);

it(
  'spares a process that has since received the id of a killed server',
  async () => {
    await killTree(running ?? (await startAgain()));
    const postmasterFile = join(machine.dataFolder, 'postgres', 'cluster', 'postmaster.pid');
    // This process plays the stranger: if the next start killed it, this test could not finish.
    const [, ...rest] = readFileSync(postmasterFile, 'utf8').split('\n');
    writeFileSync(postmasterFile, [process.pid, ...rest].join('\n'));
    writeFileSync(join(machine.dataFolder, 'temporal.db.pid'), String(process.pid));
    const next = await startAgain();
    await eventually(async () =>
      expect((await fetch(`${next.endpoints.apiUrl}/openapi.json`)).status).toBe(200),
    );
  },
  TIMEOUT_MS,
);
