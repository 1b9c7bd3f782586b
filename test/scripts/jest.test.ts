import { execFile } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

/** This project's configuration of jest, for test files that are elsewhere and need no servers. */
const CONFIG = `
import config from ${JSON.stringify(resolve('jest.config.mjs'))};
const { globalSetup, globalTeardown, ...others } = JSON.parse(
  JSON.stringify(config).replaceAll('<rootDir>', ${JSON.stringify(resolve('.'))}),
);
export default { ...others, roots: [import.meta.dirname], testMatch: ['**/*.test.ts'] };
`;

/** Two such files run in one process, in any order. */
const LEAVES_THINGS_BEHIND = `
import { expect, it, jest } from '@jest/globals';
it('finds the process as it was', () => {
  expect(process.env.LEFT_BEHIND).toBe(undefined);
  process.env.LEFT_BEHIND = 'yes';
  expect(Date.now()).not.toBe(1);
  jest.spyOn(Date, 'now').mockReturnValue(1);
});
`;

const FILES = {
  'package.json': '{ "type": "module" }',
  'jest.config.mjs': CONFIG,
  'one.test.ts': LEAVES_THINGS_BEHIND,
  'other.test.ts': LEAVES_THINGS_BEHIND,
  'loads-nothing.test.ts': "import { no } from './one.test.ts';\nno();",
  'fails.test.ts': `
import { beforeAll, describe, expect, it } from '@jest/globals';
interface Typed { readonly is: 'stripped' }
it('compares', () => expect<number>(1).toBe(2));
it('hangs', () => new Promise(() => {}), 50);
it('leaves a rejection', async () => {
  void Promise.reject(new Error('that nobody awaits'));
  await new Promise(setImmediate);
});
describe('what is prepared in vain', () => {
  beforeAll(() => Promise.reject(new Error('in vain')));
  it('fails', () => {});
});
it.skip('waits', () => {});
`,
};

let folder: string;
let ran: { readonly code: number; readonly output: string };

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'recebe-jest-')));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
  const args = ['scripts/test.ts', '--config', join(folder, 'jest.config.mjs'), '--runInBand'];
  ran = await new Promise((resolve) =>
    execFile(process.execPath, args, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: stderr + stdout }),
    ),
  );
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('counts failed, hanging and unloadable files on the last line and exits with 1', () => {
  // The four tests of one file that fail, and another file.
  expect(ran.output).toMatch(/\n2 passed, 5 failed, 1 skipped\n$/);
  expect(ran.code).toBe(1);
});

it('prints the source line of each failure', () => {
  expect(ran.output).toContain('fails.test.ts:4:40');
  expect(ran.output).toContain('Exceeded timeout of 50 ms');
  expect(ran.output).toContain('that nobody awaits');
  expect(ran.output).toContain("does not provide an export named 'no'");
});

it('restores variables and clock between files of one process', () => {
  expect(ran.output).toContain('PASS');
  expect(ran.output).not.toContain('finds the process as it was');
});
