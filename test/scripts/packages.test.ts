import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

const LOCK_FILE = readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8');

it('package-lock.json names no registry, so that everybody installs from their own', () => {
  expect(LOCK_FILE).not.toMatch(/"resolved"|https?:\/\/[^"]*\.tgz/);
});

it('the browser that npm brings is left out of what is installed for production', () => {
  expect(JSON.parse(LOCK_FILE).packages['node_modules/@sparticuz/chromium']).toMatchObject({ dev: true });
});
