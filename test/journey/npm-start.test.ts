import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { ApiClient, dataOf } from '../support/api/api-client.ts';
import { freePorts, killTree, OwnMachine } from '../support/servers/npm-start.ts';
import { anyRuns, processTree } from '../support/servers/process-tree.ts';
import { eventually } from '../support/waiting/eventually.ts';

const FULL_DISK = new URL('../support/servers/full-disk.mjs', import.meta.url).href;

/** A terminal's Ctrl-C reaches npm and all it started, except what has a group of its own. */
const PATIENCE_OF_CTRL_C_MS = 60_000;

/**
 * Sends what a shell makes of a curl line, without curl: not every machine has it. @returns the answer's
 * JSON.
 */
async function send(curl: string) {
  const spelt = `curl() { printf '%s\\n' "$@"; }\n${curl}`;
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', spelt]);
  const words = stdout.split('\n');
  const following = (flag: string) => words.filter((_, index) => words[index - 1] === flag);
  const [url = ''] = words.filter((word) => word.startsWith('http'));
  const headers = following('-H').map((header) => header.split(': ') as [string, string]);
  const response = await fetch(url, { method: 'POST', headers, body: following('-d').join() });
  return response.json() as Promise<{ data: { id: string } }>;
}

/** Two starts take seconds each, or half a minute each on a busy machine. */
const TIMEOUT_MS = 300_000;

const BRINGS_UP_EVERYTHING =
  'starts everything, keeps data after kill -9, and leaves no process after Ctrl-C';

it(
  BRINGS_UP_EVERYTHING,
  async () => {
    await using machine = new OwnMachine();
    const first = await machine.npmStart();
    const [curl = 'false'] = /curl -s (.|\n)*?\}\}'/.exec(first.output()) ?? [];
    const { id } = (await send(curl)).data;
    expect(id).toMatch(/^pix_char_/);
    const page = await eventually(() => fetch(String(first.endpoints.temporalUiUrl)));
    expect(page.status).toBe(200);
    const checkoutOf = (output: string) => / Checkout +(http\S+)/.exec(output)?.[1];
    expect((await fetch(String(checkoutOf(first.output())))).status).toBe(200);

    await killTree(first);
    const second = await machine.npmStart();
    expect(second.endpoints.demoKey).toBe(first.endpoints.demoKey);
    const idOf = (url = '') => url.split('/').at(-1);
    expect(idOf(checkoutOf(second.output()))).toBe(idOf(checkoutOf(first.output())));
    const api = new ApiClient(second.endpoints.apiUrl, second.endpoints.demoKey);
    expect(dataOf(await api.get(`/v2/transparents/check?id=${id}`))).toMatchObject({ status: 'PENDING' });
    expect(dataOf(await api.post(`/v2/transparents/simulate-payment?id=${id}`))).toMatchObject({
      status: 'PAID',
    });

    const tree = processTree(second.pid);
    expect(tree.length).toBeGreaterThan(3);
    process.kill(-second.pid, 'SIGINT');
    await eventually(() => expect(anyRuns(tree)).toBe(false), PATIENCE_OF_CTRL_C_MS);
    expect(existsSync(join(machine.dataFolder, 'endpoints.json'))).toBe(false);
  },
  TIMEOUT_MS,
);

it.each(['PORT', 'RECEBE_POSTGRES_PORT', 'RECEBE_TEMPORAL_PORT', 'RECEBE_TEMPORAL_UI_PORT'])(
  'refuses a busy %s in one line that names the setting to change',
  async (name) => {
    await using machine = new OwnMachine();
    await using listener = createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { port } = listener.address() as AddressInfo;
    const env = { ...(await freePorts()), [name]: String(port) };
    const refused = machine.run(process.execPath, ['scripts/start.ts'], env);
    expect(await refused.exited).toBe('exit code 1');
    const line = new RegExp(`^Port ${port} is in use\\..* ${name} .*\\n$`);
    await eventually(() => expect(refused.output()).toMatch(line));
  },
);

it('refuses a nearly full disk in one line that names its folder', async () => {
  await using machine = new OwnMachine();
  const args = ['--import', FULL_DISK, 'scripts/start.ts'];
  const refused = machine.run(process.execPath, args, await freePorts());
  expect(await refused.exited).toBe('exit code 1');
  await eventually(() =>
    expect(refused.output()).toBe(
      `The disk of ${machine.dataFolder} is nearly full: 4 MB are left, ` +
        'and RECEBE_DATA, which may be on another disk, needs 100 MB.\n',
    ),
  );
});
