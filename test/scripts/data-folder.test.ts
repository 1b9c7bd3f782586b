import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { claimDataFolder } from '../../scripts/embedded/data-folder.ts';
import { secretsKeysOf } from '../../src/cli/instance.ts';

const ENDPOINTS = {
  apiUrl: 'http://127.0.0.1:3000',
  temporalAddress: '127.0.0.1:7233',
  temporalUiUrl: null,
  databaseUrl: 'postgresql://127.0.0.1/recebe',
  demoKey: 'abc_dev_key',
};

let parent: string;
let logged: string[];

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'recebe-data-folder-'));
  logged = [];
});

afterEach(() => rmSync(parent, { recursive: true, force: true }));

const claim = () => claimDataFolder(join(parent, 'data'), (line) => logged.push(line));

it('makes a second instance wait for the first to end, and fail if it does not', async () => {
  const first = await claim();
  await expect(claim()).rejects.toThrow(
    `${first.path} is in use by another instance; stop it, or set RECEBE_DATA and PORT for a second one.`,
  );
  expect(logged).toEqual(['Another instance is using this data; looking whether it is just ending']);
  setTimeout(first.release, 300);
  const second = await claim();
  second.release();
});

it('creates the secrets key once, readable by its owner and the command line only', async () => {
  const first = await claim();
  first.release();
  const second = await claim();
  second.release();
  expect(second.secretsKey).toBe(first.secretsKey);
  expect(secretsKeysOf({ RECEBE_DATA: first.path })).toEqual([first.secretsKey.trim()]);
  expect(Buffer.from(first.secretsKey, 'base64')).toHaveLength(32);
  if (process.platform !== 'win32')
    expect(statSync(join(first.path, 'secrets-key')).mode & 0o777).toBe(0o600);
});

it('removes endpoints.json at the end or next start, but keeps the demo key', async () => {
  const first = await claim();
  first.publish(ENDPOINTS);
  const endpointsFile = join(first.path, 'endpoints.json');
  expect(JSON.parse(readFileSync(endpointsFile, 'utf8'))).toEqual(ENDPOINTS);
  first.release();
  expect(existsSync(endpointsFile)).toBe(false);

  writeFileSync(endpointsFile, JSON.stringify(ENDPOINTS));
  const second = await claim();
  expect(existsSync(endpointsFile)).toBe(false);
  expect(second.demoKey).toBe(ENDPOINTS.demoKey);
  second.release();
});
