import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CustomerEntity } from '../../../src/database/entities/customer.ts';
import { PayerSessionEntity } from '../../../src/database/entities/payer-session.ts';
import { PayerSignInEntity } from '../../../src/database/entities/payer-sign-in.ts';
import { createLogger } from '../../../src/log.ts';
import { PayerCodeMailer } from '../../../src/mail/payer-code-mailer.ts';
import { dataOf } from '../../support/api/api-client.ts';
import { createTestApp, createTestStore, TEST_CONFIG, type TestApp } from '../../support/api/app.ts';
import { startMailServer } from '../../support/outside/mail-server.ts';
import {
  insertCharge,
  insertCheckout,
  insertCustomer,
  NOON,
  paid,
} from '../../support/rows/checkout-rows.ts';
import { csrfOf, PortalReader, shownCode } from '../../support/web/portal-reader.ts';

const MINUTE_MS = 60_000;

let now = NOON;
let app: TestApp;
/** Another process of the same service. */
let other: TestApp;
beforeAll(async () => {
  const given = { clock: () => now, starter: { startSoon: () => undefined } };
  app = await createTestApp(given);
  other = await createTestApp(given, { database: app.database });
});
afterAll(async () => {
  await other.close();
  await app.close();
});
beforeEach(() => {
  now = NOON;
});

let customers = 0;

/** A customer with an address of their own, and the path of a link to their portal. */
async function newPortal({ devMode = true } = {}) {
  customers += 1;
  const customer = await insertCustomer(app, { devMode, email: `ana${customers}@example.com` });
  const api = await app.clientWith({ devMode });
  const link = dataOf<{ id: string; url: string }>(
    await api.post('/v2/customer-portal/create', { customerId: customer.id }),
  );
  return { customer, email: customer.email ?? '', path: new URL(link.url).pathname, link };
}

const em = () => app.database.em.fork();

describe('POST /v2/customer-portal/create', () => {
  it('returns a link with the purchase it leads back to', async () => {
    const customer = await insertCustomer(app);
    const { id: checkoutId } = await insertCheckout(app, { customerId: customer.id });
    const answer = await app.api.post('/v2/customer-portal/create', { customerId: customer.id, checkoutId });
    const link = dataOf<{ id: string }>(answer);
    expect(link).toEqual({
      id: expect.stringMatching(/^cpl_[0-9A-Z]{26}$/),
      url: `${app.api.url}/portal/${link.id}`,
      customerId: customer.id,
      checkoutId,
      devMode: true,
      createdAt: NOON.toISOString(),
    });
  });

  it('returns the same 404 for customers of other stores, modes, and unknown ones', async () => {
    const stranger = await createTestStore(app.database);
    const foreign = await insertCustomer({ database: app.database, storeId: stranger.id });
    const inProduction = await insertCustomer(app, { devMode: false });
    const answers = await Promise.all(
      [foreign.id, inProduction.id, 'cust_01J9Z3VYK0W6F0S7R2M8QH4T5B'].map((customerId) =>
        app.api.post('/v2/customer-portal/create', { customerId }),
      ),
    );
    expect(answers.map(({ status, json }) => [status, json.error])).toEqual(
      Array(3).fill([404, 'Customer not found']),
    );
  });

  it('returns 404 for the checkout of another customer', async () => {
    const [ana, bia] = [await insertCustomer(app), await insertCustomer(app)];
    const { id: checkoutId } = await insertCheckout(app, { customerId: bia.id });
    const answer = await app.api.post('/v2/customer-portal/create', { customerId: ana.id, checkoutId });
    expect([answer.status, answer.json.error]).toEqual([404, 'Checkout not found']);
  });
});

describe('the sign-in', () => {
  it('asks for the address, then for the code, and shows the payments', async () => {
    const { customer, email, path } = await newPortal();
    const checkout = await insertCheckout(app, { customerId: customer.id });
    const charge = await insertCharge(app, checkout, 'PIX', { customerId: customer.id, ...paid(10_000) });
    const ana = new PortalReader(app);
    const door = await ana.get(path);
    expect(door.text).not.toContain(charge.id);
    const asked = await ana.post(path, { email: email.toUpperCase() });
    expect([asked.status, asked.location]).toEqual([303, `${path}/code`]);
    const [signInCookie = ''] = asked.headers.getSetCookie();
    expect(signInCookie).toMatch(/; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/);
    const code = shownCode((await ana.get(`${path}/code`)).text) ?? '';
    const entered = await ana.post(`${path}/code`, { code: `${code.slice(0, 3)} ${code.slice(3)}` });
    expect([entered.status, entered.location]).toEqual([303, path]);
    expect(entered.headers.getSetCookie()[0]).toMatch(/; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Lax$/);
    const home = await ana.get(path);
    expect(home.text).toContain(`/receipt/${charge.id}`);
    expect(home.headers.get('cache-control')).toBe('no-store');
    expect(home.headers.get('content-security-policy')).toContain("script-src 'self';");
  });

  it('names its cookies __Host- and Secure over https', async () => {
    const https = await createTestApp(
      { clock: () => now, publicUrl: 'https://pay.example.com' },
      { database: app.database },
    );
    const { email, path } = await newPortal();
    const reader = new PortalReader(https);
    const { headers } = await reader.post(path, { email });
    expect(headers.getSetCookie()[0]).toMatch(/^__Host-recebe_portal_code=[\w-]{43}; Path=\/; .*; Secure$/);
    await https.close();
  });

  it('compares 5 of 100 wrong codes sent at once, and then refuses the right one', async () => {
    const { customer, email, path } = await newPortal();
    const reader = new PortalReader(app);
    await reader.post(path, { email });
    const code = shownCode((await reader.get(`${path}/code`)).text) ?? '';
    const elsewhere = new PortalReader(other);
    for (const [name, value] of reader.cookies) elsewhere.cookies.set(name, value);
    const wrong = (time: number) => String((Number(code) + 1 + time) % 1_000_000).padStart(6, '0');
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, time) =>
        [reader, elsewhere][time % 2]?.post(`${path}/code`, { code: wrong(time) }),
      ),
    );
    expect(new Set(answers.map((answer) => answer?.status))).toEqual(new Set([422]));
    const triesLeft = answers.flatMap(
      (answer) => /(\d) tr(?:y is|ies are) left/.exec(answer?.text ?? '')?.[1] ?? [],
    );
    expect(triesLeft.toSorted()).toEqual(['1', '2', '3', '4']);
    expect(await em().findOne(PayerSignInEntity, { customerId: customer.id })).toMatchObject({ tries: 5 });
    const right = await reader.post(`${path}/code`, { code });
    expect([right.status, right.text]).toEqual([422, expect.stringContaining('no longer valid')]);
    expect(await em().count(PayerSessionEntity, { customerId: customer.id })).toBe(0);
    const shown = [...answers, right].map((answer) => answer?.text ?? '').join('');
    expect(shown).not.toMatch(new RegExp(`${email}|${customer.taxId}|${customer.name}`));
  });

  it('starts one session if the right code comes several times at once', async () => {
    const { customer, email, path } = await newPortal();
    const reader = new PortalReader(app);
    await reader.post(path, { email });
    const code = shownCode((await reader.get(`${path}/code`)).text) ?? '';
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => reader.post(`${path}/code`, { code })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 422, 422, 422, 422]);
    expect(await em().count(PayerSessionEntity, { customerId: customer.id })).toBe(1);
  });

  it('refuses a code in another browser and at the portal of another customer', async () => {
    const [ana, bia] = [await newPortal(), await newPortal()];
    const reader = new PortalReader(app);
    await reader.post(ana.path, { email: ana.email });
    const code = shownCode((await reader.get(`${ana.path}/code`)).text) ?? '';
    const elsewhere = await new PortalReader(app).post(`${ana.path}/code`, { code });
    const otherPortal = await reader.post(`${bia.path}/code`, { code });
    expect([elsewhere.status, otherPortal.status]).toEqual([422, 422]);
    expect((await reader.post(`${ana.path}/code`, { code })).status).toBe(303);
  });

  it('accepts a code for ten minutes, and ends the session after an hour', async () => {
    const { email, path } = await newPortal();
    const late = new PortalReader(app);
    await late.post(path, { email });
    const code = shownCode((await late.get(`${path}/code`)).text) ?? '';
    const ana = new PortalReader(app);
    await ana.signIn(path, email);
    now = new Date(NOON.getTime() + 10 * MINUTE_MS);
    expect((await late.post(`${path}/code`, { code })).status).toBe(422);
    now = new Date(NOON.getTime() + 59 * MINUTE_MS);
    expect(csrfOf((await ana.get(path)).text)).not.toBe('');
    now = new Date(NOON.getTime() + 60 * MINUTE_MS);
    expect(csrfOf((await ana.get(path)).text)).toBe('');
  });

  it('ends sessions once the customer has another address or is deleted', async () => {
    const { customer, email, path } = await newPortal();
    const ana = new PortalReader(app);
    expect(csrfOf((await ana.signIn(path, email)).text)).not.toBe('');
    await em().nativeUpdate(CustomerEntity, { id: customer.id }, { email: 'eva@example.com' });
    expect(csrfOf((await ana.get(path)).text)).toBe('');
    await em().nativeUpdate(CustomerEntity, { id: customer.id }, { email });
    expect(csrfOf((await ana.get(path)).text)).not.toBe('');
    await app.api.post(`/v2/customers/delete?id=${customer.id}`, {});
    expect((await ana.get(path)).status).toBe(404);
    const own = { customerId: customer.id };
    expect(await em().count(PayerSessionEntity, own)).toBe(0);
    expect(await em().count(PayerSignInEntity, own)).toBe(0);
  });

  it('signs out, and only for a form of its own session and site', async () => {
    const { email, path } = await newPortal();
    const ana = new PortalReader(app);
    const csrf = csrfOf((await ana.signIn(path, email)).text);
    const crossSite = await ana.post(`${path}/leave`, { csrf }, { 'Sec-Fetch-Site': 'cross-site' });
    const foreign = await ana.post(`${path}/leave`, { csrf: 'x'.repeat(csrf.length) });
    expect([crossSite.status, foreign.status]).toEqual([403, 403]);
    expect(csrfOf((await ana.get(path)).text)).not.toBe('');
    const session = new Map(ana.cookies);
    expect((await ana.post(`${path}/leave`, { csrf })).status).toBe(303);
    for (const [name, value] of session) ana.cookies.set(name, value);
    expect(csrfOf((await ana.get(path)).text)).toBe('');
  });

  it('sends at most five codes to one address in 15 minutes', async () => {
    const { email, path } = await newPortal();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, time) =>
        new PortalReader(time % 2 === 0 ? app : other).post(path, { email }),
      ),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect([refused.length, answers.length - refused.length]).toEqual([7, 5]);
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('sends a payer codes after strangers have used up those of a link', async () => {
    const proxied = await createTestApp(
      {
        clock: () => now,
        config: { ...TEST_CONFIG, limitAnonymousTraffic: true, trustedProxies: ['127.0.0.0/8'] },
        starter: { startSoon: () => undefined },
      },
      { database: app.database },
    );
    const { customer, email, path } = await newPortal();
    const ask = async (reader: PortalReader, host: string, at = path) =>
      (await reader.post(at, { email }, { 'X-Forwarded-For': `198.51.100.${host}` })).status;
    const ana = new PortalReader(proxied);
    await ana.signIn(path, email);
    const askOften = (host: number, times: number) =>
      Promise.all(Array.from({ length: times }, () => ask(new PortalReader(proxied), `${host}`)));
    // A stranger at one address, or at few, takes nothing from others.
    expect((await askOften(1, 7)).filter((status) => status === 429)).toHaveLength(2);
    expect(await ask(new PortalReader(proxied), '99')).toBe(303);
    for (let host = 2; host <= 12; host++) await askOften(host, 5);
    // Strangers at many addresses have used the link up.
    expect(await ask(new PortalReader(proxied), '98')).toBe(429);
    expect(await ask(ana, '97')).toBe(303);
    now = new Date(NOON.getTime() + 89 * 24 * 60 * MINUTE_MS);
    expect(await ask(ana, '1')).toBe(303);
    const fresh = dataOf<{ url: string }>(
      await app.api.post('/v2/customer-portal/create', { customerId: customer.id }),
    );
    expect(await ask(new PortalReader(proxied), '96', new URL(fresh.url).pathname)).toBe(303);
    await proxied.close();
  });

  it('accepts a code while somebody at the same address guesses', async () => {
    const limited = await createTestApp(
      { clock: () => now, config: { ...TEST_CONFIG, limitAnonymousTraffic: true } },
      { database: app.database },
    );
    const { email, path } = await newPortal();
    const ana = new PortalReader(limited);
    await ana.post(path, { email });
    const code = shownCode((await ana.get(`${path}/code`)).text) ?? '';
    const guesses = await Promise.all(
      Array.from({ length: 70 }, () => new PortalReader(limited).post(`${path}/code`, { code: '000000' })),
    );
    expect(guesses.some(({ status }) => status === 429)).toBe(true);
    expect((await ana.post(`${path}/code`, { code })).status).toBe(303);
    await limited.close();
  });

  it('counts codes of a request without tries left as guesses of the address', async () => {
    const limited = await createTestApp(
      {
        clock: () => now,
        config: { ...TEST_CONFIG, limitAnonymousTraffic: true, trustedProxies: ['127.0.0.0/8'] },
      },
      { database: app.database },
    );
    const { email, path } = await newPortal();
    const reader = new PortalReader(limited);
    const post = (to: string, fields: Record<string, string>) =>
      reader.post(to, fields, { 'X-Forwarded-For': '198.51.100.77' });
    await post(path, { email });
    const statuses: number[] = [];
    for (let sent = 0; sent < 70; sent += 1)
      statuses.push((await post(`${path}/code`, { code: '000000' })).status);
    expect(statuses.slice(0, 5)).toEqual(Array(5).fill(422));
    expect(statuses.at(-1)).toBe(429);
    await limited.close();
  });

  it('refuses a malformed address, and shows one page for all unknown links', async () => {
    const { path } = await newPortal();
    const reader = new PortalReader(app);
    const wrong = await reader.post(path, { email: 'ana' });
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('aria-invalid="true"')]);
    const pages = await Promise.all(
      ['/portal/cpl_01KAK0Z7Q3C5D7E9F1G3H5J7KM', '/portal/x', '/portal/cpl_%00'].map((each) =>
        reader.get(each),
      ),
    );
    expect(new Set(pages.map(({ status, text }) => status + text)).size).toBe(1);
    expect(pages[0]?.status).toBe(404);
  });
});

describe('the sign-in of production', () => {
  it('answers unknown addresses like known ones, and mails only the customer', async () => {
    await using server = await startMailServer();
    const mailer = new PayerCodeMailer(
      app.database,
      app.api.url,
      { smtpUrl: server.smtpUrl, from: 'portal@example.com' },
      createLogger('silent', { write: () => undefined }),
    );
    const { email, path } = await newPortal({ devMode: false });
    const [ana, eve] = [new PortalReader(app), new PortalReader(app)];
    const asked = [await ana.post(path, { email }), await eve.post(path, { email: 'eve@example.com' })];
    expect(asked.map(({ status, location }) => [status, location])).toEqual(
      Array(2).fill([303, `${path}/code`]),
    );
    const [known, unknown] = [await ana.get(`${path}/code`), await eve.get(`${path}/code`)];
    expect(known.text).toBe(unknown.text);
    while ((await mailer.sendDue(now)) > 0);
    await mailer.close();
    expect(server.mails).toHaveLength(1);
    expect(server.mails[0]).toContain(`To: ${email}`);
    const code = /^(\d{6})\r?$/m.exec(server.mails[0] ?? '')?.[1] ?? '';
    const rows = await em().execute<{ line: string }[]>(
      'select row_to_json(s)::text as line from payer_sign_ins s',
    );
    expect(rows.map(({ line }) => line).join()).not.toContain(code);
    const [wrong, guessed] = [
      await ana.post(`${path}/code`, { code: 'x' }),
      await eve.post(`${path}/code`, { code }),
    ];
    expect(wrong.text).toBe(guessed.text);
    expect((await ana.post(`${path}/code`, { code })).location).toBe(path);
  });
});
