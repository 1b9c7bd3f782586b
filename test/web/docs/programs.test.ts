import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OpenApi } from '../../../src/web/docs/openapi.ts';
import { programsFor } from '../../../src/web/docs/programs.ts';
import { createTestApp, type TestApp } from '../../support/api/app.ts';
import { axeViolations } from '../../support/web/axe.ts';
import { launchBrowser } from '../../support/web/browser.ts';

let app: TestApp;
let document: OpenApi;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'recebe-programs-'));
  app = await createTestApp();
  document = JSON.parse((await app.api.get('/openapi.json', { key: null })).text) as OpenApi;
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await app.close();
});

/** Every example in a language, in a file each. */
function filesIn(language: string, ending: string): string[] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  return operations.map((operation, number) => {
    const file = join(folder, `${number}.${ending}`);
    writeFileSync(file, textOf(operation, language));
    return file;
  });
}

function textOf(operation: string, language: string): string {
  const program = programsFor(document, operation, app.api.url).find((each) => each.language === language);
  if (program === undefined) throw new Error(`no ${language} for ${operation}`);
  return program.text;
}

const isHere = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;

describe('programs of the reference', () => {
  it('parses as JavaScript for every operation', () => {
    const check = `const fs=require("fs"),vm=require("vm");for(const f of process.argv.slice(1))new vm.Script("(async()=>{"+fs.readFileSync(f,"utf8").replace(/^import .*/,"")+"})",{filename:f})`;
    const files = filesIn('js', 'mjs');
    expect(files.length).toBeGreaterThan(50);
    execFileSync(process.execPath, ['-e', check, ...files]);
  });

  (isHere('python3', '--version') ? it : it.skip)('parses as Python for every operation', () => {
    const check = 'import ast,sys\nfor f in sys.argv[1:]: ast.parse(open(f).read(), f)';
    execFileSync('python3', ['-c', check, ...filesIn('python', 'py')]);
  });

  (isHere('gofmt', '-h') || isHere('go', 'version') ? it : it.skip)(
    'parses as Go for every operation',
    () => {
      execFileSync('gofmt', ['-e', '-l', ...filesIn('go', 'go')], { stdio: 'pipe' });
    },
  );

  it('shows no key for operations without one, and a public key where one is taken', async () => {
    const languages = ['js', 'python', 'php', 'go'];
    const of = (operation: string) => languages.map((language) => textOf(operation, language)).join('\n');
    expect(of('GET /healthz')).not.toMatch(/Authorization|KEY|import os|"os"|node:process/);
    const tokens = of('POST /v2/card-tokens/create');
    expect(tokens.match(/\bPUBLIC_KEY\b/g)).toHaveLength(languages.length);
    expect(tokens).not.toMatch(/\bKEY\b/);
    const shown = async (section: string) =>
      (await app.api.get(`/docs/reference/${section}.md`, { key: null })).text;
    expect(await shown('operations')).not.toContain('Authorization');
    expect(await shown('card-tokens')).toContain('-H "Authorization: Bearer $PUBLIC_KEY"');
    expect(await shown('coupons')).toContain('-H "Authorization: Bearer $KEY"');
  });

  it('creates the coupon of the example with the Node.js program', async () => {
    const file = join(folder, 'coupon.mjs');
    writeFileSync(file, textOf('POST /v2/coupons/create', 'js'));
    const env = { PATH: process.env.PATH ?? '', KEY: app.api.key };
    const { stdout } = await promisify(execFile)(process.execPath, [file], { env });
    expect(stdout).toContain('success: true');
  });
});

it('keeps the chosen language for all examples and the next page, and passes axe', async () => {
  const browser = await launchBrowser();
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  await page.goto(`${app.api.url}/docs/reference/coupons`);
  await page.getByRole('radio', { name: 'Python' }).first().check();
  expect(await page.locator('.tabs > [data-of="python"]:visible').count()).toBeGreaterThan(2);
  expect(await axeViolations(page)).toEqual([]);
  await page.goto(`${app.api.url}/docs/reference/products`);
  expect(await page.locator('.tabs > [data-of="python"]:visible').count()).toBeGreaterThan(2);
  expect(await page.locator('.tabs > [data-of="sh"]:visible').count()).toBe(0);
  await browser.close();
});

it('shows one program after the other as tabs in guides, each in the language chosen', async () => {
  const browser = await launchBrowser();
  const page = await browser.newPage();
  await page.goto(`${app.api.url}/docs/guides/quick-start`);
  const names = (number: number) => page.locator('.tabs').nth(number).locator('label').allTextContents();
  expect(await names(0)).toEqual(['curl', 'Node.js', 'Python', 'PHP', 'Go']);
  expect(await names(1)).toEqual(['Node.js', 'Python', 'PHP', 'Go']);
  expect(await page.locator('.tabs > :visible[data-of]').count()).toBe(2);
  await page.getByRole('radio', { name: 'curl' }).check();
  expect(await page.locator('.tabs > :visible[data-of]').count()).toBe(2);
  await page.getByRole('radio', { name: 'Go' }).last().check();
  expect(await page.locator('.tabs > [data-of="go"]:visible').count()).toBe(2);
  await page.goto(`${app.api.url}/docs/pt/guides/quick-start`);
  expect(await page.locator('.tabs > [data-of="go"]:visible').count()).toBe(2);
  await browser.close();
});

it('shows each example in the language chosen beside it without a script', async () => {
  const browser = await launchBrowser();
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${app.api.url}/docs/reference/coupons`);
  const tabs = page.locator('.tabs').first();
  await tabs.getByRole('radio', { name: 'Go' }).check();
  expect(await tabs.locator('[data-of="go"]').isVisible()).toBe(true);
  expect(await tabs.locator('[data-of="sh"]').isVisible()).toBe(false);
  await browser.close();
});
