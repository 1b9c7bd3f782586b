import { request } from 'undici';
import type { StoreId } from '../../src/domain/ids.ts';
import { addMember } from '../../src/identity/members.ts';
import { beginSession } from '../../src/identity/sessions.ts';
import { userOf } from '../../src/identity/users.ts';
import { DashboardCookies } from '../../src/web/dashboard/frame/cookies.ts';
import { linkTo } from '../../src/web/dashboard/frame/place.ts';
import { filled } from '../../test/support/rows/filled-lists.ts';
import { say } from '../embedded/run-and-stop.ts';
import type { Bench } from './bench.ts';

/** How often each page is opened. */
const TIMES = 10;
/** Pages that take at least this long are named. */
const SLOW_MS = 50;

/** The pages that an owner opens: home, lists, searches by each kind of value, and one page of each kind. */
const PAGES: readonly string[] = [
  '/',
  '/?period=12m',
  ...[
    '',
    '?status=PAID',
    '?status=CANCELLED',
    '?q=Cliente+7',
    '?q=cliente7@example.com',
    '?q=ext-7',
    '?q=none',
    '?q=00000000007',
    '?q=25,00',
  ].map((query) => `/payments${query}`),
  ...['', '?q=pedido-7', '?status=CANCELLED'].map((query) => `/checkouts${query}`),
  ...['', '?state=CANCELLED', '?state=PAST_DUE', '?q=Cliente+7'].map((query) => `/subscriptions${query}`),
  ...['', '?q=Cliente+7'].map((query) => `/customers${query}`),
  ...['', '?account=PENDING'].map((query) => `/balance${query}`),
  '/payouts',
  '/payouts?kind=transfers',
  '/invoices',
  '/sub-accounts',
  '/approvals',
  '/exports',
  '/search?q=Cliente+7',
  '/events',
  '/webhooks',
  '/products',
  '/coupons',
  '/keys',
  '/team',
  '/audit',
  '/settings',
  '/controls',
  '/sandbox',
  `/payments/${filled('pix_char_', 1000)}`,
  `/checkouts/${filled('bill_', 1)}`,
  `/customers/${filled('cust_', 3)}`,
  `/subscriptions/${filled('subs_', 1)}`,
  `/events/${filled('evnt_', 9)}`,
  `/webhooks/${filled('webh_', 0)}`,
  `/deliveries/${filled('log_', 3)}`,
];

/** The latencies of dashboard pages in milliseconds, and the transferred size of the largest page in bytes. */
export interface DashboardPages {
  readonly tookMs: readonly number[];
  readonly largestBytes: number;
}

/** Opens every page of a filled store as its owner, one after the other. @throws if a page does not exist. */
export async function openDashboard(
  { database, endpoints }: Bench,
  storeId: string,
): Promise<DashboardPages> {
  const cookie = await ownerCookie(database, storeId as StoreId, endpoints.apiUrl);
  const tookMs: number[] = [];
  let largestBytes = 0;
  for (let time = 0; time < TIMES; time += 1) {
    for (const page of PAGES) {
      const url = new URL(linkTo({ storeId: storeId as StoreId, devMode: true }, page), endpoints.apiUrl);
      const startedMs = performance.now();
      const { statusCode, body } = await request(url, { headers: { cookie, 'accept-encoding': 'gzip' } });
      const { byteLength } = await body.arrayBuffer();
      const pageMs = performance.now() - startedMs;
      if (statusCode !== 200) throw new Error(`${page} of the dashboard is answered with ${statusCode}`);
      tookMs.push(pageMs);
      largestBytes = Math.max(largestBytes, byteLength);
      if (pageMs > SLOW_MS) say(`slow: dashboard${page}: ${Math.round(pageMs)} ms`);
    }
  }
  return { tookMs, largestBytes };
}

/** Signs in an owner of the store. @returns the cookie of the session. */
export async function ownerCookie(
  database: Bench['database'],
  storeId: StoreId,
  apiUrl: string,
): Promise<string> {
  const { sessionName } = new DashboardCookies(apiUrl);
  return `${sessionName}=${await signedIn(database, storeId)}`;
}

async function signedIn(database: Bench['database'], storeId: StoreId): Promise<string> {
  const now = new Date();
  const em = database.em.fork();
  const { id: userId } = await userOf(em, 'bench@example.com', now);
  await addMember(em, { userId, storeId, role: 'owner', createdAt: now });
  const browser = { address: '127.0.0.1', userAgent: 'bench' };
  return (await beginSession(em, { ...browser, userId, awaitsCode: false, now })).tokenText;
}
