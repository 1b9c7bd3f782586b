import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  TRANSACTION_KINDS,
  TRANSACTION_METHODS,
  TRANSACTION_STATUSES,
} from '../../src/api/bank-statement/filters.ts';
import type { ShownBankTransaction } from '../../src/api/bank-statement/schema.ts';
import { loadConfig } from '../../src/config.ts';
import { fillYear } from '../../src/demo/fill-year.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { balanceOf, createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { buildCheckout } from '../support/rows/checkouts.ts';
import { buildPaidCheckout, buildPaidPix, payCheckout } from '../support/rows/payments.ts';
import { eventually } from '../support/waiting/eventually.ts';

let app: MoneyApp;
beforeAll(async () => {
  app = await createMoneyApp();
});
afterAll(() => app.close());

interface Listed {
  readonly data: ShownBankTransaction[];
  readonly pagination: { readonly next: string | null };
}

const PATH = '/v2/bank-statement/list';
const list = async (api: ApiClient, query = '') =>
  dataOf<ShownBankTransaction[]>(await api.get(`${PATH}?${query}`));

/** The whole statement, or what a filter leaves of it, page by page. */
async function whole(api: ApiClient, limit = 100, filter = {}): Promise<ShownBankTransaction[]> {
  const all: ShownBankTransaction[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const query = new URLSearchParams({ limit: String(limit), ...filter, ...(after !== '' && { after }) });
    const { data, pagination } = (await api.get(`${PATH}?${query}`)).json as unknown as Listed;
    all.push(...data);
    after = pagination.next;
  }
  return all;
}

function availableIn(transactions: readonly ShownBankTransaction[]): number {
  const effects = { credit: 1, debit: -1, none: 0 };
  return transactions
    .flatMap(({ movements }) => movements)
    .reduce((sum, { amount, balanceEffect }) => sum + effects[balanceEffect] * amount, 0);
}

it('shows each transaction with its amount, its fee and the effect on the balance', async () => {
  const { api } = await app.anotherStore();
  const paid = await buildPaidPix(api, { amount: 10_000, externalId: 'order-1' });
  const { paymentId: card } = await buildPaidCheckout(api);
  dataOf(await api.post('/v2/dev/disputes/open', { id: paid }));
  dataOf(await api.post('/v2/dev/disputes/win', { id: paid }));
  dataOf(await api.post('/v2/checkouts/refund', { id: card }));
  const pix = { type: 'EMAIL', key: 'conta-encerrada@example.com' };
  dataOf(await api.post('/v2/pix/send', { amount: 1_000, externalId: 'transfer-1', pix }));
  await eventually(async () => expect((await list(api))[0]?.movements[0]?.category).toBe('reversal'));

  const shown = await list(api);
  expect(
    shown.map(({ movements }) =>
      movements.map(({ amount, kind, method, category, balanceEffect }) =>
        [amount, kind, method, category, balanceEffect].join(' '),
      ),
    ),
  ).toEqual([
    ['1000 DEPOSIT PIX reversal credit'],
    ['1000 WITHDRAW PIX withdrawal debit'],
    ['5000 WITHDRAW CARD refund none', '235 DEPOSIT INTERNAL reversal none'],
    ['10000 DEPOSIT PIX reversal credit', '80 WITHDRAW INTERNAL fee debit'],
    ['10000 WITHDRAW PIX reversal debit', '80 DEPOSIT INTERNAL reversal credit'],
    ['5000 CARD_APPROVED CARD transaction none', '235 WITHDRAW INTERNAL fee none'],
    ['10000 DEPOSIT PIX transaction credit', '80 WITHDRAW INTERNAL fee debit'],
  ]);
  expect(shown.at(-1)).toMatchObject({ paymentIntentId: paid, referenceId: 'order-1', checkoutId: null });
  expect(shown[0]).toMatchObject({ paymentIntentId: null, referenceId: 'transfer-1', customer: null });
  expect(availableIn(shown)).toBe((await balanceOf(api)).available);
  expect(await whole(api, 2)).toEqual(shown);
});

/** How many transactions each value of a filter leaves. */
async function counted(api: ApiClient, name: string, values: readonly string[]) {
  const found = values.map(async (value) => [value, await whole(api, 100, { [name]: value })] as const);
  return Object.fromEntries((await Promise.all(found)).map(([value, { length }]) => [value, length]));
}

it('filters by kind, method and status, each of which divides the statement', async () => {
  const { api } = await app.anotherStore();
  const paid = await buildPaidPix(api, { amount: 10_000 });
  const { paymentId: card } = await buildPaidCheckout(api);
  await payCheckout(api, (await buildCheckout(api, { methods: ['BOLETO'] })).id, 'BOLETO');
  dataOf(await api.post('/v2/dev/disputes/open', { id: paid }));
  dataOf(await api.post('/v2/dev/disputes/win', { id: paid }));
  dataOf(await api.post('/v2/checkouts/refund', { id: card }));
  const pix = { type: 'EMAIL', key: 'conta-encerrada@example.com' };
  dataOf(await api.post('/v2/pix/send', { amount: 1_000, externalId: 'transfer-1', pix }));
  await eventually(async () => expect((await list(api))[0]?.movements[0]?.category).toBe('reversal'));

  expect(await list(api)).toHaveLength(8);
  expect(await counted(api, 'kind', TRANSACTION_KINDS)).toEqual({
    DEPOSIT: 2,
    WITHDRAW: 1,
    REFUND: 1,
    CARD_APPROVED: 1,
    SWAP_INTERNAL_CREDIT_CARD_RECEIVED: 0,
    DISPUTE: 2,
    REVERSAL: 1,
    SUB_ACCOUNT: 0,
  });
  expect(await counted(api, 'method', TRANSACTION_METHODS)).toEqual({
    PIX: 5,
    PIX_QRCODE: 3,
    CARD: 2,
    BOLETO: 1,
    TED: 0,
    INTERNAL: 0,
  });
  expect(await counted(api, 'status', TRANSACTION_STATUSES)).toEqual({ COMPLETE: 5, APPROVED: 3 });
  const disputes = await list(api, 'kind=DISPUTE&method=PIX&status=COMPLETE');
  expect(disputes.map(({ paymentIntentId }) => paymentIntentId)).toEqual([paid, paid]);
  expect(await list(api, 'kind=DISPUTE&method=CARD')).toEqual([]);
});

it('refuses a status that no booked transaction has, and names the others', async () => {
  const { status, json } = await app.api.get(`${PATH}?status=REFUNDED&kind=PLUGIN_FEE`);
  const issues = [{ path: 'kind' }, { path: 'status', message: 'must be one of COMPLETE, APPROVED' }];
  expect({ status, ...json }).toMatchObject({ status: 400, issues });
});

it('filters by day, refuses unknown filters, and needs its own permission', async () => {
  const { api, storeId } = await app.anotherStore();
  await buildPaidPix(api);
  expect(await list(api, 'startDate=2026-01-01&endDate=2099-01-01')).toHaveLength(1);
  expect(await list(api, 'startDate=2099-01-01&endDate=2099-01-02')).toEqual([]);
  expect((await api.get(`${PATH}?search=tran_1`)).status).toBe(400);
  const other = await app.clientWith({ storeId, permissions: ['STORE:READ', 'CHECKOUT:READ'] });
  expect((await other.get(PATH)).status).toBe(403);
  const reader = await app.clientWith({ storeId, permissions: ['BANK_STATEMENT:READ'] });
  expect((await reader.get(PATH)).status).toBe(200);
});

it('adds up to the available balance over a year, to the cent', async () => {
  const { api, storeId } = await app.anotherStore();
  const { platformFee: platformFees } = loadConfig({ DATABASE_URL: 'postgres://unused' });
  await fillYear(app.database.em.fork(), { storeId, platformFees, now: new Date() });
  const transactions = await whole(api);
  expect(transactions.length).toBeGreaterThan(5_000);
  expect(new Set(transactions.map(({ id }) => id)).size).toBe(transactions.length);
  expect(availableIn(transactions)).toBe((await balanceOf(api)).available);
});
