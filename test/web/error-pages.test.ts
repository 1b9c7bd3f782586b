import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Database, openDatabase } from '../../src/database/orm.ts';
import { REQUEST_LIMITS } from '../../src/database/time-limits.ts';
import { mintId } from '../../src/ids.ts';
import { referenceRoutes } from '../../src/web/docs/routes.ts';
import { tooManyPages } from '../../src/web/too-many-pages.ts';
import { createTestApp, type TestApp } from '../support/api/app.ts';
import { type DashboardUser, signedIn } from '../support/dashboard/dashboard-user.ts';
import { createTestDatabase } from '../support/rows/database.ts';
import { TcpProxy } from '../support/servers/tcp-proxy.ts';

const ENGLISH = { Accept: 'text/html', 'Accept-Language': 'en' };

let operator: Awaited<ReturnType<typeof createTestDatabase>>;
/** The network between the service and Postgres. */
let network: TcpProxy;
let service: Database;
let app: TestApp;
let owner: DashboardUser;

beforeAll(async () => {
  operator = await createTestDatabase();
  network = await TcpProxy.start(Number(new URL(operator.url).port));
  const url = Object.assign(new URL(operator.url), { hostname: '127.0.0.1', port: String(network.port) });
  service = await openDatabase(url.href, 4, REQUEST_LIMITS);
  app = await createTestApp({}, { database: service });
  owner = await signedIn({ url: app.api.url, database: service }, app.storeId, 'owner');
});
afterAll(async () => {
  await app.close();
  await service.close(true);
  await network[Symbol.asyncDispose]();
  await operator.drop();
});

const checkout = () => `/pay/${mintId('checkout', new Date())}`;
const portal = () => `/portal/${mintId('customer', new Date())}`;
const home = () => `/dashboard/${app.storeId}/dev`;
const read = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(app.api.url + path, { ...init, headers: { ...ENGLISH, ...init.headers } });
  return { status: response.status, headers: response.headers, html: await response.text() };
};

describe('while Postgres is away', () => {
  it('says on every page when to try again, and leads to it', async () => {
    network.swallow();
    const answers = await Promise.all([
      read(checkout()),
      read(portal()),
      read('/dashboard/stores', { headers: { Cookie: `recebe_session=${'x'.repeat(43)}` } }),
      owner.get(home(), ENGLISH),
    ]).finally(() => network.flow());
    for (const { status, headers, html } of answers) {
      expect([status, headers.get('retry-after')]).toEqual([503, '5']);
      expect(headers.get('cache-control')).toContain('no-store');
      expect(html).toContain('The service is not answering');
      expect(html).toContain('Try again in 5 seconds.');
      expect(html).toContain('<a class="button" href="">Try again</a>');
    }
    expect(answers[0]?.html).toContain('do not pay again');
  });

  it('sends people who posted a form back to it', async () => {
    network.swallow();
    const body = new URLSearchParams({ email: 'ana@example.com' });
    const { status, html } = await read(portal(), { method: 'POST', body }).finally(() => network.flow());
    expect(status).toBe(503);
    expect(html).toContain('Go back to the previous page and send the form again.');
    expect(html).not.toContain('href=""');
  });
});

describe('after an error of ours', () => {
  const numberOf = (html: string) => /report this number: <code>([0-9a-f-]{36})<\/code>/.exec(html)?.[1];

  it('names the request, so that the log can be searched for it', async () => {
    const em = service.em.fork();
    await em.execute('alter table checkouts rename to lost', [], 'run');
    const [page, listed] = await Promise.all([
      read(checkout()),
      owner.get(`${home()}/checkouts`, ENGLISH),
    ]).finally(() => em.execute('alter table lost rename to checkouts', [], 'run'));
    expect([page.status, listed.status]).toEqual([500, 500]);
    for (const { headers, html } of [page, listed]) {
      expect(numberOf(html)).toBe(headers.get('x-request-id'));
      expect(html).toContain('The page could not be opened');
    }
    expect(listed.html).toContain('class="side__nav"');
  });

  it('shows readers of the documentation a page that no cache keeps', async () => {
    const router = referenceRoutes(() => {
      throw new Error('no document');
    }, 'http://localhost');
    const layer = router.stack.find(({ path }) => path === '/docs/*page');
    const sent: Record<string, string> = {};
    const ctx = {
      ...{ method: 'GET', path: '/docs/guides/cards', querystring: '', body: '', status: 404 },
      state: { requestId: 'req', log: { error: () => undefined } },
      acceptsLanguages: () => 'en',
      vary: () => undefined,
      set: (name: string | object, value = '') =>
        void Object.assign(sent, typeof name === 'string' ? { [name]: value } : name),
    };
    await layer?.stack.at(-1)?.(ctx as never, async () => undefined);
    expect([ctx.status, sent['Cache-Control']]).toEqual([500, 'no-store']);
    expect(ctx.body).toContain('The page could not be opened');
  });
});

describe('after too many requests', () => {
  const pageOf = tooManyPages({ publicUrl: 'https://pay.example.com' });

  it.each([
    [{ 'accept-language': 'fr-CH, es;q=0.9, en;q=0.8' }, 2, 'Inténtelo de nuevo en 2 segundos.'],
    [{ 'accept-language': 'en-US', cookie: 'a=b; recebe_lang=es' }, 1, 'Inténtelo de nuevo en 1 segundo.'],
    [{}, 600, 'Tente de novo em 10 minutos.'],
  ])('says the wait in words in the language of %p', (given, seconds, words) => {
    const { body, headers } = pageOf({ headers: given, seconds, isForm: false });
    expect(body).toContain(words);
    expect(headers).toMatchObject({
      'Content-Security-Policy': expect.stringContaining("style-src 'self'"),
      'Strict-Transport-Security': expect.anything(),
    });
  });

  it('renders a page once, and offers no link in place of a form', () => {
    const request = { headers: { 'accept-language': 'en' }, seconds: 3, isForm: true };
    expect(pageOf(request).body).toBe(pageOf({ ...request, seconds: 2.5 }).body);
    expect(pageOf(request).body).not.toContain('href=""');
  });
});
