import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runAndStop, say } from '../run-and-stop.ts';
import { runChaos } from './chaos.ts';
import { makeChaosFolder, removeChaosFolder } from './folder.ts';
import { reportText } from './report.ts';

const USAGE = `usage: npm run chaos -- [--minutes N] [--seed S] [--temporal-server FOLDER]
  --minutes N                how long the weather is bad, 2 unless given
  --seed S                   what happens, to whom and when; this second's own unless given
  --temporal-server FOLDER   with a Temporal server on Postgres, whose programs server and sql are there`;

const MINUTE_MS = 60_000;
const MAX_SEED = 2 ** 31 - 1;

/** `npm run chaos`: the whole service in foul weather, and then the accounts. */
async function main(): Promise<void> {
  const { durationMs, seed, temporalServer } = readOptions();
  const folder = makeChaosFolder();
  const startedMs = performance.now();
  const log = (line: string) => say(`${Math.round((performance.now() - startedMs) / 1_000)} s: ${line}`);
  const report = await runChaos({ durationMs, seed, temporalServer, folder, log });
  process.stdout.write(`${reportText(report, folder)}\n`);
  if (report.differences.length > 0) process.exitCode = 1;
  else removeChaosFolder(folder);
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '2' },
      seed: { type: 'string', default: String(Math.floor(Date.now() / 1_000) % MAX_SEED) },
      'temporal-server': { type: 'string' },
    },
  });
  const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
  const programs = values['temporal-server'];
  const temporalServer = programs === undefined ? null : resolve(programs);
  const isSeed = Number.isInteger(seed) && seed >= 0 && seed <= MAX_SEED;
  if (!(minutes > 0) || !isSeed) throw new Error(USAGE);
  return { durationMs: minutes * MINUTE_MS, seed, temporalServer };
}

await runAndStop(main);
