import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rotateAccount } from '../../src/accounts/accounts.ts';
import { compareDay } from '../../src/accounts/compare-day.ts';
import { openAccount } from '../../src/accounts/open-account.ts';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import { DisputeEntity } from '../../src/database/entities/dispute.ts';
import { PaymentEntity } from '../../src/database/entities/payment.ts';
import { ReceivableEntity } from '../../src/database/entities/receivable.ts';
import { addDays, saoPauloDateOf } from '../../src/domain/civil-date.ts';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import { readStatementDay } from '../../src/notifications/statement-day.ts';
import { PROVIDER_KINDS } from '../../src/providers/kinds.ts';
import { withPort } from '../../src/providers/provider.ts';
import { dataOf } from '../support/api/api-client.ts';
import { type AsaasStore, openAsaasStore } from '../support/fixtures/asaas-store.ts';
import { buildProduct } from '../support/rows/catalog.ts';
import { eventually } from '../support/waiting/eventually.ts';
import { payForm } from '../support/web/pay-form.ts';

const DAY_MS = 86_400_000;
const PAYER = { payerName: 'Maria Souza', payerTaxId: '529.982.247-25' };

let store: AsaasStore;
beforeAll(async () => {
  store = await openAsaasStore(['checkout.completed', 'checkout.refunded']);
});
afterAll(() => store.close());

async function checkout(price = 10_000) {
  const { api } = store;
  const { id: productId } = await buildProduct(api, { price });
  const body = {
    items: [{ id: productId, quantity: 1 }],
    methods: ['CARD', 'PIX'],
    card: { maxInstallments: 10 },
  };
  return dataOf<{ id: string; url: string }>(await api.post('/v2/checkouts/create', body));
}

const pageOf = async (path: string) => {
  const answer = await fetch(`${store.api.url}${path}`, { redirect: 'manual' });
  return { status: answer.status, html: await answer.text() };
};
const begin = (id: string, typed: Record<string, string> = {}) =>
  payForm(store.api.url, id, {
    attempt: randomBytes(16).toString('hex'),
    method: 'CARD',
    installments: '3',
    ...PAYER,
    ...typed,
  });
const statusOf = async (id: string) =>
  dataOf<{ status: string }>(await store.api.get(`/v2/checkouts/get?id=${id}`)).status;
const chargeOf = (checkoutId: string) =>
  store.app.database.em.fork().findOneOrFail(ChargeEntity, { checkoutId } as never, {
    orderBy: { createdAt: 'desc' },
    disableIdentityMap: true,
  });

/** A payer chooses a card. @returns the charge, and its first payment at Asaas. */
async function begun(id: string) {
  const { location } = await begin(id);
  const charge = await chargeOf(id);
  const [atAsaas = ''] = store.box.books.live(charge.id.slice(-26));
  return { location, charge, atAsaas };
}

async function paid() {
  const { id } = await checkout();
  const { charge, atAsaas } = await begun(id);
  store.box.books.payByCard(atAsaas);
  await eventually(async () => expect(await statusOf(id)).toBe('PAID'));
  return { id, charge, atAsaas };
}

describe('a store with cards at Asaas', () => {
  it('shows no field of a card, and leads the payer to the page of Asaas', async () => {
    const { id, url } = await checkout();
    const { html } = await pageOf(new URL(url).pathname);
    expect(html).not.toMatch(/cardNumber|cardToken|cardCvv/);
    expect(html).toMatch(/<option value="10"/);
    expect(html).toMatch(/id="payerTaxId"[^>]*data-needed-for="PIX CARD BOLETO"/);
    const { location, charge, atAsaas } = await begun(id);
    expect(location).toBe(`/pay/${id}/${charge.id}/confirm`);
    const leaving = await pageOf(location);
    expect(leaving.html).toContain(store.box.books.payments.get(atAsaas)?.invoiceUrl);
    expect((await pageOf(`/pay/${id}/${charge.id}`)).html).toContain(store.box.url);
    expect(charge).toMatchObject({ status: 'PENDING', cardToken: null, installmentsCount: 3 });
  });

  it('ignores a card number that somebody posts', async () => {
    const { id } = await checkout();
    await begin(id, { cardNumber: '4242424242424242', cardCvv: '123', cardExpiry: '12/40', cardHolder: 'M' });
    expect(JSON.stringify(await chargeOf(id))).not.toContain('4242');
    expect(JSON.stringify(store.box.seen)).not.toContain('4242');
  });

  it('asks for the name and CPF of the payer before anything is ordered', async () => {
    const { id } = await checkout();
    const before = store.box.seen.length;
    await expect(begin(id, { payerName: '', payerTaxId: '' })).rejects.toThrow('refused');
    expect(store.box.seen.slice(before).filter(({ method }) => method === 'POST')).toEqual([]);
  });

  it('shows the day of a payment on its receipt, as Asaas names no time', async () => {
    const { charge } = await paid();
    const [year, month, day] = saoPauloDateOf(new Date()).split('-');
    const { html } = await pageOf(`/receipt/${charge.id}`);
    expect(html).toMatch(new RegExp(`<time datetime="[^"]+">${day}/${month}/${year}</time>`));
  });

  it('accepts a payment once, however often Asaas notifies each installment', async () => {
    store.box.faults.order({ on: 'webhook', fault: { kind: 'REPEAT_WEBHOOKS', copies: 4 }, times: 3 });
    const { id, charge } = await paid();
    await store.box.queue.idle();
    const em = store.app.database.em.fork();
    const payments = await em.find(PaymentEntity, { chargeId: charge.id });
    expect(payments).toMatchObject([{ outcome: 'ACCEPTED', amountCents: 10_000 }]);
    const { settlesAt, ...card } = await chargeOf(id);
    expect(card).toMatchObject({ cardToken: null, cardBrand: 'visa', cardLastFour: '4242' });
    await store.endpoint.waitFor((all) => all.some(({ body }) => body.includes(id)));
    const { body } = store.endpoint.received.find((each) => each.body.includes(id)) ?? { body: '' };
    expect(body).toContain('"CARD":{"number":"4242","brand":"visa"}');
    // Asaas pays the first installment after 32 days, and then one a month.
    const days = [32, 62, 92].map((later) => addDays(saoPauloDateOf(new Date()), later));
    expect(saoPauloDateOf(settlesAt ?? new Date(0))).toBe(days[0]);
    const receivables = await em.find(
      ReceivableEntity,
      { chargeId: charge.id },
      { orderBy: { number: 'asc' } },
    );
    expect(receivables.map((each) => saoPauloDateOf(each.settlesAt))).toEqual(days);
    expect(await statusOf(id)).toBe('PAID');
  });

  it('learns of a payment when its payer is back, if the notification is lost', async () => {
    const { id } = await checkout();
    const { charge, atAsaas } = await begun(id);
    store.box.faults.order({ on: 'webhook', fault: { kind: 'LOSE_WEBHOOKS' }, times: 3 });
    store.box.books.payByCard(atAsaas);
    expect((await pageOf(`/pay/${id}/${charge.id}/confirmed`)).status).toBe(303);
    await eventually(async () => expect(await statusOf(id)).toBe('PAID'));
  });

  it('lets a payer who has left the page pay by PIX, and removes the order', async () => {
    const { id } = await checkout();
    const { charge, atAsaas } = await begun(id);
    await begin(id, { method: 'PIX' });
    const pix = await chargeOf(id);
    expect(pix.method).toBe('PIX');
    store.box.books.pay(pix.providerReference ?? '');
    await eventually(async () => expect(await statusOf(id)).toBe('PAID'));
    await eventually(async () => expect(store.box.books.payments.get(atAsaas)?.deleted).toBe(true));
    expect(store.box.books.payByCard(atAsaas)).toBe(false);
    await eventually(async () => {
      const row = await store.app.database.em.fork().findOneOrFail(ChargeEntity, { id: charge.id });
      expect(row.status).toBe('CANCELLED');
    });
  });

  it('ends a payment whose payer has left once its time is over', async () => {
    const { id } = await checkout();
    const { charge, atAsaas } = await begun(id);
    const em = store.app.database.em.fork();
    await em.nativeUpdate(ChargeEntity, { id: charge.id }, { closesAt: new Date(Date.now() - 1_000) });
    await pageOf(`/pay/${id}/${charge.id}/confirmed`);
    await eventually(async () => {
      const ended = { status: 'FAILED', failureReason: 'authentication_required' };
      expect(await chargeOf(id)).toMatchObject(ended);
    });
    expect(store.box.books.payByCard(atAsaas)).toBe(false);
    expect((await pageOf(`/pay/${id}/${charge.id}`)).html).toContain(
      'O tempo para pagar na página segura acabou',
    );
    const again = await begun(id);
    store.box.books.payByCard(again.atAsaas);
    await eventually(async () => expect(await statusOf(id)).toBe('PAID'));
  });

  it('returns money of a card that came after another payment', async () => {
    const { id } = await checkout();
    const { atAsaas } = await begun(id);
    await begin(id, { method: 'PIX' });
    store.box.books.pay((await chargeOf(id)).providerReference ?? '');
    await eventually(async () => expect(store.box.books.payments.get(atAsaas)?.deleted).toBe(true));
    store.box.books.payByCard(atAsaas, { isForced: true });
    await eventually(async () => {
      const refunded = store.box.books.partsOf(atAsaas).flatMap(({ refunds }) => refunds);
      expect(refunded.reduce((sum, { value }) => sum + Math.round(value * 100), 0)).toBe(10_000);
    });
  });

  it('refunds a part, from the last installment on, and then the rest', async () => {
    const { id, charge, atAsaas } = await paid();
    const refundsAt = () =>
      store.box.books.partsOf(atAsaas).map(({ refunds }) => refunds.map(({ value }) => value));
    dataOf(await store.api.post('/v2/checkouts/refund', { id, amount: 4_000 }));
    await eventually(async () => expect(refundsAt()).toEqual([[], [6.66], [33.34]]));
    dataOf(await store.api.post('/v2/checkouts/refund', { id }));
    await eventually(async () => expect(refundsAt()).toEqual([[33.33], [6.66, 26.67], [33.34]]));
    await eventually(async () => {
      const row = await store.app.database.em.fork().findOneOrFail(ChargeEntity, { id: charge.id });
      expect(row).toMatchObject({ status: 'REFUNDED', refundedCents: 10_000 });
    });
  });

  it('follows a chargeback until the store has won it', async () => {
    const { charge, atAsaas } = await paid();
    const disputeOf = () =>
      store.app.database.em.fork().findOneOrFail(DisputeEntity, { chargeId: charge.id });
    store.box.books.chargeBack(atAsaas, 'REQUESTED');
    await eventually(async () =>
      expect(await disputeOf()).toMatchObject({ status: 'OPEN', amountCents: 10_000 }),
    );
    store.box.books.chargeBack(atAsaas, 'IN_DISPUTE');
    await eventually(async () => expect(await disputeOf()).toMatchObject({ stage: 'UNDER_REVIEW' }));
    store.box.books.chargeBack(atAsaas, 'REVERSED');
    await eventually(async () => expect(await disputeOf()).toMatchObject({ status: 'WON' }));
  });

  it('finds no difference on the day of a chargeback that the store has lost', async () => {
    const { charge, atAsaas } = await paid();
    const { api } = store;
    dataOf(await api.post('/v2/checkouts/refund', { id: charge.checkoutId, amount: 1_000 }));
    const chargeNow = () =>
      store.app.database.em
        .fork()
        .findOneOrFail(ChargeEntity, { id: charge.id }, { disableIdentityMap: true });
    await eventually(async () => expect(await chargeNow()).toMatchObject({ refundedCents: 1_000 }));
    store.box.books.chargeBack(atAsaas, 'REQUESTED');
    await eventually(async () => expect(await chargeNow()).toMatchObject({ status: 'UNDER_DISPUTE' }));
    store.box.books.chargeBack(atAsaas, 'DISPUTE_LOST');
    await eventually(async () => expect(await chargeNow()).toMatchObject({ status: 'REFUNDED' }));
    const keeping = { keys: store.app.parts.secretsKeys, kinds: PROVIDER_KINDS };
    const provider = withPort(openAccount(store.account, keeping), 'listing');
    const day = saoPauloDateOf(new Date());
    const em = store.app.database.em.fork();
    const compared = await compareDay(em, store.account, provider, day, new Date());
    expect(compared.differences).toEqual([]);
    expect(compared.bank.refundedCents).toBe(compared.here.refundedCents);
  });

  it('names the account to use for a subscription, and for a card without a page', async () => {
    const { id } = await buildProduct(store.api, { price: 5_000, cycle: 'MONTHLY' });
    const refused = await store.api.post('/v2/subscriptions/create', {
      items: [{ id, quantity: 1 }],
      methods: ['CARD'],
    });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('METHOD_NOT_POSSIBLE');
    expect(refused.text).toContain('Stripe');
    const token = await store.api.post('/v2/transparents/create', {
      method: 'CARD',
      data: {
        amount: 5_000,
        token: 'ctok_01KAK0Y3PX7V4T6R2W9ZB5XHMD',
        customer: {
          name: 'Maria Souza',
          taxId: '529.982.247-25',
          email: 'm@example.com',
          cellphone: '(11) 99999-9999',
        },
      },
    });
    expect(token.status).toBe(422);
    expect(token.text).toContain('METHOD_NOT_POSSIBLE');
  });

  it('charges the fees that the account names, in installments that add up', async () => {
    const { api, account, box } = store;
    const em = store.app.database.em.fork();
    const keeping = { em, keys: store.app.parts.secretsKeys, kinds: PROVIDER_KINDS };
    const order = async () => {
      const { id } = await buildProduct(api, { price: 10_000 });
      const card = { maxInstallments: 3, passFeesToCustomer: true };
      return api.post('/v2/checkouts/create', { items: [{ id }], methods: ['CARD'], card });
    };
    expect((await order()).json).toMatchObject({ rule: 'CARD_FEES_UNKNOWN' });
    const change = { settings: { cardFees: '1: 2.99+0.49; 2-12: 3.49+0.49' }, secrets: {} };
    await rotateAccount(keeping, account.id, change, new Date());
    const { id } = dataOf<{ id: string }>(await order());
    const [, cardTotals = ''] =
      /name="cardTotals" value="([\d,]*)"/.exec((await pageOf(`/pay/${id}`)).html) ?? [];
    // 10,868 less 440 for the platform (3.5 % + 60) and 428 for Asaas (3.49 % + 49).
    expect(cardTotals).toBe('10810,10868,10868');
    await begin(id, { cardTotals });
    const charge = await chargeOf(id);
    const [atAsaas = ''] = box.books.live(charge.id.slice(-26));
    const parts = box.books.partsOf(atAsaas);
    expect(parts.map(({ value }) => value)).toEqual([36.22, 36.22, 36.24]);
    box.books.payByCard(atAsaas);
    await eventually(async () => expect(await statusOf(id)).toBe('PAID'));
    const rows = await store.app.database.em.fork().find(ReceivableEntity, { chargeId: charge.id });
    const net = rows.reduce((sum, { grossCents, feeCents }) => sum + grossCents - feeCents, 0);
    expect([rows.length, net]).toEqual([3, 10_868 - 440]);
    dataOf(await api.post('/v2/checkouts/refund', { id }));
    await eventually(async () => {
      const back = box.books.partsOf(atAsaas).flatMap(({ refunds }) => refunds);
      expect(back.reduce((sum, { value }) => sum + Math.round(value * 100), 0)).toBe(10_868);
    });
    expect((await verifyLedger(em, charge.storeId)).discrepancies).toEqual([]);
  });

  it('finds no difference between Asaas and the ledger on the day', async () => {
    const keeping = { keys: store.app.parts.secretsKeys, kinds: PROVIDER_KINDS };
    const provider = withPort(openAccount(store.account, keeping), 'listing');
    const day = saoPauloDateOf(new Date());
    const em = store.app.database.em.fork();
    const { differences, bank } = await compareDay(em, store.account, provider, day, new Date());
    expect(bank.payments).toBeGreaterThan(4);
    expect(differences).toEqual([]);
  });

  it('serves a page on which a payer of the box pays, and goes back to the shop', async () => {
    const { id } = await checkout();
    const { charge, atAsaas } = await begun(id);
    const { invoiceUrl = '' } = store.box.books.payments.get(atAsaas) ?? {};
    const post = (act: string) =>
      fetch(invoiceUrl, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ act }) });
    expect(await (await fetch(invoiceUrl)).text()).toContain('3 installments');
    expect((await post('refusedCard')).headers.get('location')).toBe(new URL(invoiceUrl).pathname);
    expect((await post('card')).headers.get('location')).toContain(`/pay/${id}/${charge.id}/confirmed`);
    expect(await (await fetch(invoiceUrl)).text()).toContain('CONFIRMED');
    await eventually(async () => expect(await statusOf(id)).toBe('PAID'));
    expect((await fetch(new URL('/i/99', invoiceUrl))).status).toBe(404);
  });

  it('compares the statement of Asaas, which books each installment on its day', async () => {
    const { atAsaas } = await paid();
    const keeping = { keys: store.app.parts.secretsKeys, kinds: PROVIDER_KINDS };
    const { statement } = withPort(openAccount(store.account, keeping), 'statement');
    const em = store.app.database.em.fork();
    const read = (daysLater: number) => {
      const day = addDays(saoPauloDateOf(new Date()), daysLater);
      return readStatementDay(em, store.account, statement, day, new Date());
    };
    expect(await read(0)).toMatchObject({ differences: [], foreignPayments: 0, isComplete: true });
    store.box.books.advance(32 * DAY_MS);
    const { differences, totals } = await read(32);
    expect(differences).toEqual([]);
    expect(totals).toMatchObject({ balanceCents: Math.round(store.box.books.balance * 100) });
    const [first] = store.box.books.partsOf(atAsaas);
    if (first === undefined) throw new Error('a payment has no parts');
    const line = { date: store.box.books.today(), paymentId: first.id };
    store.box.books.book.add({ type: 'PAYMENT_RECEIVED', value: 40, ...line });
    const again = await read(32);
    expect(again.differences).toMatchObject([
      { problem: 'OTHER_AMOUNT', providerCents: 4_000, hereCents: 3_333 },
    ]);
  });
});
