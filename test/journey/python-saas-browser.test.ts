import { execFileSync, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { freePort } from '../../scripts/embedded/ports.mjs';
import { EVENT_NAMES } from '../../src/domain/event-names.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { advance } from '../support/fixtures/clock.ts';
import { pythonWith } from '../support/outside/python-environment.ts';
import { buildWebhook } from '../support/rows/build.ts';
import { buildCoupon } from '../support/rows/catalog.ts';
import { eventually } from '../support/waiting/eventually.ts';
import { launchBrowser } from '../support/web/browser.ts';
import { APPROVED, Payer } from '../support/web/payer.ts';

const EXAMPLE = fileURLToPath(new URL('../../examples/saas-python/', import.meta.url));
const SECRET = 'a secret of the example';
/** Approved once, and declined by every later charge. */
const ONCE = { number: '4000000000000341', expiry: '12/49' };

const PYTHON = await pythonWith('saas-python', `${EXAMPLE}requirements.txt`);
const python = PYTHON ?? '';
const pythonIt = PYTHON === null ? it.skip : it;

let app: MoneyApp;
let api: ApiClient;
let browser: Browser;
let saas: Awaited<ReturnType<typeof startSaas>>;
beforeAll(async () => {
  if (PYTHON === null) return;
  app = await createMoneyApp();
  ({ api } = await app.anotherStore());
  browser = await launchBrowser();
  saas = await startSaas();
});
afterAll(async () => {
  saas?.stop();
  await browser?.close();
  await app?.close();
});

interface Shown {
  readonly state: string;
  readonly portal_url: string;
  readonly events: readonly string[];
  readonly invoices: readonly {
    status: string;
    amount: number;
    period: { startsAt: string; endsAt: string };
  }[];
}

/** Starts the example as its README does, and registers its endpoint. */
async function startSaas() {
  const port = await freePort();
  const env = { PATH: process.env.PATH, PORT: String(port), WEBHOOK_SECRET: SECRET };
  const recebe = { RECEBE_API_URL: api.url, RECEBE_API_KEY: api.key };
  const child = spawn(python, ['saas.py'], { cwd: EXAMPLE, env: { ...env, ...recebe }, stdio: 'inherit' });
  const url = `http://localhost:${port}`;
  await eventually(async () => expect((await fetch(url)).status).toBe(200));
  const { id: webhookId } = await buildWebhook(api, {
    endpoint: `${url}/hooks`,
    secret: SECRET,
    events: EVENT_NAMES,
  });
  const post = async (path: string, form: Record<string, string> = {}) => {
    const body = new URLSearchParams(form);
    return fetch(url + path, { method: 'POST', redirect: 'manual', body });
  };
  const show = async (name: string) => (await (await fetch(`${url}/accounts/${name}`)).json()) as Shown;
  const enter = async (name: string) => (await fetch(`${url}/app/${name}`)).status;
  return { webhookId, post, show, enter, stop: () => void child.kill() };
}

async function signUp(name: string, form: Record<string, string>, payment: object): Promise<void> {
  const answer = await saas.post(`/sign-up/${name}`, { email: `${name}@example.com`, ...form });
  const [, id = ''] = /\/pay\/([^/?]+)$/.exec(answer.headers.get('location') ?? '') ?? [];
  dataOf(await api.post('/v2/checkouts/simulate-payment', { id, method: 'CARD', ...payment }));
}

const inState = (name: string, state: string) =>
  eventually(async () => {
    const shown = await saas.show(name);
    expect([name, shown.state]).toEqual([name, state]);
    return shown;
  });

/** What the payer does at their portal, in a browser. */
async function replaceCard(url: string, email: string): Promise<void> {
  await using payer = await Payer.on(browser, { locale: 'pt-BR' });
  await payer.open(url);
  await payer.type('E-mail', email);
  await payer.press('Enviar código');
  await payer.type('Código de 6 dígitos', (await payer.page.locator('.portal__code').textContent()) ?? '');
  await payer.press('Entrar');
  await payer.page.getByRole('link', { name: 'Trocar cartão' }).click();
  await payer.typeCard(APPROVED);
  await payer.press('Usar este cartão');
  await payer.sees('Seus pagamentos');
}

/** The charges as the example's own calculation has them. */
function reckoned(account: object): { at: string; amount: number }[] {
  const written = execFileSync(python, ['reckon.py'], { cwd: EXAMPLE, input: JSON.stringify(account) });
  return JSON.parse(written.toString());
}

/** From a 31st, months that are added one by one end on an earlier day than the cycles of a subscription. */
function firstOfNextMonth(): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1, 15)).toISOString();
}

const paidInvoices = ({ invoices }: Shown) => invoices.filter(({ status }) => status === 'PAID').length;

const charged = ({ invoices }: Shown) => {
  expect(new Set(invoices.map(({ status }) => status))).toEqual(new Set(['PAID']));
  return invoices.map(({ amount, period }) => ({ at: period.startsAt, amount }));
};

pythonIt(
  'charges fourteen months as the example itself computes them, and handles every webhook',
  async () => {
    await advance(api, { to: firstOfNextMonth() });
    const coupon = { code: 'TRES20', discountKind: 'PERCENTAGE', discount: 20 } as const;
    await buildCoupon(api, { ...coupon, duration: 'REPEATING', durationInCycles: 3 });
    await signUp('ana', { plan: 'pro' }, {});
    await signUp('bia', { plan: 'basic', coupon: 'TRES20' }, { coupon: 'TRES20' });
    await signUp('caio', { plan: 'basic' }, { card: ONCE });
    await inState('ana', 'TRIALING');
    await inState('bia', 'ACTIVE');
    expect(await saas.enter('ana')).toBe(200);
    expect(await saas.enter('nobody')).toBe(402);

    await advance(api, { by: 'P1M' });
    const { portal_url: portalUrl } = await inState('caio', 'PAST_DUE');
    await replaceCard(portalUrl, 'caio@example.com');
    await inState('caio', 'ACTIVE');
    const { now: usedAt } = dataOf<{ now: string }>(await api.get('/v2/dev/clock'));
    for (let sent = 0; sent < 2; sent++)
      expect((await saas.post('/usage/ana', { messages: '40', key: 'first-month' })).status).toBe(200);

    for (let month = 2; month <= 5; month++) await advance(api, { by: 'P1M' });
    const upgraded = await saas.post('/upgrade/ana');
    const { changedAt } = (await upgraded.json()) as { changedAt: string };
    for (let month = 6; month <= 13; month++) await advance(api, { by: 'P1M' });
    const cancelled = await saas.post('/cancel/bia');
    const { cancelAt } = (await cancelled.json()) as { cancelAt: string };
    await inState('bia', 'CANCELLING');
    expect(await saas.enter('bia')).toBe(200);
    const { now: until } = await advance(api, { by: 'P1M' });

    // The last cycle is charged at the moment that the clock has reached, and its invoice follows within a second.
    const [ana, bia, caio] = await eventually(async () => {
      const shown = [
        await inState('ana', 'ACTIVE'),
        await inState('bia', 'CANCELLED'),
        await inState('caio', 'ACTIVE'),
      ] as const;
      expect(shown.map(paidInvoices)).toEqual([3, 14, 15]);
      return shown;
    });
    expect([await saas.enter('ana'), await saas.enter('bia'), await saas.enter('caio')]).toEqual([
      200, 402, 200,
    ]);
    const firstOf = ({ invoices }: Shown) => invoices[0]?.period.startsAt;
    const monthly = { until, price: 4_900, months: 1 };
    const upgrade = { at: changedAt, price: 240_000 };
    const yearly = { until, price: 120_000, months: 12, usage: [{ at: usedAt, cents: 1_000 }], upgrade };
    expect(charged(ana)).toEqual(reckoned({ ...yearly, startsAt: firstOf(ana) }));
    expect(charged(bia)).toEqual(
      reckoned({ ...monthly, startsAt: firstOf(bia), percentOff: 20, cyclesOff: 3, cancelAt }),
    );
    expect(charged(caio)).toEqual(reckoned({ ...monthly, startsAt: firstOf(caio) }));

    await eventually(async () => {
      for (const status of ['PENDING', 'FAILED'])
        expect(
          dataOf(await api.get(`/v2/webhooks/deliveries?status=${status}&webhookId=${saas.webhookId}`)),
        ).toEqual([]);
    });
    for (const event of [
      'subscription.past_due',
      'subscription.renewed',
      'subscription.payment_method_changed',
    ])
      expect(caio.events).toContain(event);
  },
  600_000,
);
