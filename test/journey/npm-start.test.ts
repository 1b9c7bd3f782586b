import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Endpoints } from '../../scripts/data-folder.ts';
import { freePort } from '../../scripts/embedded/ports.ts';
import { type GuardedProcess, spawnGuarded } from '../../scripts/embedded/process.ts';
import { ApiClient, dataOf } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { anyRuns, processTree } from '../support/process-tree.ts';
import { environmentWith } from '../support/processes.ts';
import { makeTestFolder, removeTestFolder } from '../support/test-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Making a database cluster and two schemas takes seconds on a busy machine. */
const START_MS = 45_000;

/** A terminal's Ctrl-C reaches npm and all it started, except what has a group of its own. */
const PATIENCE_OF_CTRL_C_MS = 20_000;

let dataFolder: string;
let started: Running[];

beforeEach(() => {
  dataFolder = makeTestFolder();
  started = [];
});

afterEach(async () => {
  for (const running of started) await killTree(running);
  removeTestFolder(dataFolder);
});

interface Running extends GuardedProcess {
  output(): string;
}

/** Runs a command as a terminal does: in a process group of its own. */
function run(command: string, args: string[], env: Readonly<Record<string, string>>): Running {
  let output = '';
  const guarded = spawnGuarded(command, args, {
    endSignal: 'SIGTERM',
    cwd: ROOT,
    env: environmentWith({ RECEBE_DATA: dataFolder, ...env }),
    onOutput: (text) => {
      output += text;
    },
  });
  const running = { ...guarded, output: () => output };
  started.push(running);
  return running;
}

async function npmStart(): Promise<Running & { readonly endpoints: Endpoints }> {
  const running = run('npm', ['start'], await freePorts());
  const isUp = eventually(() => expect(running.output()).toContain('Ctrl-C stops everything'), START_MS);
  const ended = running.exited.then((how) => `npm start ended (${how}):\n${running.output()}`);
  expect(await Promise.race([isUp.then(() => 'up'), ended])).toBe('up');
  return { ...running, endpoints: JSON.parse(readFileSync(join(dataFolder, 'endpoints.json'), 'utf8')) };
}

async function freePorts() {
  return {
    PORT: String(await freePort()),
    RECEBE_POSTGRES_PORT: String(await freePort()),
    RECEBE_TEMPORAL_PORT: String(await freePort()),
    RECEBE_TEMPORAL_UI_PORT: String(await freePort()),
  };
}

/** kill -9 of a process and all its descendants, as when the machine's memory runs out. */
async function killTree({ pid, hasExited }: GuardedProcess): Promise<void> {
  if (hasExited()) return;
  const tree = processTree(pid);
  for (const each of tree) {
    try {
      process.kill(each, 'SIGKILL');
    } catch {
      // It has ended with its parent.
    }
  }
  await eventually(() => expect(anyRuns(tree)).toBe(false));
}

it('npm start brings up everything; what it made survives kill -9 of everything; Ctrl-C leaves no process', async () => {
  const first = await npmStart();
  const [curl = 'false'] = /curl -s (.|\n)*?\}\}'/.exec(first.output()) ?? [];
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', curl]);
  const { id } = JSON.parse(stdout).data;
  expect(id).toMatch(/^pix_char_/);
  const page = await eventually(() => fetch(String(first.endpoints.temporalUiUrl)));
  expect(page.status).toBe(200);

  await killTree(first);
  const second = await npmStart();
  expect(second.endpoints.demoKey).toBe(first.endpoints.demoKey);
  const api = new ApiClient(second.endpoints.apiUrl, second.endpoints.demoKey);
  expect(dataOf(await api.get(`/v2/transparents/check?id=${id}`))).toMatchObject({ status: 'PENDING' });
  expect(dataOf(await api.post(`/v2/transparents/simulate-payment?id=${id}`))).toMatchObject({
    status: 'PAID',
  });

  const tree = processTree(second.pid);
  expect(tree.length).toBeGreaterThan(3);
  process.kill(-second.pid, 'SIGINT');
  await eventually(() => expect(anyRuns(tree)).toBe(false), PATIENCE_OF_CTRL_C_MS);
  expect(existsSync(join(dataFolder, 'endpoints.json'))).toBe(false);
});

it('a busy port is refused in one line that says which setting to change', async () => {
  await using listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const refused = run(process.execPath, ['scripts/start.ts'], { ...(await freePorts()), PORT: String(port) });
  expect(await refused.exited).toBe('exit code 1');
  await eventually(() =>
    expect(refused.output()).toMatch(new RegExp(`^Port ${port} is in use\\..* PORT .*\\n$`)),
  );
});
