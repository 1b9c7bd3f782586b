import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../support/web/browser.ts';

const CSP = "default-src 'none'; script-src 'self'; form-action 'self'";
const OURS = readFileSync('src/web/checkout/browser/stripe-fields.js');

/** What Stripe's script offers to a page, with a card that its owner has typed into Stripe's frame. */
const STRIPE_SCRIPT = `
globalThis.calls = [];
globalThis.Stripe = (key, options) => ({
  elements: (options) => {
    calls.push(options);
    return {
      create: (kind, options) => {
        calls.push(options);
        const listeners = {};
        return {
          on: (name, listener) => { listeners[name] = listener; },
          mount: (place) => {
            place.textContent = kind + ' ' + key;
            place.onclick = () => listeners.confirm?.({ paymentFailed: () => calls.push('failed') });
            listeners.ready?.({ availablePaymentMethods: document.title === 'no wallet' ? undefined : {} });
          },
        };
      },
      submit: async () => (document.title === 'incomplete' ? { error: { message: 'Número incompleto' } } : {}),
    };
  },
  createPaymentMethod: async () => {
    if (document.title === 'unreachable') throw new Error('no network');
    if (document.title === 'declined') return { error: { message: 'Cartão recusado' } };
    return { paymentMethod: { id: 'pm_typed' } };
  },
});`;

let browser: Browser;
let page: Page;
let title = '';
let more = '';
const posted: URLSearchParams[] = [];
const server = createServer(async (request, response) => {
  if (request.method === 'POST') posted.push(new URLSearchParams(await text(request)));
  if (request.url?.endsWith('.js'))
    return response
      .writeHead(200, { 'content-type': 'text/javascript; charset=utf-8' })
      .end(request.url === '/stripe.js' ? STRIPE_SCRIPT : OURS);
  return response
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': CSP })
    .end(pageOf(title));
});

function pageOf(named: string): string {
  return `<!doctype html><html lang="pt-BR"><title>${named}</title>
<form method="post" action="/paid">
<input type="radio" name="method" value="PIX"><input type="radio" name="method" value="CARD" checked>
<div><div data-card-fields data-publishable-key="pk_test_1" data-amount-cents="2590" data-keeps-card ${more}></div>
<p data-card-problem="Confira o cartão" role="alert" hidden></p></div>
<input type="hidden" name="cardToken"><button name="action" value="pay">Pagar</button></form>
<script src="/stripe.js" defer></script><script src="/ours.js" type="module"></script></html>`;
}

beforeAll(async () => {
  browser = await launchBrowser();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await browser.close();
  server.close();
});
beforeEach(() => {
  posted.length = 0;
});

async function opened(named: string, attributes = ''): Promise<Page> {
  title = named;
  more = attributes;
  await page?.close();
  page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return page;
}

it('mounts the fields of Stripe with the amount, and posts the token of the card', async () => {
  const opening = await opened('complete');
  expect(await opening.textContent('[data-card-fields]')).toBe('payment pk_test_1');
  expect(await opening.evaluate('calls')).toEqual([
    {
      ...{ mode: 'payment', amount: 2_590, currency: 'brl', setupFutureUsage: 'off_session' },
      ...{ paymentMethodCreation: 'manual', paymentMethodTypes: ['card'] },
    },
    { wallets: { applePay: 'never', googlePay: 'never' } },
  ]);
  await opening.click('button');
  await opening.waitForURL('**/paid');
  expect(posted.map((form) => Object.fromEntries(form))).toEqual([
    { method: 'CARD', cardToken: 'pm_typed', action: 'pay' },
  ]);
});

it.each([
  ['incomplete', 'Número incompleto'],
  ['declined', 'Cartão recusado'],
  ['unreachable', 'Confira o cartão'],
])('posts nothing and tells the payer if the card is %s', async (named, problem) => {
  const opening = await opened(named);
  await opening.click('button');
  await opening.waitForSelector('[data-card-problem]:not([hidden])');
  expect(await opening.textContent('[data-card-problem]')).toBe(problem);
  expect(posted).toEqual([]);
});

it('leaves a payment by PIX to the page', async () => {
  const opening = await opened('incomplete');
  await opening.check('[value="PIX"]');
  await opening.click('button');
  await opening.waitForURL('**/paid');
  expect(Object.fromEntries(posted[0] ?? [])).toMatchObject({ method: 'PIX', cardToken: '' });
});

describe('wallets', () => {
  const ONLY_APPLE = 'data-wallets="APPLE_PAY" data-no-wallet="Sem carteira"';

  it.each([
    ['APPLE_PAY', { applePay: 'auto', googlePay: 'never' }],
    ['GOOGLE_PAY', { applePay: 'never', googlePay: 'auto' }],
    ['APPLE_PAY GOOGLE_PAY', { applePay: 'auto', googlePay: 'auto' }],
  ])('mounts the fields with what the checkout offers: %s', async (offered, wallets) => {
    const opening = await opened('complete', `data-wallets="${offered}"`);
    expect(await opening.evaluate('calls[1]')).toEqual({ wallets });
  });

  it('shows buttons and no fields if no card may be typed, and posts the token', async () => {
    const opening = await opened('complete', ONLY_APPLE);
    expect(await opening.textContent('[data-card-fields]')).toBe('expressCheckout pk_test_1');
    expect(await opening.evaluate('calls[1].paymentMethods')).toMatchObject({
      ...{ applePay: 'auto', googlePay: 'never', link: 'never' },
    });
    await opening.check('[value="PIX"]');
    await opening.click('[data-card-fields]');
    await opening.waitForURL('**/paid');
    expect(Object.fromEntries(posted[0] ?? [])).toMatchObject({ method: 'CARD', cardToken: 'pm_typed' });
  });

  it('posts nothing if the wallet gives no card, and tells the wallet', async () => {
    const opening = await opened('declined', ONLY_APPLE);
    await opening.click('[data-card-fields]');
    await opening.waitForSelector('[data-card-problem]:not([hidden])');
    expect(await opening.evaluate('calls.at(-1)')).toBe('failed');
    expect(posted).toEqual([]);
  });

  it('tells the payer at once if the device has no wallet', async () => {
    const opening = await opened('no wallet', ONLY_APPLE);
    await opening.waitForSelector('[data-card-problem]:not([hidden])');
    expect(await opening.textContent('[data-card-problem]')).toBe('Sem carteira');
  });

  it('asks for a wallet if the button is pressed without one', async () => {
    const opening = await opened('complete', ONLY_APPLE);
    await opening.click('button');
    await opening.waitForSelector('[data-card-problem]:not([hidden])');
    expect(await opening.textContent('[data-card-problem]')).toBe('Confira o cartão');
    expect(posted).toEqual([]);
  });
});

it('mounts the fields again if a coupon has replaced the form', async () => {
  const opening = await opened('complete');
  await opening.evaluate(`
    document.querySelector('form').replaceWith(document.querySelector('form').cloneNode(true));
    document.querySelector('[data-card-fields]').textContent = '';
    document.dispatchEvent(new Event('pay-form-replaced'));`);
  expect(await opening.textContent('[data-card-fields]')).toBe('payment pk_test_1');
  await opening.click('button');
  await opening.waitForURL('**/paid');
  expect(posted).toHaveLength(1);
});
