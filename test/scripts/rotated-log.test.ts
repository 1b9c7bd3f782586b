import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { RotatedLog } from '../../scripts/rotated-log.ts';
import { waitFor } from '../support/waiting/wait-for.ts';

let folder: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'recebe-rotated-log-'));
  file = join(folder, 'service.log');
});
beforeEach(() => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true }));

const MAX_BYTES = 1_000;
const LINE = 'x'.repeat(93);
const line = (number: number) => `${String(number).padStart(6, '0')}${LINE}\n`;

function linesOf(name: string): string[] {
  return readFileSync(name, 'utf8').split('\n').slice(0, -1);
}

it('keeps the newest lines without gaps in two files of bounded size', async () => {
  const log = new RotatedLog(file, MAX_BYTES);
  const written = Array.from({ length: 500 }, (_, number) => line(number));
  for (const text of written) log.write(text);
  const last = written.at(-1)?.trimEnd() ?? '';
  await waitFor(() => linesOf(file).at(-1) === last && linesOf(`${file}.1`).length > MAX_BYTES / 100);
  expect(readdirSync(folder).sort()).toEqual(['service.log', 'service.log.1']);
  for (const name of [file, `${file}.1`])
    expect(statSync(name).size).toBeLessThanOrEqual(MAX_BYTES + line(0).length);
  const kept = [...linesOf(`${file}.1`), ...linesOf(file)];
  expect(kept).toEqual(written.slice(-kept.length).map((text) => text.trimEnd()));
});

it('appends to the log of the previous process unless that is too long', async () => {
  writeFileSync(file, 'before\n');
  new RotatedLog(file, MAX_BYTES).write('after\n');
  await waitFor(() => linesOf(file).length === 2);
  writeFileSync(file, line(0).repeat(20));
  new RotatedLog(file, MAX_BYTES).write('anew\n');
  await waitFor(() => linesOf(file).join() === 'anew');
  expect(linesOf(`${file}.1`)).toHaveLength(20);
});

it('continues in the same file if the rotation fails', async () => {
  mkdirSync(join(`${file}.1`, 'in the way'), { recursive: true });
  const log = new RotatedLog(file, MAX_BYTES);
  for (let number = 0; number < 50; number += 1) log.write(line(number));
  await waitFor(() => linesOf(file).length === 50);
});
