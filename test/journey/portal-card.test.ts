import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { AuditLineEntity } from '../../src/database/entities/audit-line.ts';
import { CardChangeEntity } from '../../src/database/entities/card-change.ts';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import { type Subscription, SubscriptionEntity } from '../../src/database/entities/subscription.ts';
import type { CheckoutId, SubscriptionId } from '../../src/domain/ids.ts';
import { DEFAULT_PORTAL_SETTINGS } from '../../src/domain/portal-settings.ts';
import { savePortalSettings } from '../../src/stores/portal-settings.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { advance } from '../support/fixtures/clock.ts';
import { buildProduct } from '../support/rows/catalog.ts';
import { createDeployment, type Deployment } from '../support/servers/deployment.ts';
import { eventually } from '../support/waiting/eventually.ts';
import { launchBrowser } from '../support/web/browser.ts';
import { APPROVED, NO_FUNDS, Payer } from '../support/web/payer.ts';

/** Accepted once, and declined by every later charge. */
const ONCE = '4000 0000 0000 0341';
/** Its payer confirms it at the bank. */
const CONFIRM = '4000 0025 0000 3155';

let deployment: Deployment;
let api: ApiClient;
let browser: Browser;
beforeAll(async () => {
  deployment = await createDeployment();
  browser = await launchBrowser();
  const [served] = await Promise.all([deployment.startApi(), deployment.startWorker()]);
  api = served.api;
});
afterAll(async () => {
  await browser.close();
  await deployment[Symbol.asyncDispose]();
});

const em = () => deployment.database.em.fork();
const rowOf = ({ id }: Pick<Subscription, 'id'>) => em().findOneOrFail(SubscriptionEntity, { id });

let payers = 0;

/** Somebody who subscribed with the card that fails from the second cycle on, at their portal. */
async function pastDue(maxRetry = 3) {
  payers += 1;
  const email = `ana${payers}@example.com`;
  const customer = dataOf<{ id: string }>(
    await api.post('/v2/customers/create', { name: 'Ana Souza', email }),
  );
  const product = await buildProduct(api, { name: 'Clube do café', price: 4_900, cycle: 'MONTHLY' });
  const body = {
    items: [{ id: product.id, quantity: 1 }],
    customerId: customer.id,
    retryPolicy: { maxRetry, retryEvery: 5 },
  };
  const { id: checkoutId } = dataOf<{ id: string }>(await api.post('/v2/subscriptions/create', body));
  const paid = { id: checkoutId, method: 'CARD', card: { number: ONCE, expiry: '12/49' } };
  const { subscriptionId } = dataOf<{ subscriptionId: SubscriptionId }>(
    await api.post('/v2/checkouts/simulate-payment', paid),
  );
  await advance(api, { by: 'P32D' });
  const subscription = await rowOf({ id: subscriptionId });
  expect(subscription).toMatchObject({ status: 'ACTIVE', cycleNumber: 2, failedAttempts: 1 });
  const link = dataOf<{ url: string }>(
    await api.post('/v2/customer-portal/create', { customerId: customer.id }),
  );
  return { subscription, url: link.url, email, checkoutId: checkoutId as CheckoutId };
}

async function signIn(payer: Payer, { url, email }: { readonly url: string; readonly email: string }) {
  await payer.open(url);
  await payer.type('E-mail', email);
  await payer.press('Enviar código');
  const code = (await payer.page.locator('.portal__code').textContent()) ?? '';
  await payer.type('Código de 6 dígitos', code);
  await payer.press('Entrar');
  await payer.sees('Seus pagamentos');
}

const openForm = (payer: Payer) => payer.page.getByRole('link', { name: 'Trocar cartão' }).click();

async function picture(payer: Payer, name: string): Promise<void> {
  const folder = process.env.PORTAL_PICTURES;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await payer.page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

async function eventsAbout({ id }: Subscription): Promise<string[]> {
  const rows = await em().execute<{ name: string }[]>(
    `select name from events where data::text like '%${id}%' order by created_at, id`,
  );
  return rows.map(({ name }) => name);
}

describe('a payer whose card fails', () => {
  it('replaces it in the portal, the cycle is paid, and there is a receipt', async () => {
    const ana = await pastDue();
    await using payer = await Payer.on(browser, { locale: 'pt-BR' });
    await signIn(payer, ana);
    await payer.reads('Ativa, com um pagamento em atraso');
    await picture(payer, 'card-home');
    await openForm(payer);
    await payer.sees('Trocar cartão');
    await payer.checkAccessibility();
    await picture(payer, 'card-form');
    await payer.typeCard(APPROVED);
    await payer.press('Usar este cartão');
    await payer.reads('Seu novo cartão está em uso.');
    const renewed = await eventually(async () => {
      const row = await rowOf(ana.subscription);
      expect(row).toMatchObject({
        failedAttempts: 0,
        attemptDueAt: null,
        cardLastFour: '4242',
        cycleNumber: 2,
      });
      return row;
    });
    expect(renewed).toMatchObject({ status: 'ACTIVE', expiryAnnouncedDays: 0 });
    await payer.open(ana.url);
    await payer.reads('Ativa e em dia');
    await picture(payer, 'card-paid');
    await payer.page.getByRole('link', { name: 'Ver comprovante' }).first().click();
    await payer.reads('R$ 49,00');
    const events = (await eventsAbout(ana.subscription)).filter((name) => name.startsWith('subscription.'));
    // Two of them are written in one transaction, in no order.
    expect(new Set(events)).toEqual(
      new Set([
        'subscription.completed',
        'subscription.past_due',
        'subscription.payment_failed',
        'subscription.payment_method_changed',
        'subscription.renewed',
      ]),
    );
    expect(events).toHaveLength(5);
    // The old card is erased, and the cycle was charged once.
    const erasures = await em().execute<{ token: string }[]>('select token from card_erasures');
    expect(erasures.map(({ token }) => token)).toEqual([ana.subscription.cardToken]);
    const charges = await em().execute<{ status: string }[]>(
      `select status from charges where checkout_id = '${ana.checkoutId}' order by created_at`,
    );
    expect(charges.map(({ status }) => status)).toEqual(['PAID', 'FAILED', 'PAID']);
    const [line] = await em().find(AuditLineEntity, { subjectId: ana.subscription.id, actorKind: 'PAYER' });
    expect(line).toMatchObject({
      action: 'subscriptions/update',
      address: null,
      userId: null,
      details: null,
    });
  });

  it('keeps the old card if the new one is declined, and can try another one', async () => {
    const ana = await pastDue();
    await using payer = await Payer.on(browser, { locale: 'pt-BR' });
    await signIn(payer, ana);
    await openForm(payer);
    await payer.typeCard(NO_FUNDS);
    await payer.press('Usar este cartão');
    await payer.reads(/Seu banco não aceitou este cartão/);
    await payer.checkAccessibility();
    await picture(payer, 'card-declined');
    expect(await rowOf(ana.subscription)).toMatchObject({ cardLastFour: '0341', failedAttempts: 1 });
    await payer.page.getByRole('link', { name: 'Tentar outro cartão' }).click();
    await payer.typeCard(APPROVED);
    await payer.press('Usar este cartão');
    await payer.reads('Seu novo cartão está em uso.');
  });

  it('confirms the new card at their bank, or leaves and blocks nothing', async () => {
    const ana = await pastDue();
    await using payer = await Payer.on(browser, { locale: 'pt-BR', javaScriptEnabled: false });
    await signIn(payer, ana);
    await openForm(payer);
    await payer.typeCard(CONFIRM);
    await payer.press('Usar este cartão');
    await payer.sees('Confirme o cartão no seu banco');
    await picture(payer, 'card-bank');
    await payer.page.getByRole('link', { name: 'Deixar como está' }).click();
    expect(await rowOf(ana.subscription)).toMatchObject({ cardLastFour: '0341', status: 'ACTIVE' });
    await openForm(payer);
    await payer.typeCard(CONFIRM);
    await payer.press('Usar este cartão');
    await payer.page.getByRole('link', { name: /banco/ }).first().click();
    await payer.sees('Confirme seu cartão');
    await payer.press('Confirmar');
    await payer.reads('Seu novo cartão está em uso.');
    const [abandoned, done] = await em().find(
      CardChangeEntity,
      { subscriptionId: ana.subscription.id },
      { orderBy: { createdAt: 'asc' } },
    );
    expect([abandoned?.status, done?.status, done?.grantedCycle]).toEqual(['PENDING', 'DONE', 2]);
  });
});

describe('a payer who changes between card and PIX', () => {
  it('pays an overdue cycle by a PIX code, and later ones by card again', async () => {
    const ana = await pastDue();
    const { storeId } = ana.subscription;
    const allowed = { ...DEFAULT_PORTAL_SETTINGS, changesMethod: true };
    await em().transactional((tx) => savePortalSettings(tx, { storeId, devMode: true }, allowed, new Date()));
    await using payer = await Payer.on(browser, { locale: 'pt-BR' });
    await signIn(payer, ana);
    await payer.page.getByRole('link', { name: 'Pagar por Pix' }).click();
    await payer.sees('Pagar por Pix');
    await payer.checkAccessibility();
    await picture(payer, 'method-pix');
    await payer.press('Mudar para Pix');
    await payer.reads('Os próximos pagamentos serão por Pix.');
    expect(await rowOf(ana.subscription)).toMatchObject({
      method: 'PIX',
      cardToken: null,
      failedAttempts: 1,
    });
    const code = await eventually(() =>
      em().findOneOrFail(ChargeEntity, {
        checkoutId: ana.checkoutId,
        status: 'PENDING',
        brCode: { $ne: null },
      }),
    );
    await payer.open(ana.url);
    await payer.reads(/Pagar R\$\s49,00 agora/);
    await picture(payer, 'method-home');
    await payer.page.getByRole('link', { name: 'Pagar com cartão' }).click();
    await payer.reads(/O código Pix em aberto continua valendo até/);
    await picture(payer, 'method-card');
    await payer.typeCard(APPROVED);
    await payer.press('Usar este cartão');
    await payer.reads(/Seu novo cartão está em uso. O código Pix em aberto continua valendo até/);
    const paid = await api.post('/v2/transparents/simulate-payment', { id: code.id });
    expect(paid.status).toBe(200);
    await eventually(async () => {
      expect(await rowOf(ana.subscription)).toMatchObject({
        method: 'CARD',
        cardLastFour: '4242',
        failedAttempts: 0,
        attemptDueAt: null,
      });
    });
    await advance(api, { by: 'P32D' });
    const charges = await em().find(
      ChargeEntity,
      { checkoutId: ana.checkoutId },
      { orderBy: { createdAt: 'asc' } },
    );
    expect(charges.map(({ method, status }) => `${method} ${status}`)).toEqual([
      'CARD PAID',
      'CARD FAILED',
      'PIX PAID',
      'CARD PAID',
    ]);
  });
});

describe('the API', () => {
  it('changes what pays a subscription, and says what a change needs', async () => {
    const { subscription } = await pastDue();
    const update = (body: object) => api.post('/v2/subscriptions/update', { id: subscription.id, ...body });
    expect(await update({ method: 'CARD' })).toMatchObject({
      status: 400,
      text: expect.stringContaining('card'),
    });
    const both = { method: 'PIX', card: { token: 'ctok_01KAK0Z7Q3C5D7E9F1G3H5J7KM' } };
    expect(await update(both)).toMatchObject({ status: 400 });
    expect(await update({ method: 'PIX', quantity: 2 })).toMatchObject({ status: 400 });
    for (const _ of [1, 2])
      expect(await update({ method: 'PIX' })).toMatchObject({
        status: 200,
        json: { data: { method: 'PIX' } },
      });
    const changed = await api.post('/v2/dev/cards/change', { id: subscription.id });
    expect(dataOf(changed)).toMatchObject({ card: { lastFour: '4242' } });
    const names = await eventsAbout(subscription);
    expect(names.filter((name) => name === 'subscription.payment_method_changed')).toHaveLength(2);
  });

  it('gives the cycle one more attempt when the card is replaced before the last one', async () => {
    const { subscription } = await pastDue(2);
    // Accepted as a card, and then declined: the token of `once` was used for nothing yet.
    const answer = await api.post('/v2/dev/cards/change', {
      id: subscription.id,
      number: '4000000000000002',
    });
    expect(answer).toMatchObject({ status: 422, json: { code: 'CARD_DECLINED' } });
    expect((await api.post('/v2/dev/cards/change', { id: subscription.id })).status).toBe(200);
    await eventually(async () => {
      expect(await rowOf(subscription)).toMatchObject({ failedAttempts: 0, attemptDueAt: null });
    });
  });
});
