import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runAndStop, say } from '../embedded/run-and-stop.ts';
import { PROVIDER_NAMES, runChaos } from './chaos.ts';
import { makeChaosFolder, removeChaosFolder } from './folder.ts';
import { loseTemporal, lossReportText } from './loss/lose-temporal.ts';
import { reportText } from './report.ts';
import { restoreDrill, restoreReportText } from './restore/restore.ts';

const USAGE = `usage: npm run chaos -- [--provider NAME] [--minutes N] [--seed S] [--temporal-server FOLDER]
       npm run chaos -- --lose-temporal THINGS [--temporal-server FOLDER]
       npm run chaos -- restore [--minutes N] [--seed S] [--temporal-server FOLDER]
  --provider NAME            where real money is paid: ${PROVIDER_NAMES.join(', ')}; ${PROVIDER_NAMES[0]} by default
  --minutes N                how long faults are injected, 2 by default; with restore, before and after the backup
  --seed S                   what happens, to whom and when; this second's own unless given
  restore                    restores a backup of Postgres without Temporal's data, and compares with the bank
  --lose-temporal THINGS     opens so many things instead, deletes Temporal's data, and has all rebuilt
  --temporal-server FOLDER   with a Temporal server on Postgres, whose programs server and sql are there`;

const MINUTE_MS = 60_000;
const MAX_SEED = 2 ** 31 - 1;

/** `npm run chaos`: the whole service with faults and recovery, and then the comparison. */
async function main(): Promise<void> {
  const { durationMs, seed, count, temporalServer, isRestore, provider } = readOptions();
  const folder = makeChaosFolder();
  const startedMs = performance.now();
  const log = (line: string) => say(`${Math.round((performance.now() - startedMs) / 1_000)} s: ${line}`);
  const cluster = { folder, temporalServer, log };
  const { text, differences } = isRestore
    ? await restored({ ...cluster, durationMs, seed })
    : count === null
      ? await withFaults({ ...cluster, durationMs, seed, provider })
      : await lost({ ...cluster, count });
  process.stdout.write(`${text}\n`);
  if (differences.length > 0) process.exitCode = 1;
  else removeChaosFolder(folder);
}

async function withFaults(options: Parameters<typeof runChaos>[0]) {
  const report = await runChaos(options);
  return { text: reportText(report, options.folder), differences: report.differences };
}

async function lost(options: Parameters<typeof loseTemporal>[0]) {
  const report = await loseTemporal(options);
  return { text: lossReportText(report, options.folder), differences: report.differences };
}

async function restored(options: Parameters<typeof restoreDrill>[0]) {
  const report = await restoreDrill(options);
  return { text: restoreReportText(report, options.folder), differences: report.differences };
}

function readOptions() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      provider: { type: 'string', default: 'bank' },
      minutes: { type: 'string', default: '2' },
      seed: { type: 'string', default: String(Math.floor(Date.now() / 1_000) % MAX_SEED) },
      'lose-temporal': { type: 'string' },
      'temporal-server': { type: 'string' },
    },
  });
  const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
  const things = values['lose-temporal'];
  const count = things === undefined ? null : Number(things);
  const programs = values['temporal-server'];
  const temporalServer = programs === undefined ? null : resolve(programs);
  const isSeed = Number.isInteger(seed) && seed >= 0 && seed <= MAX_SEED;
  const isCount = count === null || (Number.isInteger(count) && count > 0);
  const [what, ...more] = positionals;
  const isRestore = what === 'restore';
  if (more.length > 0 || (what !== undefined && !isRestore)) throw new Error(USAGE);
  const provider = PROVIDER_NAMES.find((name) => name === values.provider);
  if (provider === undefined || !(minutes > 0) || !isSeed || !isCount) throw new Error(USAGE);
  return { durationMs: minutes * MINUTE_MS, seed, count, temporalServer, isRestore, provider };
}

await runAndStop(main);
