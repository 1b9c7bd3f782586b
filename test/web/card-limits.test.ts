import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CheckoutId } from '../../src/domain/ids.ts';
import {
  chargesOf,
  insertCharge,
  insertCheckout,
  insertProduct,
  NOON,
  paid,
} from '../support/rows/checkout-rows.ts';
import { CARD, createPayerApp, type PayerApp, payFormOf } from '../support/web/payer-app.ts';

const DECLINED = { status: 'FAILED', failureReason: 'card_declined' } as const;

let app: PayerApp;
beforeAll(async () => {
  app = await createPayerApp();
});
afterAll(() => app.close());
beforeEach(() => {
  app.played.now = NOON;
  app.played.decision = DECLINED;
});

const payByCard = (checkoutId: string) =>
  app.send(`/pay/${checkoutId}`, payFormOf({ method: 'CARD', ...CARD }));

function payManyTimes(checkoutId: string, times: number) {
  return Promise.all(Array.from({ length: times }, () => payByCard(checkoutId)));
}

describe('the limit of declined cards', () => {
  it.each([
    ['that are declined', DECLINED],
    ['whose issuers have not answered', {}],
  ])('accepts 10 of 80 parallel cards and %s', async (_, decision) => {
    app.played.decision = decision;
    const { id } = await insertCheckout(app, { methods: ['CARD'] });
    const answers = await payManyTimes(id, 80);
    expect(await chargesOf(app, id)).toHaveLength(10);
    const refused = answers.filter(({ cameBack }) => cameBack);
    expect(refused).toHaveLength(70);
    expect(refused[0]?.text).toContain('muitas tentativas com cartão');
  });

  it('accepts cards again an hour after the limit of declined cards was reached', async () => {
    const { id } = await insertCheckout(app, { methods: ['CARD'] });
    await payManyTimes(id, 10);
    app.played.now = new Date(NOON.getTime() + 61 * 60_000);
    expect((await payByCard(id)).cameBack).toBe(false);
  });

  it('applies the limit of declined cards to upsells as well', async () => {
    const offer = await insertProduct(app);
    const checkout = await insertCheckout(app, { methods: ['CARD'], upSellProductId: offer.id });
    const submissionKey = 'a'.repeat(32);
    const charge = await insertCharge(app, checkout, 'CARD', { ...paid(10_000), submissionKey });
    const accept = () =>
      app.send(`/pay/${checkout.id}/${charge.id}/up-sell`, payFormOf({}), {
        Cookie: `payer=${submissionKey}`,
      });
    const declines: number[] = [];
    for (let time = 0; time < 12; time++) declines.push((await accept()).status);
    expect(declines).toEqual([...Array(10).fill(303), 422, 422]);
  });
});

describe('an offer on a saved card', () => {
  async function payOffering() {
    app.played.decision = paid(10_000);
    const offer = await insertProduct(app, { priceCents: 2_000 });
    const checkout = await insertCheckout(app, { methods: ['CARD'], upSellProductId: offer.id });
    return payByCard(checkout.id);
  }
  const open = async (path: string, cookie: string) =>
    (await app.api.call(path, { key: null, headers: { Cookie: cookie } })).text;

  it('shows the offer to the browser that paid, and accepts its answer', async () => {
    const { location, cookie } = await payOffering();
    expect(await open(location, cookie)).toContain('Levar por');
    const taken = await app.send(`${location}/up-sell`, payFormOf({}), { Cookie: cookie });
    expect(taken.status).toBe(303);
  });

  it.each([
    ['nothing', () => ''],
    ['another payment’s cookie', (cookie: string) => cookie.replace(/\d$/, 'f')],
    ['an empty one', () => 'payer='],
  ])('hides and refuses the offer for anyone else with the address, with %s', async (_, cookieOf) => {
    const { location, cookie } = await payOffering();
    const other = cookieOf(cookie);
    expect(await open(location, other)).not.toContain('Levar por');
    const refused = await app.send(`${location}/up-sell`, payFormOf({}), { Cookie: other });
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining('não está mais disponível'),
    ]);
    const [, checkoutId = ''] = /^\/pay\/(\w+)\//.exec(location) ?? [];
    expect(await chargesOf(app, checkoutId as CheckoutId)).toHaveLength(1);
  });

  it('sets an HttpOnly cookie for that page only, with Secure under https', async () => {
    const { setCookie, location } = await payOffering();
    expect(setCookie.split('; ').slice(1)).toEqual([
      `Path=${location}`,
      'Max-Age=3600',
      'HttpOnly',
      'SameSite=Lax',
    ]);
    const secure = await createPayerApp({ publicUrl: 'https://pay.example.com' });
    try {
      secure.played.decision = paid(10_000);
      const { id } = await insertCheckout(secure, { methods: ['CARD'] });
      const answer = await secure.send(`/pay/${id}`, payFormOf({ method: 'CARD', ...CARD }));
      expect(answer.setCookie).toMatch(/; Secure$/);
    } finally {
      await secure.close();
    }
  });
});
