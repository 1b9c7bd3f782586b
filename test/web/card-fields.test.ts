import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page, Request } from 'playwright-core';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import type { Checkout } from '../../src/database/entities/checkout.ts';
import { providersOfOne } from '../../src/providers/providers.ts';
import { STRIPE } from '../../src/providers/stripe/kind.ts';
import { CARD_FIELDS_SCRIPT } from '../support/outside/card-recorder.ts';
import { StripeStandIn } from '../support/outside/stripe-stand-in.ts';
import { insertCheckout, paid } from '../support/rows/checkout-rows.ts';
import { launchBrowser } from '../support/web/browser.ts';
import { CARD, createPayerApp, type PayerApp, payFormOf } from '../support/web/payer-app.ts';

const NUMBER = '4000002500003155';
const CVC = '987';

const frameOf = (paymentMethod: string) => `<!doctype html><title>fields</title>
<input aria-label="number"><input aria-label="cvc">
<script>addEventListener('message', () => parent.postMessage('${paymentMethod}', '*'))</script>`;

const stripe = new StripeStandIn();
let app: PayerApp;
let browser: Browser;
let page: Page;
let complaints: string[] = [];
let requests: Request[] = [];

beforeAll(async () => {
  await stripe.open();
  const provider = STRIPE.create({
    id: 'acct_stripe',
    profile: 'stripe',
    settings: { stripeMode: 'test', publishableKey: 'pk_test_1', apiUrl: stripe.url },
    secrets: { secretKey: 'rk_test_1' },
  });
  app = await createPayerApp({
    providers: { providersOf: async () => providersOfOne(provider), issuerOf: async () => provider },
  });
  browser = await launchBrowser();
});
afterEach(() => page?.context().close());
afterAll(async () => {
  await browser.close();
  await app.close();
  await stripe.close();
});

const cardCheckout = (changes: Partial<Checkout> = {}) =>
  insertCheckout(app, { methods: ['CARD'], devMode: false, ...changes });

async function open({ id }: Checkout, { javaScriptEnabled = true } = {}): Promise<void> {
  complaints = [];
  requests = [];
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, javaScriptEnabled });
  const paymentMethod = stripe.addCard();
  await context.route('**/js.stripe.com/v3/', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: CARD_FIELDS_SCRIPT }),
  );
  await context.route('**/fields?*', (route) =>
    route.fulfill({ contentType: 'text/html', body: frameOf(paymentMethod) }),
  );
  page = await context.newPage();
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => requests.push(request));
  await page.goto(`${app.api.url}/pay/${id}`);
}

const chargesOf = ({ id }: Checkout) =>
  app.database.em.fork().find(ChargeEntity, { checkoutId: id }, { disableIdentityMap: true });

describe('the fields of a provider', () => {
  it('pays with a token, and no part of the card reaches the service', async () => {
    const checkout = await cardCheckout();
    app.played.decision = paid(10_000);
    await open(checkout);
    const fields = page.frameLocator('iframe[title="card"]');
    await fields.getByLabel('number').fill(NUMBER);
    await fields.getByLabel('cvc').fill(CVC);
    await page.getByRole('button', { name: /Pagar/ }).last().click();
    await page.waitForURL(`**/pay/${checkout.id}/card_*`);

    const [charge] = await chargesOf(checkout);
    expect(charge).toMatchObject({ method: 'CARD', cardBrand: 'visa', cardLastFour: '4242' });
    expect(charge?.cardToken).toMatch(/^pm_/);
    const ours = requests.filter((request) => request.url().startsWith(app.api.url));
    const sent = ours.map((request) => `${request.url()} ${request.postData() ?? ''}`).join('\n');
    expect(sent).toContain('cardToken=pm_');
    expect(sent).not.toContain(NUMBER);
    expect(sent).not.toContain(CVC);
    expect(complaints).toEqual([]);
  });

  it('says without JavaScript why a card cannot be entered', async () => {
    const checkout = await cardCheckout();
    await open(checkout, { javaScriptEnabled: false });
    expect(await page.locator('#cardNumber').innerText()).toContain('precisam de JavaScript');
    await page.getByRole('button', { name: /Pagar/ }).last().click();
    expect(await page.locator('.alert:not([hidden])').innerText()).toContain('precisam de JavaScript');
    expect(await chargesOf(checkout)).toEqual([]);
  });

  it('refuses a card number unread, and asks the provider nothing', async () => {
    const checkout = await cardCheckout();
    const before = stripe.seen.length;
    const answer = await app.send(`/pay/${checkout.id}`, payFormOf({ method: 'CARD', ...CARD }));
    expect(answer.cameBack).toBe(true);
    expect(answer.text).toContain('precisam de JavaScript');
    expect(answer.text).not.toContain(CARD.cardNumber);
    expect(await chargesOf(checkout)).toEqual([]);
    expect(stripe.seen).toHaveLength(before);
  });

  it('refuses a token that the provider does not know', async () => {
    const checkout = await cardCheckout();
    const answer = await app.send(
      `/pay/${checkout.id}`,
      payFormOf({ method: 'CARD', cardToken: 'pm_unknown' }),
    );
    expect(answer.cameBack).toBe(true);
    expect(await chargesOf(checkout)).toEqual([]);
  });
});

describe('the content security policy', () => {
  const policyOf = async ({ id }: Checkout) =>
    (await fetch(`${app.api.url}/pay/${id}`)).headers.get('content-security-policy') ?? '';

  it('allows the provider’s origins on pages that take a card', async () => {
    const policy = await policyOf(await cardCheckout());
    expect(policy).toContain(`script-src 'self' ${stripe.url};`);
    expect(policy).toContain(`connect-src 'self' ${stripe.url};`);
    expect(policy).toMatch(new RegExp(`frame-src ${stripe.url}$`));
    expect(policy).toContain("form-action 'self'");
  });

  it('allows no other origin on pages that take no card', async () => {
    const policy = await policyOf(await cardCheckout({ methods: ['PIX'] }));
    expect(policy).not.toContain(stripe.url);
    expect(policy).not.toContain('frame-src');
  });
});
