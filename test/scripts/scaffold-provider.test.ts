import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { scaffoldProvider } from '../../scripts/scaffold-provider.ts';

const { resolve: locate } = createRequire(import.meta.url);
const BIOME = locate('@biomejs/biome/bin/biome');
const TSC = join(dirname(locate('typescript/package.json')), 'bin/tsc');

/** A copy of the project with the files that an adapter and its test import. */
let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'recebe-scaffold-'));
  const copied = ['package.json', 'tsconfig.json', 'src', 'test/providers', 'test/support/waiting'];
  for (const each of copied) cpSync(each, join(root, each), { recursive: true });
  const biome = JSON.parse(readFileSync('biome.json', 'utf8'));
  writeFileSync(join(root, 'biome.json'), JSON.stringify({ ...biome, vcs: undefined }));
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function run(program: string, ...args: string[]): string {
  const { stdout, stderr } = spawnSync(process.execPath, [program, ...args], { cwd: root, encoding: 'utf8' });
  return stdout + stderr;
}
const filesOf = (folder: string) => readdirSync(join(root, folder), { recursive: true }).sort();
const contents = () => ['src/providers/kinds.ts', 'src/providers/kind-options.ts'].map(read);
const read = (file: string) => readFileSync(join(root, file), 'utf8');

it('creates providers whose files pass the type check and the lint', () => {
  const created = ['toy', 'acme-open-bank', 'zz'].flatMap((name) => scaffoldProvider(root, name).files);
  const files = [...new Set(created)];
  expect(files.slice(0, 5)).toEqual([
    'src/providers/toy/kind.ts',
    'src/providers/toy/toy-provider.ts',
    'test/providers/toy.test.ts',
    'src/providers/kinds.ts',
    'src/providers/kind-options.ts',
  ]);
  const config = { extends: './tsconfig.json', include: [], files };
  writeFileSync(join(root, 'tsconfig.created.json'), JSON.stringify(config));
  expect(run(TSC, '-p', 'tsconfig.created.json', '--singleThreaded')).toBe('');
  expect(run(BIOME, 'check', '--error-on-warnings', ...files)).toMatch(
    new RegExp(`^Checked ${files.length} files in [^.]*. No fixes applied.\\n$`),
  );
});

it('registers a kind whose unwritten calls say what to write', async () => {
  const { files, next } = scaffoldProvider(root, 'paper-bank');
  expect(read('src/providers/kinds.ts')).toContain("'paper-bank': PAPER_BANK,");
  expect(read('src/providers/kind-options.ts')).toContain("'paper-bank': [],");
  expect(next).toContain('docs/pt/guides/providers.md');
  const { PAPER_BANK } = await import(pathToFileURL(join(root, files[0] ?? '')).href);
  const account = { id: 'acct_1', profile: 'paper-bank', settings: { apiUrl: 'https://api.example' } };
  const provider = PAPER_BANK.create({ ...account, secrets: { apiKey: 'key' } });
  await expect(provider.charges.close('1')).rejects.toMatchObject({
    kind: 'UNSUPPORTED',
    message: expect.stringMatching(/^write this: /),
  });
});

it.each([
  [undefined, 'usage: npm run scaffold-provider -- <name>'],
  ['Toy', 'use lower-case letters'],
  ['toy_bank', 'use lower-case letters'],
  ['../toy', 'use lower-case letters'],
  ['toy-', 'use lower-case letters'],
  ['a-name-that-is-much-too-long', 'use at most 24'],
  ['bacen', '"bacen" is taken: src/providers/bacen exists'],
  ['provider-error', 'src/providers/provider-error.ts exists'],
  ['sandbox-cards', 'test/providers/sandbox-cards.test.ts exists'],
  ['provider-kinds', 'src/providers/kinds.ts has PROVIDER_KINDS'],
])('refuses the name %p and writes nothing', (name, message) => {
  const state = () => [filesOf('src/providers'), filesOf('test/providers'), contents()];
  const before = state();
  expect(() => scaffoldProvider(root, name)).toThrow(message);
  expect(state()).toEqual(before);
});
