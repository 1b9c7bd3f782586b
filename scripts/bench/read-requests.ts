import { request } from 'undici';
import type { StoreId } from '../../src/domain/ids.ts';
import { say } from '../embedded/run-and-stop.ts';
import type { ApiDocument } from './api-document.ts';
import type { Bench } from './bench.ts';
import { ownerCookie } from './dashboard-pages.ts';

/** A crawl that finds more kinds of pages than there are is going in circles. */
const MOST_KINDS = 400;

/** A page or resource, and the cookie or key that opens it. */
export interface ReadRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Every GET request of the API. Objects are those at the head of their list, and lists have as many rows as a page may. */
export async function apiReads({ api }: Pick<Bench, 'api'>, { paths }: ApiDocument): Promise<ReadRequest[]> {
  const found: ReadRequest[] = [{ path: '/openapi.json', headers: {} }];
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

/** Sends a read and receives its answer. @returns the status. */
export async function sendRead({ endpoints }: Bench, { path, headers }: ReadRequest): Promise<number> {
  const { statusCode, body } = await request(`${endpoints.apiUrl}${path}`, { headers: { ...headers } });
  await body.dump({ limit: Number.MAX_SAFE_INTEGER });
  return statusCode;
}

/** One page of each kind that the dashboard links to, directly or by other pages, as its owner opens them. */
export async function linkedPages({ database, endpoints }: Bench, storeId: StoreId): Promise<ReadRequest[]> {
  const cookie = await ownerCookie(database, storeId, endpoints.apiUrl);
  const found = new Map<string, ReadRequest>();
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
