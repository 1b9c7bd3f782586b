import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { migrate } from '../src/database/migrate.ts';
import { openDatabase } from '../src/database/orm.ts';
import { verifyLedger } from '../src/ledger/verify-ledger.ts';
import { runScenarios } from '../test/model/run-scenario.ts';
import { startStandIn } from '../test/model/stand-in.ts';
import { startPostgres } from './embedded/postgres.ts';
import { atEnd, runAndStop, say } from './embedded/run-and-stop.ts';

const USAGE = `usage: npm run soak -- [--seeds N] [--from SEED]
  --seeds N      how many random scenarios are run, 10000 by default
  --from SEED    the first seed; default: one of the day`;

/** Scenarios at a time: one waits for the database while another computes. */
const AT_A_TIME = 4;
/** Two operations at once per scenario, and the parallel queries of each. */
const POOL_SIZE = 8 * AT_A_TIME;
const PROGRESS_MS = 10_000;
/** fast-check's seeds are 32-bit integers. */
const MAX_SEED = 2 ** 31 - 1;

/** `npm run soak`: the model of test/model against the service, for as many seeds as the night is long. */
async function main(): Promise<void> {
  const { count, from } = readOptions();
  const folder = mkdtempSync(join(tmpdir(), 'recebe-soak-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), durable: false, log: say });
  atEnd(postgres.stop);
  await migrate(postgres.url);
  const database = await openDatabase(postgres.url, POOL_SIZE);
  atEnd(() => database.close(true));
  const standIns = await Promise.all(Array.from({ length: AT_A_TIME }, () => startStandIn(database)));
  atEnd(async () => void (await Promise.all(standIns.map((standIn) => standIn.close()))));

  let done = 0;
  const startedMs = performance.now();
  const seconds = () => Math.round((performance.now() - startedMs) / 1_000);
  const progress = setInterval(() => say(`${done} of ${count} seeds in ${seconds()} s`), PROGRESS_MS);
  atEnd(() => clearInterval(progress));
  const seeds = Array.from({ length: count }, (_, index) => from + index);
  await runScenarios(seeds, standIns, {
    canMoveTime: true,
    onDone: () => {
      done += 1;
    },
  });
  const { movements, discrepancies } = await verifyLedger(database.em.fork());
  if (discrepancies.length > 0) throw new Error(`ledger verify: ${JSON.stringify(discrepancies, null, 2)}`);
  say(
    `Seeds ${from} to ${from + count - 1} passed in ${seconds()} s; ${movements} movements, and every cent is right.`,
  );
}

function readOptions() {
  const today = Math.floor(Date.now() / 1_000) % (MAX_SEED / 2);
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '10000' },
      from: { type: 'string', default: String(Math.floor(today)) },
    },
  });
  const [count, from] = [Number(values.seeds), Number(values.from)];
  const isRange = Number.isInteger(count) && Number.isInteger(from) && count >= 1 && from >= 0;
  if (!isRange || from + count > MAX_SEED) throw new Error(USAGE);
  return { count, from };
}

await runAndStop(main);
