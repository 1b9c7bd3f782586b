import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ShownSavedCard } from '../../src/api/saved-cards/schema.ts';
import { sealOneClick } from '../../src/cards/one-click-link.ts';
import { CardTokenEntity } from '../../src/database/entities/card-token.ts';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import { SavedCardEntity } from '../../src/database/entities/saved-card.ts';
import type { CardTokenId, CheckoutId, SavedCardId, StoreId } from '../../src/domain/ids.ts';
import { SecretsKeys } from '../../src/secrets/secrets-keys.ts';
import type { ShownCheckout } from '../../src/wire/checkout.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { typeCard } from '../support/rows/card-tokens.ts';
import { buildCheckout } from '../support/rows/checkouts.ts';
import { eventually } from '../support/waiting/eventually.ts';

const ANA = { name: 'Ana Souza', taxId: '529.982.247-25', email: 'ana@example.com' };
const BRUNO = { name: 'Bruno Lima', taxId: '111.444.777-35' };
const CONFIRM = '4000002500003155';
const KEY = Buffer.alloc(32, 5).toString('base64');

let app: MoneyApp;
let storeId: StoreId;
let api: ApiClient;
beforeAll(async () => {
  app = await createMoneyApp({ secretsKeys: [KEY] });
  ({ storeId, api } = await app.anotherStore());
});
afterAll(() => app.close());

const em = () => app.database.em.fork();

interface Saved {
  readonly cardToken: string;
  readonly customerId: string;
}

/** A card that a customer saved with a paid charge. */
async function saved(customer: object = ANA): Promise<Saved> {
  const token = await typeCard(app.database, storeId);
  const data = { amount: 5_000, token, customer };
  const { cardToken, customerId } = dataOf<Saved>(
    await api.post('/v2/transparents/create', { method: 'CARD', data }),
  );
  return { cardToken, customerId };
}
const list = async (customerId: string, on = api) => on.get(`/v2/saved-cards/list?customerId=${customerId}`);
const remove = (id: string, on = api) => on.post('/v2/saved-cards/delete', { id });

describe('saved cards', () => {
  it('lists the cards of a customer, and removes one for good', async () => {
    const { cardToken, customerId } = await saved({ name: 'Carla Dias', taxId: '390.533.447-05' });
    const [card, ...others] = dataOf<ShownSavedCard[]>(await list(customerId));
    expect(others).toEqual([]);
    expect(card).toMatchObject({ id: cardToken, customerId, card: { brand: 'visa', lastFour: '4242' } });
    expect(dataOf<ShownSavedCard>(await remove(cardToken))).toEqual(card);
    expect(dataOf(await list(customerId))).toEqual([]);
    expect((await remove(cardToken)).status).toBe(404);
    const { token } = await em().findOneOrFail(SavedCardEntity, { id: cardToken as SavedCardId });
    const erasures = await em().execute('select token from card_erasures where token = :token', { token });
    expect(erasures).toHaveLength(1);
    const data = { amount: 5_000, cardToken, customer: { name: 'Carla Dias', taxId: '390.533.447-05' } };
    expect((await api.post('/v2/transparents/create', { method: 'CARD', data })).status).toBe(404);
  });

  it('returns 404 for another store, and needs the permissions of customers', async () => {
    const { cardToken, customerId } = await saved();
    const { api: other } = await app.anotherStore();
    expect((await list(customerId, other)).status).toBe(404);
    expect((await remove(cardToken, other)).status).toBe(404);
    const seller = await app.clientWith({ storeId, permissions: ['TRANSPARENT:CREATE', 'CHECKOUT:READ'] });
    expect([(await list(customerId, seller)).status, (await remove(cardToken, seller)).status]).toEqual([
      403, 403,
    ]);
  });
});

describe('one click', () => {
  const link = (id: string, cardToken: string, on = api) =>
    on.post('/v2/checkouts/one-click', { id, cardToken });
  async function ordered({ customerId, cardToken }: Saved, changes: object = {}) {
    const checkout = await buildCheckout(api, { customerId, methods: ['CARD', 'PIX'], ...changes });
    const { url } = dataOf<{ url: string }>(await link(checkout.id, cardToken));
    return { checkout, url };
  }
  const open = (url: string) => fetch(url, { redirect: 'manual' });
  const click = (url: string, form: Record<string, string> = {}) =>
    fetch(url, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(form),
      headers: { Origin: new URL(url).origin },
    });
  const chargesOf = (checkoutId: string) => em().find(ChargeEntity, { checkoutId: checkoutId as never });
  const statusOf = async (id: string) =>
    dataOf<ShownCheckout>(await api.get(`/v2/checkouts/get?id=${id}`)).status;

  it('shows the card only to its link, and pays with one click', async () => {
    const card = await saved();
    const { checkout, url } = await ordered(card);
    expect(await (await open(checkout.url)).text()).not.toContain('final 4242');
    const page = await open(url);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('final 4242')]);
    expect(page.headers.get('referrer-policy')).toMatch(/no-referrer|same-origin/);
    expect((await click(url)).headers.get('location')).toMatch(new RegExp(`^/pay/${checkout.id}/card_`));
    await eventually(async () => expect(await statusOf(checkout.id)).toBe('PAID'));
    expect((await open(url)).headers.get('location')).toBe(`/pay/${checkout.id}`);
  });

  it('makes one charge of ten clicks', async () => {
    const { checkout, url } = await ordered(await saved());
    const answers = await Promise.all(Array.from({ length: 10 }, () => click(url)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]));
    expect(await chargesOf(checkout.id)).toHaveLength(1);
  });

  it('refuses every other spelling of a link, so that it stays one payment', async () => {
    const { checkout, url } = await ordered(await saved());
    const sealed = url.slice(url.lastIndexOf('.') + 1);
    const bytesOf = (text: string) => Buffer.from(text, 'base64url').toString('hex');
    const respelled = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
      .map((last) => sealed.slice(0, -1) + last)
      .filter((text) => text !== sealed && bytesOf(text) === bytesOf(sealed))
      .map((text) => url.replace(sealed, text));
    const longer = ['=', '%20', '.x', '.', '!', '-', '%0A'].map((end) => url + end);
    const spellings = [...longer, ...respelled];
    const answers = await Promise.all(spellings.map((each) => click(each)));
    expect(answers.map(({ status }) => status)).toEqual(spellings.map(() => 404));
    expect(await chargesOf(checkout.id)).toEqual([]);
  });

  it('sends the payer to their bank if it asks for a confirmation', async () => {
    const card = await saved(BRUNO);
    const id = (await typeCard(app.database, storeId, CONFIRM)) as CardTokenId;
    const { token } = await em().findOneOrFail(CardTokenEntity, { id });
    await em().nativeUpdate(SavedCardEntity, { id: card.cardToken as SavedCardId }, { token });
    const { checkout, url } = await ordered(card);
    const answer = await click(url);
    expect(answer.headers.get('location')).toMatch(
      new RegExp(`^/pay/${checkout.id}/card_[0-9A-Z]+/confirm$`),
    );
  });

  it('refuses a forged link, one of another checkout, and one that has expired', async () => {
    const card = await saved();
    const [one, other] = [await ordered(card), await ordered(card)];
    const foreign = one.url.replace(one.checkout.id, other.checkout.id);
    const keys = new SecretsKeys([KEY]);
    const savedCardId = card.cardToken as SavedCardId;
    const ended = { checkoutId: one.checkout.id as CheckoutId, savedCardId, expiresAt: new Date() };
    const expired = one.url.replace(/one-click\/.*/, `one-click/${sealOneClick(ended, keys)}`);
    for (const wrong of [foreign, expired, `${one.url}x`, one.url.replace(/one-click\/.*/, 'one-click/.abc')])
      for (const answer of [await open(wrong), await click(wrong)]) expect(answer.status).toBe(404);
    expect(await chargesOf(other.checkout.id)).toEqual([]);
  });

  it('shows the card fee that the payer pays, and charges nothing else', async () => {
    const { checkout, url } = await ordered(await saved(), {
      card: { passFeesToCustomer: true },
    });
    const page = await (await open(url)).text();
    // 5,000 are left of 5,244 after 3.5 % and 60 cents.
    expect(page).toContain('name="cardTotals" value="5244"');
    expect(page).toContain('R$\u00a02,44');
    for (const cardTotals of ['', '5000', '5243'])
      expect((await click(url, { cardTotals })).headers.get('location')).toBe(`/pay/${checkout.id}`);
    expect(await chargesOf(checkout.id)).toEqual([]);
    await click(url, { cardTotals: '5244' });
    expect(await chargesOf(checkout.id)).toMatchObject([{ amountCents: 5_244, customerFeeCents: 244 }]);
  });

  it('leads to the usual page once the card is removed', async () => {
    const card = await saved({ name: 'Davi Reis', taxId: '935.411.347-80' });
    const { checkout, url } = await ordered(card);
    await remove(card.cardToken);
    for (const answer of [await open(url), await click(url)])
      expect(answer.headers.get('location')).toBe(`/pay/${checkout.id}`);
    expect(await chargesOf(checkout.id)).toEqual([]);
  });

  it("returns 404 for another customer's card, and 403 without TRANSPARENT:CREATE", async () => {
    const [ana, bruno] = [await saved(), await saved(BRUNO)];
    const { id } = await buildCheckout(api, { customerId: ana.customerId, methods: ['CARD'] });
    const strange = await link(id, bruno.cardToken);
    const unknown = await link(id, 'scrd_01KAK0Y3PX7V4T6R2W9ZB5XHMD');
    expect([strange.status, strange.json]).toEqual([404, unknown.json]);
    const nobody = await buildCheckout(api, { methods: ['CARD'] });
    expect((await link(nobody.id, ana.cardToken)).status).toBe(404);
    const reader = await app.clientWith({ storeId, permissions: ['CHECKOUT:READ', 'CHECKOUT:CREATE'] });
    expect((await link(id, ana.cardToken, reader)).status).toBe(403);
    const pix = await buildCheckout(api, { customerId: ana.customerId, methods: ['PIX'] });
    expect((await link(pix.id, ana.cardToken)).status).toBe(422);
  });
});
