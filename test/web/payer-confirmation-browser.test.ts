import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import { SandboxChargeEntity } from '../../src/database/entities/sandbox-charge.ts';
import type { ChargeId } from '../../src/domain/ids.ts';
import { SandboxBank } from '../../src/providers/sandbox/sandbox-bank.ts';
import { insertCheckout, NOON, paid } from '../support/rows/checkout-rows.ts';
import { launchBrowser } from '../support/web/browser.ts';
import { CARD, createPayerApp, type PayerApp } from '../support/web/payer-app.ts';

const PHONE = { width: 390, height: 844 };

let app: PayerApp;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let checkoutPath: string;

beforeAll(async () => {
  app = await createPayerApp({
    chargeUpdates: {
      authorize: async ({ id }) => {
        await askIssuer(id);
        return 'PENDING';
      },
      askProviderNow: askIssuer,
      cancel: async () => 'CANCELLED',
      refund: async () => 'REFUNDED',
    },
  });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await app.close();
});
beforeEach(async () => {
  const { id } = await insertCheckout(app, { methods: ['CARD', 'PIX'] });
  checkoutPath = `/pay/${id}`;
  context = await browser.newContext({ viewport: PHONE, javaScriptEnabled: false, locale: 'en-US' });
  page = await context.newPage();
  page.setDefaultTimeout(5_000);
});
afterEach(() => context.close());

/** What the charge's run does with the sandbox bank's answer. */
async function askIssuer(id: ChargeId): Promise<void> {
  const em = app.database.em.fork();
  const charge = await em.findOneOrFail(ChargeEntity, { id });
  const answer = await new SandboxBank(app.database).chargeCard({
    chargeId: id,
    reference: charge.providerReference,
    token: charge.cardToken ?? '',
    amountCents: charge.amountCents,
    installmentsCount: 1,
    payer: { name: null, taxId: null },
    returnUrl: `${app.api.url}${checkoutPath}/${id}/confirmed`,
    isOffSession: false,
    keepsCard: false,
    now: NOON,
  });
  const ended = { actionUrl: null };
  if (answer.outcome === 'APPROVED')
    await em.nativeUpdate(ChargeEntity, { id }, { ...paid(charge.amountCents), ...ended });
  if (answer.outcome === 'DECLINED')
    await em.nativeUpdate(ChargeEntity, { id }, { status: 'FAILED', failureReason: answer.reason, ...ended });
  if (answer.outcome === 'REQUIRES_ACTION')
    await em.nativeUpdate(ChargeEntity, { id }, { actionUrl: answer.url, actionRequiredAt: NOON });
}

/** A payer pays by the card whose bank asks for a confirmation. */
async function payByCard(): Promise<void> {
  await page.goto(app.api.url + checkoutPath);
  await page.check('#method-CARD');
  for (const [name, value] of Object.entries({ ...CARD, cardNumber: '4000 0025 0000 3155' }))
    await page.fill(`[name=${name}]`, value);
  await page.click('.button--pay');
  await page.getByText('Confirm your payment').first().waitFor();
}

it('sends the payer to their bank and shows the payment as confirmed afterwards', async () => {
  await payByCard();
  await page.click('button[value=confirm]');
  await page.getByText('confirmed').first().waitFor();
  expect(new URL(page.url()).pathname).toMatch(new RegExp(`^${checkoutPath}/card_\\w+$`));
  const rows = await app.database.em.fork().find(SandboxChargeEntity, { status: 'PAID' });
  expect(rows).toHaveLength(1);
});

it('says why a refused payment failed and offers the form again', async () => {
  await payByCard();
  await page.click('button[value=refuse]');
  await page.getByText('Your bank did not confirm the payment.').waitFor();
  expect(await page.locator('.button--pay').count()).toBe(1);
});

it('offers the bank and other methods to a payer who leaves the bank', async () => {
  await payByCard();
  await page.click('text=Leave without an answer');
  await page.getByText('Confirm the payment at your bank').first().waitFor();
  expect(await page.locator('a', { hasText: 'Continue to your bank' }).getAttribute('href')).toContain(
    '/sandbox-bank/',
  );
  await page.click('.wait__other a');
  await page.check('#method-PIX');
  await page.click('.button--pay');
  await page.getByText('Pay', { exact: false }).first().waitFor();
  const charges = await app.database.em.fork().find(ChargeEntity, { status: 'PENDING', method: 'PIX' });
  expect(charges).toHaveLength(1);
});
