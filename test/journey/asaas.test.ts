import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { compareDay } from '../../src/accounts/compare-day.ts';
import { openAccount } from '../../src/accounts/open-account.ts';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import { PaymentEntity } from '../../src/database/entities/payment.ts';
import { addDays, saoPauloDateOf } from '../../src/domain/civil-date.ts';
import { takeListed } from '../../src/notifications/take-listed.ts';
import { PROVIDER_KINDS } from '../../src/providers/kinds.ts';
import { withPort } from '../../src/providers/provider.ts';
import { dataOf } from '../support/api/api-client.ts';
import { type AsaasStore, openAsaasStore } from '../support/fixtures/asaas-store.ts';
import { buildProduct } from '../support/rows/catalog.ts';
import { eventually } from '../support/waiting/eventually.ts';
import { payForm } from '../support/web/pay-form.ts';

const EVENTS = ['transparent.completed', 'transparent.refunded', 'payout.completed', 'payout.failed'];
const CUSTOMER = { name: 'Maria Souza', taxId: '529.982.247-25', email: 'maria@example.com' };

interface ShownCharge {
  readonly id: string;
  readonly status: string;
  readonly brCode: string;
  readonly barCode?: string;
}

/** Production mode, with the box as the store's only provider. */
let store: AsaasStore;
let app: AsaasStore['app'];
let box: AsaasStore['box'];
let endpoint: AsaasStore['endpoint'];
let api: AsaasStore['api'];
let account: AsaasStore['account'];

beforeAll(async () => {
  store = await openAsaasStore(EVENTS);
  ({ app, box, endpoint, api, account } = store);
});
afterAll(() => store.close());

const create = async (data: object, method: string) =>
  dataOf<ShownCharge>(
    await api.post('/v2/transparents/create', {
      method,
      data: { amount: 2_590, customer: CUSTOMER, ...data },
    }),
  );
const boleto = (data: object = {}) =>
  create({ dueDate: addDays(saoPauloDateOf(new Date()), 5), ...data }, 'BOLETO');
const shown = async ({ id }: ShownCharge) =>
  dataOf<ShownCharge>(await api.get(`/v2/transparents/check?id=${id}`));
const rowOf = ({ id }: ShownCharge) =>
  app.database.em.fork().findOneOrFail(ChargeEntity, { id } as never, { disableIdentityMap: true });
const paymentAtBox = async (charge: ShownCharge) => (await rowOf(charge)).providerReference ?? '';

async function eventOf(name: string, id: string) {
  const isIt = ({ body }: { body: string }) => body.includes(id) && body.includes(`"${name}"`);
  await endpoint.waitFor((received) => received.some(isIt));
  return JSON.parse(endpoint.received.find(isIt)?.body ?? '{}').data;
}

describe('a store with an account at Asaas', () => {
  it('issues a boleto with bar and PIX code in one call, and learns that it is paid', async () => {
    const charge = await boleto();
    expect(charge.brCode).toMatch(/^000201/);
    expect(await rowOf(charge)).toMatchObject({
      barCode: expect.stringMatching(/^461/),
      voucherPdfUrl: expect.stringContaining('/b/pdf/'),
    });
    box.books.pay(await paymentAtBox(charge), { atBank: true });
    await eventually(async () => expect((await shown(charge)).status).toBe('PAID'));
    await eventOf('transparent.completed', charge.id);
  });

  it('accepts a payment once although notifications are repeated and reordered', async () => {
    const [first, second] = [await create({}, 'PIX'), await create({}, 'PIX')];
    box.faults.order({ on: 'webhook', fault: { kind: 'REORDER_WEBHOOKS' }, times: 1 });
    box.faults.order({ on: 'webhook', fault: { kind: 'REPEAT_WEBHOOKS', copies: 5 }, times: 2 });
    for (const charge of [first, second]) box.books.pay(await paymentAtBox(charge));
    for (const charge of [first, second]) {
      await eventually(async () => expect((await shown(charge)).status).toBe('PAID'));
      await eventOf('transparent.completed', charge.id);
    }
    await box.queue.idle();
    const named = endpoint.received.filter(({ body }) => body.includes(first.id));
    expect(new Set(named.map(({ body }) => JSON.parse(body).id)).size).toBe(1);
  });

  it('refunds a part of a PIX, and all that is left', async () => {
    const charge = await create({}, 'PIX');
    const id = await paymentAtBox(charge);
    box.books.pay(id);
    await eventually(async () => expect((await shown(charge)).status).toBe('PAID'));
    dataOf(await api.post('/v2/transparents/refund', { id: charge.id, amount: 590 }));
    await eventOf('transparent.refunded', charge.id);
    dataOf(await api.post('/v2/transparents/refund', { id: charge.id }));
    await eventually(async () => expect((await shown(charge)).status).toBe('REFUNDED'));
    expect(box.books.payments.get(id)?.refunds).toMatchObject([
      { value: 5.9, status: 'DONE' },
      { value: 20, status: 'DONE' },
    ]);
  });

  it('returns money that came for a cancelled charge', async () => {
    const charge = await create({}, 'PIX');
    const id = await paymentAtBox(charge);
    dataOf(await api.post('/v2/transparents/cancel', { id: charge.id }));
    await eventually(async () => expect((await shown(charge)).status).toBe('CANCELLED'));
    expect(box.books.payments.get(id)?.deleted).toBe(true);
    expect(box.books.pay(id, { isForced: true })).toBe(true);
    await eventually(() => {
      expect(box.books.payments.get(id)?.refunds).toMatchObject([{ value: 25.9 }]);
    });
    expect((await shown(charge)).status).toBe('CANCELLED');
  });

  it('sends a payout to the own account, and hears by notification that it ended', async () => {
    const charge = await create({ amount: 90_000 }, 'PIX');
    box.books.pay(await paymentAtBox(charge));
    await eventually(async () => expect((await shown(charge)).status).toBe('PAID'));
    const { id } = dataOf<{ id: string }>(
      await api.post('/v2/payouts/create', { amount: 50_000, externalId: 'saque-1' }),
    );
    await eventOf('payout.completed', id);
    expect([...box.books.transfers.values()]).toMatchObject([
      { externalReference: id, value: 500, bankAccount: { pixAddressKey: 'loja@banco.example' } },
    ]);
  });

  it('lists a payment whose notification is lost, and resumes the stopped queue', async () => {
    const charge = await create({}, 'PIX');
    box.faults.order({ on: 'webhook', fault: { kind: 'LOSE_WEBHOOKS' }, times: 1 });
    box.books.pay(await paymentAtBox(charge));
    for (const webhook of box.queue.webhooks.values()) webhook.interrupted = true;
    const counts = await takeListed(app.parts, new Date());
    expect(counts).toMatchObject({ accounts: 1, failed: 0, taken: 1, unknown: 0 });
    await eventually(async () => expect((await shown(charge)).status).toBe('PAID'));
    expect([...box.queue.webhooks.values()]).toMatchObject([{ interrupted: false }]);
  });

  it('holds money of a bar code at once that came for a cancelled boleto', async () => {
    const charge = await boleto();
    const id = await paymentAtBox(charge);
    dataOf(await api.post('/v2/transparents/cancel', { id: charge.id }));
    await eventually(async () => expect((await shown(charge)).status).toBe('CANCELLED'));
    box.books.pay(id, { isForced: true, atBank: true });
    const em = app.database.em.fork();
    await eventually(async () => {
      const ofCharge = { chargeId: charge.id } as never;
      const found = await em.find(PaymentEntity, ofCharge, { disableIdentityMap: true });
      expect(found).toMatchObject([{ outcome: 'HELD', amountCents: 2_590 }]);
    });
    expect(box.books.payments.get(id)?.refunds).toEqual([]);
  });

  it('asks the payer of a hosted PIX for a name and CPF, and is paid', async () => {
    const { id: productId } = await buildProduct(api, { price: 5_000 });
    const { id, url } = dataOf<{ id: string; url: string }>(
      await api.post('/v2/checkouts/create', {
        items: [{ id: productId, quantity: 1 }],
        methods: ['PIX', 'BOLETO'],
      }),
    );
    const page = await (await fetch(`${api.url}${new URL(url).pathname}`)).text();
    expect(page).toMatch(/id="payerTaxId"[^>]*data-needed-for="PIX BOLETO"/);
    const attempt = randomBytes(16).toString('hex');
    const before = box.seen.length;
    await expect(payForm(api.url, id, { attempt, method: 'PIX' })).rejects.toThrow('refused');
    expect(box.seen.slice(before).filter(({ method }) => method === 'POST')).toEqual([]);
    const payer = { payerName: CUSTOMER.name, payerTaxId: CUSTOMER.taxId };
    await payForm(api.url, id, { attempt, method: 'PIX', ...payer });
    const charge = await app.database.em.fork().findOneOrFail(ChargeEntity, { checkoutId: id } as never);
    box.books.pay(charge.providerReference ?? '');
    await eventually(async () => {
      const { status } = dataOf<{ status: string }>(await api.get(`/v2/checkouts/get?id=${id}`));
      expect(status).toBe('PAID');
    });
  });

  it('finds no difference between Asaas and the ledger on the day', async () => {
    const em = app.database.em.fork();
    const keeping = { keys: app.parts.secretsKeys, kinds: PROVIDER_KINDS };
    const provider = withPort(openAccount(account, keeping), 'listing');
    const day = saoPauloDateOf(new Date());
    const { differences, sent, bank } = await compareDay(em, account, provider, day, new Date());
    expect(bank.payments).toBeGreaterThan(4);
    expect({ differences, sent: sent?.differences }).toEqual({ differences: [], sent: [] });
  });

  it('books the amount that Asaas computed for a late boleto', async () => {
    const dueDate = saoPauloDateOf(new Date());
    const charge = await boleto({
      amount: 10_000,
      dueDate,
      fine: { value: 200, type: 'PERCENTAGE' },
      interest: { value: 100 },
    });
    const id = await paymentAtBox(charge);
    box.books.advance(10 * 86_400_000);
    expect(box.books.payment(id)?.status).toBe('OVERDUE');
    box.books.pay(id, { atBank: true });
    await eventually(async () => expect((await shown(charge)).status).toBe('PAID'));
    // The fine of 2 %, and ten days of 1 % a month.
    const data = await eventOf('transparent.completed', charge.id);
    expect(JSON.stringify(data)).toContain('10233');
  });

  it('names the missing tax id before anything is ordered', async () => {
    const before = box.seen.length;
    const answer = await api.post('/v2/transparents/create', { method: 'PIX', data: { amount: 2_590 } });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('customer.taxId');
    expect(box.seen.slice(before).filter(({ method }) => method === 'POST')).toEqual([]);
  });
});
