import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

const LOCK_FILE = readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8');

it('names no registry in package-lock.json, so that everyone installs from their own', () => {
  expect(LOCK_FILE).not.toMatch(/"resolved"|https?:\/\/[^"]*\.tgz/);
});

it('excludes the packaged browser from production installs', () => {
  expect(JSON.parse(LOCK_FILE).packages['node_modules/@sparticuz/chromium']).toMatchObject({ dev: true });
});
