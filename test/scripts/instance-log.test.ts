import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { instanceLog } from '../../scripts/instance-log.ts';
import { eventually } from '../support/waiting/eventually.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recebe-instance-log-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Logs a request and a warning. @returns what a terminal shows of them. */
function shown(isShown: boolean): string {
  let text = '';
  const write = (more: string) => {
    text += more;
  };
  const log = instanceLog(join(folder, 'service.log'), 'info', isShown, { isTTY: true, write });
  log.info({ status: 200 }, 'request');
  log.warn({ status: 422 }, 'request');
  return text;
}

it('shows only warnings on a terminal and writes everything to the file', async () => {
  expect(shown(false)).toMatch(/^\d\d:\d\d:\d\d WARN {2}request status=422\n$/);
  await eventually(() => {
    const lines = readFileSync(join(folder, 'service.log'), 'utf8').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 30, status: 200 },
      { level: 40, status: 422 },
    ]);
  });
});

it('shows everything in readable lines with --log', () => {
  expect(shown(true)).toMatch(/^\S+ INFO {2}request status=200\n\S+ WARN {2}request status=422\n$/);
});
