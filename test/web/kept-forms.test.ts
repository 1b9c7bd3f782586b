import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SecretsKeys } from '../../src/secrets/secrets-keys.ts';
import { insertCheckout, insertCoupon } from '../support/rows/checkout-rows.ts';
import { CARD, createPayerApp, type PayerApp, payFormOf } from '../support/web/payer-app.ts';

const keys = new SecretsKeys([randomBytes(32).toString('base64')]);

let app: PayerApp;
beforeAll(async () => {
  app = await createPayerApp({ secretsKeys: keys });
});
afterAll(() => app.close());

/** Loads the page with these cookies. @returns its text and the cookies that it sets. */
async function load(path: string, cookie: string) {
  const { text, headers } = await app.api.call(path, { key: null, headers: { Cookie: cookie } });
  return { text, setCookie: headers.get('set-cookie') ?? '' };
}

const TYPED = { payerName: 'Ana Souza', payerEmail: 'ana@example.com', payerTaxId: '529.982.247-25' };

it('returns a refused form once with what was typed', async () => {
  const { id } = await insertCheckout(app);
  const form = payFormOf({ method: 'CARD', ...CARD, ...TYPED, cardNumber: '4242 4242 4242 4241' });
  const { status, location, cookie, setCookie } = await app.send(`/pay/${id}`, form);
  expect([status, location]).toEqual([303, `/pay/${id}`]);
  expect(setCookie).toMatch(
    new RegExp(`^form=[\\w.+/=]+; Path=/pay/${id}; Max-Age=600; HttpOnly; SameSite=Lax$`),
  );
  const first = await load(`/pay/${id}`, cookie);
  for (const shown of ['Confira o número do cartão', ...Object.values(TYPED), 'ANA SOUZA', 'value="12/30"'])
    expect(first.text).toContain(shown);
  expect(first.setCookie).toMatch(/^form=; .*Max-Age=0/);
  expect((await load(`/pay/${id}`, '')).text).not.toContain('aria-invalid');
});

it('encrypts a kept form, without any part of the card number or its code', async () => {
  const { id } = await insertCheckout(app);
  const form = payFormOf({
    method: 'CARD',
    ...CARD,
    ...TYPED,
    cardNumber: '4242 4242 4242 4241',
    cardCvv: '987',
  });
  const { cookie } = await app.send(`/pay/${id}`, form);
  const [secretKeyId = '', secret = ''] = cookie.replace('form=', '').split('.');
  const kept = keys.decrypt({ secretKeyId, secret }, `form of ${id}`);
  expect(kept).toContain('ana@example.com');
  expect(kept).not.toMatch(/4242|987/);
  expect(cookie).not.toMatch(/Ana|529|4242/);
});

it('shows a kept form on its own checkout only, and ignores a changed one', async () => {
  const [one, other] = [await insertCheckout(app), await insertCheckout(app)];
  const { cookie } = await app.send(
    `/pay/${one.id}`,
    payFormOf({ method: 'PIX', ...TYPED, payerEmail: 'ana@' }),
  );
  expect((await load(`/pay/${one.id}`, cookie)).text).toContain('Confira o e-mail');
  const changed = cookie.replace(/.{4}$/, 'AAAA');
  for (const [checkout, sent] of [
    [other, cookie],
    [one, changed],
    [one, 'form=x.y'],
    [one, cookie.replace('form', 'coupon')],
  ] as const) {
    const { text } = await load(`/pay/${checkout.id}`, sent);
    expect(text).toContain('Gerar Pix de');
    expect(text).not.toMatch(/aria-invalid|Ana Souza/);
  }
});

it('keeps an applied coupon on reload until it is removed or used up', async () => {
  const { id: couponId, code } = await insertCoupon(app);
  const { id } = await insertCheckout(app, { coupons: [code] });
  const { cookie } = await app.send(`/pay/${id}`, { method: 'PIX', coupon: code, action: 'apply-coupon' });
  const coupon = cookie.split('; ').find((each) => each.startsWith('coupon=')) ?? '';
  for (let time = 0; time < 2; time += 1)
    expect((await load(`/pay/${id}`, coupon)).text).toContain('Gerar Pix de R$\u00a090,00');
  const removed = await app.send(`/pay/${id}`, { coupon: code, action: 'remove-coupon' }, { Cookie: coupon });
  expect(removed.setCookie).toMatch(/coupon=; .*Max-Age=0/);
  await app.database.em
    .fork()
    .execute('update coupons set redeems_count = 1, max_redeems = 1 where id = :couponId', { couponId });
  expect((await load(`/pay/${id}`, coupon)).text).toContain('número máximo de vezes');
});

it('keeps all fields of a declined card except number and code', async () => {
  app.played.decision = { status: 'FAILED', failureReason: 'incorrect_cvc' };
  const { id } = await insertCheckout(app, { maxInstallments: 3 });
  const { location, cookie } = await app.send(
    `/pay/${id}`,
    payFormOf({ method: 'CARD', ...CARD, ...TYPED, installments: '3' }),
  );
  const { text } = await load(location, cookie);
  for (const shown of [
    'Pagamento não aprovado',
    'Ana Souza',
    'ana@example.com',
    'ANA SOUZA',
    'value="12/30"',
  ])
    expect(text).toContain(shown);
  expect(text).toMatch(/value="3" selected/);
  expect(text).not.toContain('4242 4242 4242 4242"');
});
