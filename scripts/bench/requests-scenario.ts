import { readFileSync } from 'node:fs';
import { request } from 'undici';
import { platformFeesIn } from '../../src/config.ts';
import { fillYear } from '../../src/demo/fill-year.ts';
import type { StoreId } from '../../src/domain/ids.ts';
import { say } from '../embedded/run-and-stop.ts';
import type { Bench } from './bench.ts';
import { ownerCookie } from './dashboard-pages.ts';
import type { Figures } from './figures.ts';
import { percentile } from './load.ts';

/** How often each request is sent: the system counts CPU time in steps of 10 ms. */
const TIMES = 20;
/** Sent before and not counted: V8 compiles what runs often. */
const WARM_UPS = 5;
/** Requests that take at least this long are named. Ten a second of them take a fifth of a core. */
const SLOW_MS = 20;
/** Payments of one customer, as no real one has them. */
const PAYMENTS_OF_ONE = 10_000;
/** A crawl that finds more kinds of pages than there are is going in circles. */
const MOST_KINDS = 400;

/** A page or resource, and the cookie or key that opens it. */
interface Opened {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The time that one request of each kind takes from all others of its process: the main thread's CPU time of every GET request of
 * the API, every page that the dashboard links to, and the files, payer pages and guides among them, of a store with a year of
 * business. Linux only: elsewhere the time of one thread cannot be read.
 */
export async function requests(bench: Bench): Promise<Figures> {
  if (process.platform !== 'linux') {
    say('requests: left out, because this system does not count the time of one thread');
    return {};
  }
  // The warm-up round. Each request warms up by itself.
  if (bench.durations.filledCharges === 0) return {};
  const storeId = await filledStore(bench);
  const opened = [...(await apiRequests(bench)), ...(await linkedPages(bench, storeId))];
  const took: { readonly path: string; readonly cpuMs: number }[] = [];
  for (const each of opened) took.push({ path: each.path, cpuMs: await cpuMsOf(bench, each) });
  const slowest = took.toSorted((one, other) => other.cpuMs - one.cpuMs);
  for (const { path, cpuMs } of slowest.filter(({ cpuMs }) => cpuMs >= SLOW_MS))
    say(`slow: ${path}: ${cpuMs.toFixed(1)} ms of the main thread`);
  const all = took.map(({ cpuMs }) => cpuMs);
  return {
    requestKinds: all.length,
    requestP50CpuMs: percentile(all, 50),
    requestMostCpuMs: Math.max(...all),
  };
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

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
}

/** Every GET request of the API. Objects are those at the head of their list, and lists have as many rows as a page may. */
async function apiRequests({ api, endpoints }: Bench): Promise<Opened[]> {
  const document = await (await request(`${endpoints.apiUrl}/openapi.json`)).body.json();
  const { paths } = document as { paths: Record<string, { get?: Operation }> };
  const found: Opened[] = [{ path: '/openapi.json', headers: {} }];
  for (const [path, { get }] of Object.entries(paths)) {
    if (get === undefined || path.endsWith('/stream')) continue;
    const names = (get.parameters ?? []).filter(({ in: place }) => place === 'query').map(({ name }) => name);
    if (names.includes('limit')) {
      found.push({ path: `${path}?limit=100`, headers: api.headers });
      continue;
    }
    if (!names.includes('id')) {
      found.push({ path, headers: api.headers });
      continue;
    }
    const list = path.replace(/\/\w+$/, '/list');
    const id = list in paths ? await api.firstId(list) : undefined;
    if (id === undefined) say(`requests: ${path} is left out, because nothing is in its list`);
    else found.push({ path: `${path}?id=${id}`, headers: api.headers });
  }
  return found;
}

/** One page of each kind that the dashboard links to, directly or by other pages, as its owner opens them. */
async function linkedPages({ database, endpoints }: Bench, storeId: StoreId): Promise<Opened[]> {
  const cookie = await ownerCookie(database, storeId, endpoints.apiUrl);
  const found = new Map<string, Opened>();
  const waiting = [`/dashboard/${storeId}/dev/`, '/docs'];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const kind = kindOf(path);
    if (found.has(kind)) continue;
    if (found.size >= MOST_KINDS)
      throw new Error(`the dashboard links to more than ${MOST_KINDS} kinds of pages`);
    const { statusCode, headers, body } = await request(`${endpoints.apiUrl}${path}`, {
      headers: { cookie },
    });
    const text = await body.text();
    if (statusCode !== 200) continue;
    found.set(kind, { path, headers: { cookie } });
    if (String(headers['content-type']).startsWith('text/html'))
      waiting.push(...linksOf(text, path, endpoints.apiUrl));
  }
  return [...found.values()];
}

/** Pages of one kind differ in ids, dates, their filters, and the text of a guide. */
function kindOf(path: string): string {
  const { pathname, search } = new URL(path, 'http://any');
  const shape = pathname
    .replaceAll(/[a-z_]+_[0-9A-Za-z]{20,}/g, ':id')
    .replaceAll(/\d{4}-\d\d(-\d\d)?/g, ':date')
    .replace(/^(\/docs(?:\/pt)?\/[\w-]+)\/[\w-]+/, '$1/:page');
  return search === '' ? shape : `${shape}?`;
}

function linksOf(html: string, from: string, apiUrl: string): string[] {
  const links = [...html.matchAll(/href="([^"#]+)/g)].map(([, href = '']) =>
    URL.parse(href.replaceAll('&amp;', '&'), `${apiUrl}${from}`),
  );
  return links
    .filter(
      (url) => url !== null && url.origin === new URL(apiUrl).origin && !url.pathname.startsWith('/assets/'),
    )
    .map((url) => `${url?.pathname}${url?.search}`);
}

/** The main thread's CPU time of one request, in milliseconds. */
async function cpuMsOf(bench: Bench, opened: Opened): Promise<number> {
  await send(bench, opened, WARM_UPS);
  const before = mainThreadMs(bench.servicePid);
  await send(bench, opened, TIMES);
  return (mainThreadMs(bench.servicePid) - before) / TIMES;
}

async function send({ endpoints }: Bench, { path, headers }: Opened, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    const { body } = await request(`${endpoints.apiUrl}${path}`, { headers: { ...headers } });
    await body.dump({ limit: Number.MAX_SAFE_INTEGER });
  }
}

/** The CPU time of a process' first thread, from the fields `utime` and `stime` of proc(5), in steps of 10 ms. */
function mainThreadMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
