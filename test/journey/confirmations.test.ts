import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import type { ChargeId } from '../../src/domain/ids.ts';
import type { ShownCheckout } from '../../src/wire/checkout.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { advance } from '../support/fixtures/clock.ts';
import { buildProduct } from '../support/rows/catalog.ts';
import { buildCheckout } from '../support/rows/checkouts.ts';
import { takeUpSell } from '../support/rows/payments.ts';
import { eventually } from '../support/waiting/eventually.ts';
import { payForm } from '../support/web/pay-form.ts';
import { CARD } from '../support/web/payer-app.ts';

const CONFIRMED = '4000 0025 0000 3155';

let app: MoneyApp;
let api: ApiClient;
beforeAll(async () => {
  app = await createMoneyApp();
  ({ api } = await app.anotherStore());
});
afterAll(() => app.close());

/** The payer sends the form with a card whose bank asks for a confirmation. @returns the charge's id. */
async function sentToBank({ id }: ShownCheckout, cardNumber = CONFIRMED): Promise<ChargeId> {
  const attempt = 'a'.repeat(31) + String(id.length % 10);
  const { location } = await payForm(api.url, id, { attempt, method: 'CARD', ...CARD, cardNumber });
  const chargeId = (/card_\w+/.exec(location)?.[0] ?? '') as ChargeId;
  await eventually(async () => expect((await chargeOf(chargeId)).actionUrl).not.toBeNull());
  return chargeId;
}

const chargeOf = (id: ChargeId) =>
  app.database.em.fork().findOneOrFail(ChargeEntity, { id }, { disableIdentityMap: true });
const statusOf = async ({ id }: ShownCheckout) =>
  dataOf<ShownCheckout>(await api.get(`/v2/checkouts/get?id=${id}`)).status;

/** The payer decides on the page of the sandbox's bank, which sends them back. */
async function decide(id: ChargeId, decision: 'confirm' | 'refuse'): Promise<void> {
  const body = new URLSearchParams({ decision });
  const answer = await fetch(`${api.url}/sandbox-bank/${id}`, { method: 'POST', body, redirect: 'manual' });
  await fetch(api.url + (answer.headers.get('location') ?? ''));
}

describe('a payment that its payer confirms', () => {
  it('fails when the clock passes its limit, and the next card pays the checkout', async () => {
    const { api: clocked } = await app.anotherStore();
    api = clocked;
    const checkout = (await buildCheckout(api, { methods: ['CARD'] })) as ShownCheckout;
    const abandoned = await sentToBank(checkout);
    await advance(api, { by: 'PT14M' });
    expect((await chargeOf(abandoned)).status).toBe('PENDING');
    await advance(api, { by: 'PT2M' });
    expect(await chargeOf(abandoned)).toMatchObject({
      ...{ status: 'FAILED', failureReason: 'authentication_required', actionUrl: null },
    });
    // Too late: the sandbox's bank has closed it.
    await decide(abandoned, 'confirm');
    expect((await chargeOf(abandoned)).status).toBe('FAILED');
    expect(await statusOf(checkout)).toBe('PENDING');
    dataOf(await api.post('/v2/checkouts/simulate-payment', { id: checkout.id, method: 'CARD' }));
    expect(await statusOf(checkout)).toBe('PAID');
  });

  it('asks for a confirmation of an upsell on the same card too', async () => {
    ({ api } = await app.anotherStore());
    const { id: upSellProductId } = await buildProduct(api, { price: 1_500 });
    const checkout = (await buildCheckout(api, { methods: ['CARD'], upSellProductId })) as ShownCheckout;
    const paymentId = await sentToBank(checkout);
    await decide(paymentId, 'confirm');
    await eventually(async () => expect(await statusOf(checkout)).toBe('PAID'));
    const upSellId = (await takeUpSell(
      { api, database: app.database },
      {
        ...checkout,
        paymentId,
      },
    )) as ChargeId;
    await eventually(async () => expect((await chargeOf(upSellId)).actionUrl).toContain('/sandbox-bank/'));
    await decide(upSellId, 'confirm');
    await eventually(async () => expect((await chargeOf(upSellId)).status).toBe('PAID'));
    expect((await chargeOf(upSellId)).amountCents).toBe(1_500);
  });
});
