import { platformFeesIn } from '../../src/config.ts';
import { fillYear } from '../../src/demo/fill-year.ts';
import type { StoreId } from '../../src/domain/ids.ts';
import { say } from '../embedded/run-and-stop.ts';
import { apiDocument } from './api-document.ts';
import type { Bench } from './bench.ts';
import type { Figures } from './figures.ts';
import { percentile } from './load.ts';
import { mainThreadMs, mainThreadRest } from './main-thread.ts';
import { apiReads, linkedPages, type ReadRequest, sendRead } from './read-requests.ts';
import { apiWrites, sendWrite, type WriteRequest } from './write-requests.ts';

/** How often each request is sent: the system counts CPU time in steps of 10 ms. */
const TIMES = 20;
/** Sent before and not counted: V8 compiles what runs often. */
const WARM_UPS = 5;
/** Requests that take at least this long are named. Ten a second of them take a fifth of a core. */
const SLOW_MS = 20;
/** Payments of one customer, as no real one has them. */
const PAYMENTS_OF_ONE = 10_000;
/** Objects of each kind with everything that the API allows, as many as fit on a page of a list. */
const LARGE_OBJECTS = 100;

interface Took {
  readonly what: string;
  readonly cpuMs: number;
}

/**
 * The time that one request of each kind takes from all others of its process: the main thread's CPU time of every request of
 * the API and every page that the dashboard links to, and the files, payer pages and guides among them, of a store with a year of
 * business. In the end, lists are read again, full of the largest objects. Linux only: elsewhere the time of one thread cannot be read.
 */
export async function requests(bench: Bench): Promise<Figures> {
  if (process.platform !== 'linux') {
    say('requests: left out, because this system does not count the time of one thread');
    return {};
  }
  // The warm-up round. Each request warms up by itself.
  if (bench.durations.filledCharges === 0) return {};
  const storeId = await filledStore(bench);
  const document = await apiDocument(bench.endpoints.apiUrl);
  const apiRequests = await apiReads(bench, document);
  const reads = await readsTook(bench, [...apiRequests, ...(await linkedPages(bench, storeId))]);
  const writes = await writesTook(bench, await apiWrites(bench, document));
  const large = await readsTook(bench, apiRequests);
  return {
    requestKinds: reads.length + writes.length,
    requestP50CpuMs: percentile(reads.map(cpuMsIn), 50),
    requestMostCpuMs: Math.max(...reads.map(cpuMsIn)),
    writeP50CpuMs: percentile(writes.map(cpuMsIn), 50),
    writeMostCpuMs: Math.max(...writes.map(cpuMsIn)),
    largeReadMostCpuMs: Math.max(...large.map(cpuMsIn)),
  };
}

function cpuMsIn({ cpuMs }: Took): number {
  return cpuMs;
}

/** The bench's own store with a year of business, and a customer with very many payments. @returns its id. */
async function filledStore({ api, database }: Bench): Promise<StoreId> {
  const { id: storeId } = await api.getStore();
  const em = database.em.fork();
  await fillYear(em, { storeId, platformFees: platformFeesIn({}), now: new Date() });
  await em.execute(
    `with one as (select id from customers where store_id = ? order by id desc limit 1)
     update charges set customer_id = (select id from one)
     where id in (select id from charges where store_id = ? and status = 'PAID' limit ?)`,
    [storeId, storeId, PAYMENTS_OF_ONE],
  );
  await em.execute('vacuum analyze');
  return storeId;
}

async function readsTook(bench: Bench, reads: readonly ReadRequest[]): Promise<Took[]> {
  const took: Took[] = [];
  for (const read of reads) {
    took.push({ what: read.path, cpuMs: await cpuMsOf(bench, () => sendRead(bench, read)) });
  }
  nameSlow(took);
  return took;
}

/** Includes what follows the answer, such as a workflow and its activities, if the process is a worker too. */
async function writesTook(bench: Bench, writes: readonly WriteRequest[]): Promise<Took[]> {
  const took: Took[] = [];
  let sent = 0;
  for (const write of writes) {
    let status = 0;
    const send = async () => {
      sent += 1;
      status = await sendWrite(bench, write, sent);
    };
    const cpuMs = await cpuMsOf(bench, send, () => status === 200);
    took.push({ what: `POST ${write.path}, ${write.named}, answered ${status}`, cpuMs });
    if (write.named !== 'largest' || status !== 200) continue;
    for (let object = TIMES + WARM_UPS; object < LARGE_OBJECTS; object += 1) {
      sent += 1;
      await sendWrite(bench, write, sent);
    }
  }
  nameSlow(took);
  return took;
}

function nameSlow(took: readonly Took[]): void {
  const slow = took.filter(({ cpuMs }) => cpuMs >= SLOW_MS);
  for (const { what, cpuMs } of slow.toSorted((one, other) => other.cpuMs - one.cpuMs))
    say(`slow: ${what}: ${cpuMs.toFixed(1)} ms of the main thread`);
}

/**
 * The main thread's CPU time of one request, in milliseconds.
 * @param hasMore whether work follows the answer, which is waited for and counted.
 */
async function cpuMsOf(
  { servicePid }: Bench,
  send: () => Promise<unknown>,
  hasMore: () => boolean = () => false,
): Promise<number> {
  for (let time = 0; time < WARM_UPS; time += 1) await send();
  if (hasMore()) await mainThreadRest(servicePid);
  const before = mainThreadMs(servicePid);
  for (let time = 0; time < TIMES; time += 1) await send();
  if (hasMore()) await mainThreadRest(servicePid);
  return (mainThreadMs(servicePid) - before) / TIMES;
}
