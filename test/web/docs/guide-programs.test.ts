import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { programsForShell } from '../../../src/web/docs/programs.ts';
import { callsOf } from '../../../src/web/docs/shell-calls.ts';
import { createTestApp, type TestApp } from '../../support/api/app.ts';
import { launchBrowser } from '../../support/web/browser.ts';

const DOCS = new URL('../../../docs/', import.meta.url);

let app: TestApp;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'recebe-guides-'));
  app = await createTestApp();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await app.close();
});

/** The shell examples of the guides, in both languages. */
function examples(pattern = '{guides,pt/guides}/*.md'): string[] {
  return globSync(pattern, { cwd: DOCS }).flatMap((file) => {
    const text = readFileSync(new URL(file, DOCS), 'utf8');
    return [...text.matchAll(/^```sh\n([\s\S]*?)\n```/gm)].map(([, example = '']) => example);
  });
}

/** The programs of all examples in a language, in a file each. */
function filesIn(language: string, ending: string): string[] {
  const programs = examples().flatMap((example) => programsForShell(example, app.api.url));
  return programs
    .filter((program) => program.language === language)
    .map(({ text }, number) => {
      const file = join(folder, `${number}.${ending}`);
      writeFileSync(file, text);
      return file;
    });
}

const isHere = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;

describe('a program of a guide', () => {
  it('parses as JavaScript', () => {
    const check = `const fs=require("fs"),vm=require("vm");for(const f of process.argv.slice(1))new vm.Script("(async()=>{"+fs.readFileSync(f,"utf8").replace(/^import .*/,"")+"\\n})",{filename:f})`;
    const files = filesIn('js', 'mjs');
    expect(files.length).toBeGreaterThan(100);
    execFileSync(process.execPath, ['-e', check, ...files]);
  });

  (isHere('python3', '--version') ? it : it.skip)('parses as Python', () => {
    const check = 'import ast,sys\nfor f in sys.argv[1:]: ast.parse(open(f).read(), f)';
    execFileSync('python3', ['-c', check, ...filesIn('python', 'py')]);
  });

  (isHere('gofmt', '-h') || isHere('go', 'version') ? it : it.skip)('parses as Go', () => {
    execFileSync('gofmt', ['-e', '-l', ...filesIn('go', 'go')], { stdio: 'pipe' });
  });

  (isHere('php', '--version') ? it : it.skip)('parses as PHP', () => {
    for (const file of filesIn('php', 'php')) execFileSync('php', ['-l', file], { stdio: 'pipe' });
  });

  it('sends what the shell sends, with the ids of earlier responses', async () => {
    const [first = ''] = examples('guides/checkouts.md');
    const { text = '' } =
      programsForShell(first, app.api.url).find(({ language }) => language === 'js') ?? {};
    const file = join(folder, 'checkouts.mjs');
    writeFileSync(file, text);
    const env = { PATH: process.env.PATH ?? '', KEY: app.api.key };
    const { stdout } = await promisify(execFile)(process.execPath, [file], { env });
    expect(stdout.match(/success: true/g)).toHaveLength(3);
    expect(stdout.match(/externalId: 'order-3001'/g)).toHaveLength(2);
  });
});

describe('a reader of examples', () => {
  it('keeps variables, fields of responses and waits', () => {
    const shell = `# first\nA_B=$(post "x/y?id=$C" '{ "id": "'$D'" }' |\n  node -p 'JSON.parse(require("fs").readFileSync(0)).data[0].id')\nsleep 2\nget 'z?q=1' | id   # last`;
    const marked = (name: string) => `\uE000${name}\uE000`;
    expect(callsOf(shell)).toEqual([
      {
        method: 'POST',
        path: `/v2/x/y?id=${marked('C')}`,
        body: { id: marked('D') },
        keeps: { name: 'A_B', field: ['data', 0, 'id'] },
      },
      { waitSeconds: 2 },
      { method: 'GET', path: '/v2/z?q=1', body: undefined, keeps: null },
    ]);
  });

  it.each([
    'npm start',
    'get x > file.pdf',
    'A=$(node -p 1)',
    "post x '{ not json'",
    'until get x; do sleep 1; done',
    'A=$(get x)',
    '',
  ])('finds none in %j', (shell) => {
    expect(callsOf(shell)).toBeNull();
  });
});

it('shows guides in the chosen language, without JavaScript in the one picked', async () => {
  const browser = await launchBrowser();
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.goto(`${app.api.url}/docs/guides/charges`);
  await page.getByRole('radio', { name: 'PHP' }).first().check();
  await page.goto(`${app.api.url}/docs/pt/guides/checkouts`);
  expect(await page.locator('.tabs > [data-of="php"]:visible').count()).toBeGreaterThan(4);
  expect(await page.locator('.tabs > [data-of="sh"]:visible').count()).toBe(0);
  expect([complaints, await page.context().cookies()]).toEqual([[], []]);
  const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await plain.goto(`${app.api.url}/docs/guides/charges`);
  const [curl, go] = ['sh', 'go'].map((name) => plain.locator(`.tabs > [data-of="${name}"]`).first());
  expect(await curl?.isVisible()).toBe(true);
  await plain.getByRole('radio', { name: 'Go' }).first().check();
  expect([await curl?.isVisible(), await go?.isVisible()]).toEqual([false, true]);
  await browser.close();
});
