import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { request } from 'undici';
import type { ShownCharge } from '../../src/api/transparents/schema.ts';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import { formatDigitableLine } from '../../src/domain/boleto.ts';
import type { ChargeId } from '../../src/domain/ids.ts';
import { parseBrCode } from '../../src/domain/pix.ts';
import { userOf } from '../../src/identity/users.ts';
import { pageAssets } from '../../src/web/frame/asset-files.ts';
import { pageScript } from '../../src/web/frame/assets.ts';
import { type ApiAnswer, dataOf } from '../support/api/api-client.ts';
import { createTestApp, type TestApp } from '../support/api/app.ts';

type Boleto = Extract<ShownCharge, { method: 'BOLETO' }>;

/** A Wednesday in São Paulo; a boleto created then is due on Monday, 7 December, by default. */
const NOW = new Date('2026-12-02T15:00:00.000Z');
/** Ten days after that due date, half an hour before São Paulo's midnight, when it is the 18th in UTC. */
const TEN_DAYS_LATE = new Date('2026-12-18T02:30:00.000Z');
const ANA = { name: 'Ana <Souza> & Filhos', taxId: '529.982.247-25' };
const LATE_TERMS = { interest: { value: 100 }, fine: { value: 200, type: 'PERCENTAGE' } };

let app: TestApp;
let now: Date;
beforeAll(async () => {
  app = await createTestApp({ clock: () => now, starter: { startSoon: () => undefined } });
});
afterAll(() => app.close());
beforeEach(() => {
  now = NOW;
});

const createBoleto = async (data: object = {}) =>
  dataOf<Boleto>(
    await app.api.post('/v2/transparents/create', {
      method: 'BOLETO',
      data: { amount: 25_000, customer: ANA, ...data },
    }),
  );
const createPix = async () =>
  dataOf<ShownCharge>(
    await app.api.post('/v2/transparents/create', { method: 'PIX', data: { amount: 2500 } }),
  );
/** Opens an address as a payer does: without a key. */
const open = (url: string, method = 'GET') =>
  app.api.call(url.replace(app.api.url, ''), { key: null, method });
const textOf = ({ text }: ApiAnswer) => text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

function expectHtml(answer: ApiAnswer, status: number): void {
  expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
  expect(answer.text).toMatch(/^<!doctype html>\n<html lang="pt-BR">/);
}

describe('the page of a boleto', () => {
  it("opens the API's boleto url without a key and shows line and PIX code", async () => {
    const boleto = await createBoleto({ ...LATE_TERMS, description: 'Pedido 4821' });
    const page = await open(boleto.url);
    expectHtml(page, 200);
    expect(textOf(page)).toContain(formatDigitableLine(boleto.barCode));
    expect(textOf(page)).toContain(boleto.brCode);
    expect(textOf(page)).toContain('R$ 250,00');
    expect(textOf(page)).toContain('Pedido 4821');
    expect(textOf(page)).toContain('Banco Sandbox');
    expect(textOf(page)).toContain('0001 / 1234567');
    expect(textOf(page)).toContain('Ambiente de teste');
  });

  it("shows today's amount of a late boleto and the PIX code for it", async () => {
    const boleto = await createBoleto(LATE_TERMS);
    now = TEN_DAYS_LATE;
    const { brCode } = dataOf<Boleto>(await app.api.get(`/v2/transparents/get?id=${boleto.id}`));
    const page = textOf(await open(boleto.url));
    // 250.00, 2 % fine, and 1 % a month for 10 days: 0.8333 rounded to the cent.
    expect(page).toContain('R$ 255,83');
    expect(parseBrCode(String(brCode))).toMatchObject({ amountCents: 25_583 });
    expect(page).toContain(brCode);
    expect(page).not.toContain(boleto.brCode);
  });

  it('shows the payer with a masked tax id, escaped', async () => {
    const page = await open((await createBoleto()).url);
    expect(page.text).toContain('Ana &lt;Souza&gt; &amp; Filhos');
    expect(page.text).toContain('529.***.***-**');
    expect(page.text).not.toMatch(/529\.?982\.?247/);
  });

  it('shows nothing of a payer whose data was erased', async () => {
    const customer = { ...ANA, name: 'Bruno Lima', taxId: '111.444.777-35' };
    const boleto = await createBoleto({ customer });
    await app.api.post(`/v2/customers/delete?id=${boleto.customerId}`);
    const page = textOf(await open(boleto.url));
    expect(page).toContain('Não informado');
    expect(page).not.toContain('Bruno Lima');
    expect(page).not.toContain('111.');
  });

  it('hides internal data from payers', async () => {
    const boleto = await createBoleto({ externalId: 'internal-77', metadata: { margin: 'secret-margin' } });
    const page = await open(boleto.url);
    expect(page.text).not.toContain('internal-77');
    expect(page.text).not.toContain('secret-margin');
    expect(page.text).not.toContain(app.storeId);
  });
});

describe('addresses without a page', () => {
  it.each([
    ['an unknown id', 'bole_01KBFTQ0M0AAAAAAAAAAAAAAAA'],
    ['no id', ''],
    ['a pattern', 'bole_%25'],
    ['a NUL character', 'bole_%00'],
    ['broken percent-encoding', '%E0%A4%A'],
    ['markup', '%3Cscript%3E'],
    ['a very long id', 'x'.repeat(5000)],
  ])('returns a 404 page in Portuguese at /boleto and /receipt for %s', async (_name, id) => {
    for (const folder of ['/boleto/', '/receipt/']) {
      const page = await open(folder + id);
      expectHtml(page, 404);
      expect(page.text).not.toContain('<script>');
      expect(page.text).toMatch(/<header class="head">.*Recebe<\/span><\/p><\/div><\/header>/);
    }
    expect(textOf(await open(`/boleto/${id}`))).toContain('Boleto não encontrado');
    expect(textOf(await open(`/receipt/${id}`))).toContain('Comprovante não disponível');
  });

  it('returns 404 for the boleto page of a PIX charge', async () => {
    const { id } = await createPix();
    const page = await open(`/boleto/${id}`);
    expectHtml(page, 404);
    // The page equals that of an unknown id, so guesses reveal nothing.
    expect(page.text).toBe((await open('/boleto/bole_01KBFTQ0M0AAAAAAAAAAAAAAAA')).text);
  });

  it('returns a page to a browser at an address of nothing', async () => {
    const accept = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    const opened = (path: string) => app.api.call(path, { key: null, method: 'GET', headers: accept });
    const page = await opened('/nowhere');
    expectHtml(page, 404);
    expect(textOf(page)).toContain('Página não encontrada');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect((await opened('/v2/nowhere')).json).toMatchObject({ code: 'ROUTE_NOT_FOUND' });
  });

  it('returns JSON for addresses of no page', async () => {
    expect((await open('/nowhere')).json).toMatchObject({ code: 'ROUTE_NOT_FOUND' });
    const posted = await open('/boleto/bole_1', 'POST');
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'HEAD, GET']);
  });
});

describe('internal errors', () => {
  it('hides internals from the payer and logs the cause', async () => {
    const boleto = await createBoleto();
    // Production has no such account, so the issuing bank is unknown.
    await app.database.em
      .fork()
      .nativeUpdate(ChargeEntity, { id: boleto.id as ChargeId }, { devMode: false });
    const page = await open(boleto.url);
    expectHtml(page, 503);
    expect(textOf(page)).toContain('Tente de novo em 5 segundos');
    expect(page.text).not.toMatch(/provider|Error|\.ts/);
    const line = app.logged.find(({ msg }) => msg === 'Postgres or the provider did not answer');
    expect(line).toMatchObject({ requestId: page.headers.get('x-request-id') });
    expect(JSON.stringify(line)).toContain('there is no provider account');
  });
});

describe('headers', () => {
  const missing = '/receipt/bole_01KBFTQ0M0AAAAAAAAAAAAAAAA';

  it('sets no-store, no-referrer, nosniff and a strict CSP on every page', async () => {
    for (const page of [await open((await createBoleto()).url), await open(missing)]) {
      const policy = page.headers.get('content-security-policy') ?? '';
      expect(policy.split('; ')).toEqual(
        expect.arrayContaining([
          "default-src 'none'",
          "script-src 'self'",
          "style-src 'self'",
          "frame-ancestors 'none'",
          "form-action 'none'",
        ]),
      );
      expect(policy).not.toContain('unsafe');
      expect(Object.fromEntries(page.headers)).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'x-robots-tag': 'noindex, nofollow',
      });
      expect(page.headers.has('strict-transport-security')).toBe(false);
    }
  });

  it('answers HEAD with the headers of GET and no body', async () => {
    const { url } = await createBoleto();
    // A compressed response has no Content-Length.
    const asItIs = { key: null, headers: { 'Accept-Encoding': 'identity' } };
    const path = url.replace(app.api.url, '');
    const get = await app.api.call(path, { ...asItIs, method: 'GET' });
    const head = await app.api.call(path, { ...asItIs, method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
    for (const name of ['content-type', 'content-length', 'content-security-policy']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
  });

  it('logs the route without the address, since the address opens the page', async () => {
    const { id, url } = await createBoleto();
    const before = app.logged.length;
    await open(url);
    const lines = app.logged.slice(before);
    expect(lines).toEqual([expect.objectContaining({ route: '/boleto/:id', status: 200 })]);
    expect(JSON.stringify(lines)).not.toContain(id);
  });
});

describe('pages over https', () => {
  let secure: TestApp;
  beforeAll(async () => {
    secure = await createTestApp({ publicUrl: 'https://pay.example.com' });
  });
  afterAll(() => secure.close());

  it('sets Strict-Transport-Security on pages over https', async () => {
    const page = await secure.api.get('/boleto/none');
    expect(page.headers.get('strict-transport-security')).toMatch(/^max-age=\d{8}$/);
  });
});

describe('the first address', () => {
  const place = () =>
    request(`${app.api.url}/`).then(async ({ statusCode, headers, body }) => {
      await body.dump();
      return [statusCode, headers.location];
    });

  it('redirects to the documentation until someone can sign in, then to the dashboard', async () => {
    expect(await place()).toEqual([302, '/docs']);
    await userOf(app.database.em.fork(), 'ana@example.com', NOW);
    expect(await place()).toEqual([302, '/dashboard']);
  });
});

describe('assets of pages', () => {
  it('lets browsers cache a file for a year', async () => {
    expect(pageAssets.size).toBeGreaterThan(3);
    for (const { path, contentType, body } of pageAssets.values()) {
      const file = await open(path);
      expect([file.status, file.headers.get('content-type')]).toEqual([200, contentType]);
      expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(file.headers.get('x-content-type-options')).toBe('nosniff');
      expect(file.text).toBe(body.toString());
    }
  });

  it('serves every file that a boleto page refers to', async () => {
    const { text } = await open((await createBoleto()).url);
    const paths = [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path);
    expect(paths.length).toBeGreaterThanOrEqual(4);
    for (const path of paths) expect((await open(path ?? '')).status).toBe(200);
  });

  it.each(['/assets/page.000000000000.js', '/assets/', '/assets/..%2froutes.ts', `${pageScript.path}/`])(
    'returns a 404 with no-store for the unknown file %s',
    async (path) => {
      const page = await open(path);
      expectHtml(page, 404);
      expect(page.headers.get('cache-control')).toBe('no-store');
    },
  );
});
