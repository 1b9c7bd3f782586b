import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { run, start } from '../support/cli/command.ts';
import { waitFor } from '../support/waiting/wait-for.ts';

let folder: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'recebe-logs-'));
  file = join(folder, 'service.log');
});
afterAll(() => rmSync(folder, { recursive: true }));

const lineOf = (level: number, msg: string, more: object = {}) =>
  `${JSON.stringify({ level, time: '2026-11-22T12:00:00.000Z', ...more, msg })}\n`;

describe('recebe logs', () => {
  it('says what to do if nothing has been started', async () => {
    expect(await run('logs --no-follow', { RECEBE_DATA: folder })).toMatchObject({
      code: 2,
      errors: expect.stringContaining('npm start'),
    });
  });

  it('shows readable lines, from a level on and about an id', async () => {
    const failed = { requestId: 'req-1', err: { message: 'broken', stack: 'Error: broken\n at x' } };
    writeFileSync(
      file,
      `not JSON\n${lineOf(30, 'request', { status: 200, requestId: 'req-1' })}${lineOf(50, 'request failed', failed)}`,
    );
    const all = (await run('logs --no-follow', { RECEBE_DATA: folder })).out;
    expect(all).toMatch(
      /^\d\d:00:00 INFO {2}request status=200 requestId=req-1\n\d\d:00:00 ERROR request failed/,
    );
    expect(all).toContain('\n    Error: broken\n     at x');
    const errors = await run('logs --no-follow --level error --json', { RECEBE_DATA: folder });
    expect(errors.out.split('\n').map((line) => JSON.parse(line).msg)).toEqual(['request failed']);
    expect((await run('logs --no-follow --about req-2', { RECEBE_DATA: folder })).out).toBe('');
  });

  it('follows new lines, even after the log starts again', async () => {
    writeFileSync(file, lineOf(30, 'first ação'.repeat(10)));
    await using following = start(['logs'], { RECEBE_DATA: folder });
    await waitFor(() => following.lines.length === 1);
    const text = lineOf(30, 'second');
    appendFileSync(file, text.slice(0, 9));
    appendFileSync(file, text.slice(9));
    await waitFor(() => following.lines.length === 2);
    writeFileSync(file, lineOf(30, 'third'));
    await waitFor(() => following.lines.length === 3);
    expect(following.lines.map(({ msg }) => msg).slice(1)).toEqual(['second', 'third']);
  });

  it('continues from a rotated log in the next one without losing a line', async () => {
    writeFileSync(file, lineOf(30, 'first'));
    await using following = start(['logs'], { RECEBE_DATA: folder });
    await waitFor(() => following.lines.length === 1);
    // The last line arrives after the log was renamed.
    renameSync(file, `${file}.1`);
    writeFileSync(file, lineOf(30, 'third'));
    appendFileSync(`${file}.1`, lineOf(30, 'second'));
    await waitFor(() => following.lines.length === 3);
    expect(following.lines.map(({ msg }) => msg)).toEqual(['first', 'second', 'third']);
    const all = await run('logs --no-follow --json', { RECEBE_DATA: folder });
    expect(all.out.split('\n').map((line) => JSON.parse(line).msg)).toEqual(['first', 'second', 'third']);
  });
});
