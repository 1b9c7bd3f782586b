import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { invoiceTotals } from '../../../src/api/invoices/totals.ts';
import { payoutTotals } from '../../../src/api/payouts/totals.ts';
import { InvoiceEntity, NEW_INVOICE } from '../../../src/database/entities/invoice.ts';
import { NEW_PAYOUT, PayoutEntity } from '../../../src/database/entities/payout.ts';
import type { InvoiceId, PayoutId } from '../../../src/domain/ids.ts';
import { invoiceNumber } from '../../../src/domain/invoice.ts';
import { mintId } from '../../../src/ids.ts';
import { createTestApp, type TestApp } from '../../support/api/app.ts';
import { type DashboardUser, signedIn } from '../../support/dashboard/dashboard-user.ts';
import { insertCheckout } from '../../support/rows/checkout-rows.ts';

let app: TestApp;
let owner: DashboardUser;
const caller = () => ({ storeId: app.storeId, devMode: true });
const october = new Date('2026-10-15T12:00:00Z');

beforeAll(async () => {
  app = await createTestApp({ starter: { startSoon: () => undefined } });
  owner = await signedIn({ url: app.api.url, database: app.database }, app.storeId, 'owner');
  await insertPayouts();
  await insertInvoices();
});
afterAll(() => app.close());

async function insertPayouts(): Promise<void> {
  const em = app.database.em.fork();
  const rows = [
    { status: 'COMPLETE', amountCents: 10_000 },
    { status: 'COMPLETE', amountCents: 5_000, returnedCents: 1_000 },
    { status: 'REFUNDED', amountCents: 2_000, returnedCents: 2_000 },
    { status: 'PENDING', amountCents: 700, createdAt: october },
    { status: 'FAILED', amountCents: 90_000 },
    {
      ...{ status: 'COMPLETE', amountCents: 4_000, kind: 'TRANSFER' },
      ...{ pixKeyType: 'EMAIL', pixKey: 'ana@example.com' },
    },
  ] as const;
  for (const [index, row] of rows.entries()) {
    const createdAt = 'createdAt' in row ? row.createdAt : new Date('2026-11-15T12:00:00Z');
    await em.insert(PayoutEntity, {
      ...NEW_PAYOUT,
      ...caller(),
      provider: 'sandbox',
      id: mintId<PayoutId>('payout', createdAt),
      kind: 'PAYOUT',
      externalId: `payout-${index}`,
      contentHash: String(index),
      createdAt,
      updatedAt: createdAt,
      ...row,
    } as never);
  }
}

async function insertInvoices(): Promise<void> {
  const em = app.database.em.fork();
  const { id: checkoutId } = await insertCheckout({ database: app.database, storeId: app.storeId });
  const statuses = ['OPEN', 'OPEN', 'VOID'] as const;
  for (const [index, status] of statuses.entries()) {
    await em.insert(InvoiceEntity, {
      ...NEW_INVOICE,
      ...caller(),
      id: mintId<InvoiceId>('invoice', october),
      status,
      checkoutId,
      subscriptionId: null,
      cycleId: null,
      chargeId: null,
      customerId: null,
      lines: [],
      amountCents: 1_500,
      period: null,
      createdAt: october,
      updatedAt: october,
      numberYear: 2026,
      numberInYear: index + 1,
      sellerName: 'Loja',
      publishedStatus: status,
    } as never);
  }
}

const at = (path: string) => `/dashboard/${app.storeId}/dev${path}`;
const totalsAt = async (path: string) =>
  /class="totals">(.*?)<\/p>/s
    .exec((await owner.get(at(path))).html)?.[1]
    ?.replace(/<[^>]*>/g, '')
    .replaceAll('\u00a0', ' ');

it.each([
  ['/payouts', '5 na lista · R$ 170,00 enviados · R$ 7,00 em andamento · R$ 30,00 devolvidos'],
  ['/payouts?status=COMPLETE', '2 na lista · R$ 150,00 enviados · R$ 10,00 devolvidos'],
  ['/payouts?createdTo=2026-10-31', '1 na lista · R$ 7,00 em andamento'],
  ['/payouts?kind=transfers', '1 na lista · R$ 40,00 enviados'],
  ['/invoices', '3 na lista · R$ 30,00 em aberto'],
  ['/invoices?status=VOID', '1 na lista'],
  ['/invoices?createdFrom=2026-10-01&status=OPEN', '2 na lista · R$ 30,00 em aberto'],
])('sums up the whole filter of %s', async (path, expected) => {
  expect(await totalsAt(path)).toBe(expected);
});

it('finds the invoices of a number, a checkout and a subscription', async () => {
  const em = app.database.em.fork();
  const { checkoutId, ...invoice } = await em.findOneOrFail(InvoiceEntity, { storeId: app.storeId });
  const number = invoiceNumber(Number(invoice.numberYear), Number(invoice.numberInYear));
  expect(await invoiceTotals(em, caller(), { checkoutId })).toMatchObject({ count: 3, openCents: 3_000 });
  expect(await invoiceTotals(em, caller(), { number })).toMatchObject({ count: 1 });
  expect(await invoiceTotals(em, caller(), { subscriptionId: 'subs_none' })).toMatchObject({ count: 0 });
});

it('stops after the most rows it may read and says so', async () => {
  const em = app.database.em.fork();
  expect(await payoutTotals(em, caller(), { kind: 'PAYOUT' }, 4)).toMatchObject({ count: 4, isCut: true });
  expect(await payoutTotals(em, caller(), { kind: 'PAYOUT' }, 5)).toMatchObject({ count: 5, isCut: false });
  expect(await invoiceTotals(em, caller(), { status: 'VOID' }, 2)).toMatchObject({ isCut: true });
});
