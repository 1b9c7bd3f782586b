import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PIX_KEY, type Psp } from '../../scripts/psp/start-psp.ts';
import { compareDay } from '../../src/accounts/compare-day.ts';
import { notificationPath } from '../../src/accounts/open-account.ts';
import type { ShownPayout } from '../../src/api/payouts/schema.ts';
import { openAttention, resolveAttention } from '../../src/database/attention.ts';
import { EventEntity } from '../../src/database/entities/event.ts';
import { PayoutEntity } from '../../src/database/entities/payout.ts';
import { type ProviderAccount, ProviderAccountEntity } from '../../src/database/entities/provider-account.ts';
import { saoPauloDateOf } from '../../src/domain/civil-date.ts';
import type { PayoutId, StoreId } from '../../src/domain/ids.ts';
import { balanceOf } from '../../src/ledger/balance.ts';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import { takeListed } from '../../src/notifications/take-listed.ts';
import { takeSent } from '../../src/notifications/take-sent.ts';
import { withPort } from '../../src/providers/provider.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { openBankAccount, pauseReconciliation } from '../support/api/bank-account.ts';
import type { MoneyApp } from '../support/api/money-app.ts';
import { createStoreAtBank } from '../support/api/store-at-bank.ts';
import { eventually } from '../support/waiting/eventually.ts';

const HOUR_MS = 3_600_000;
const ANA = { type: 'EMAIL', key: 'ana@example.com' } as const;

let app: MoneyApp;
let psp: Psp;
let storeId: StoreId;
let account: ProviderAccount;
let api: ApiClient;
/** The store's balance before each test. */
let availableBefore: number;

beforeAll(async () => {
  ({ app, psp, storeId, api, account } = await createStoreAtBank());
  psp.bank.state.webhooks[PIX_KEY] = { key: PIX_KEY, url: '', createdAt: '', withoutCertificate: true };
  // Each test starts its own rounds.
  await pauseReconciliation(app);
  await earn(50_000);
});
beforeEach(async () => {
  availableBefore = await availableCents();
});
afterAll(async () => {
  await app.close();
  await psp.close();
});

const em = () => app.database.em.fork();
const deps = () => ({ ...app.parts, publicUrl: 'https://recebe.test' });
/** Each round is in another hour, so that it reads the earlier payouts again. */
let rounds = 0;
const round = () => {
  rounds += 1;
  return takeSent(deps(), new Date(Date.now() + rounds * HOUR_MS));
};
const availableCents = async () => (await balanceOf(em(), { storeId, devMode: false })).availableCents;
const payoutRow = (id: PayoutId) => em().findOneOrFail(PayoutEntity, { id });
const attentionOf = async (kind: string) =>
  (await openAttention(em(), 100)).filter((noted) => noted.kind === kind);

/** A charge that is paid. */
async function earn(amount: number): Promise<void> {
  const body = { method: 'PIX', data: { amount } };
  const { id } = dataOf<{ id: string }>(await api.post('/v2/transparents/create', body));
  psp.bank.pay(id.slice(-26));
  await takeListed(app.parts, new Date(Date.now() + 1_000));
  await eventually(async () => expect(await availableCents()).toBeGreaterThan(0));
}

let sentCount = 0;
async function asked(amount: number): Promise<{ id: PayoutId; idEnvio: string }> {
  sentCount += 1;
  const order = { amount, externalId: `transfer-${sentCount}`, pix: ANA };
  const { id } = dataOf<{ id: PayoutId }>(await api.post('/v2/pix/send', order));
  return { id, idEnvio: id.replace('_', '') };
}

/** A transfer that has arrived, whose workflow has ended. */
async function sent(amount = 2_500) {
  const transfer = await asked(amount);
  await eventually(async () => expect((await payoutRow(transfer.id)).status).toBe('COMPLETE'));
  return transfer;
}

const shown = async (id: PayoutId) => dataOf<ShownPayout>(await api.get(`/v2/pix/get?id=${id}`));

async function eventsOf(name: 'transfer.returned' | 'transfer.completed', id: PayoutId) {
  const events = await em().find(EventEntity, { name, storeId }, { orderBy: { id: 'asc' } });
  return events
    .map(({ data }) => JSON.parse(data) as { transfer: { id: string }; return?: object })
    .filter(({ transfer }) => transfer.id === id);
}

async function expectBooksInOrder() {
  expect((await verifyLedger(em(), storeId)).discrepancies).toEqual([]);
}

describe('a sent Pix that was not ordered here', () => {
  it('notes a foreign transfer once without a debit, unless it failed', async () => {
    const order = (key: string) => ({
      valor: '9.00',
      pagador: { chave: PIX_KEY },
      favorecido: { chave: key },
    });
    const { endToEndId } = psp.bank.send('app0001', order('bia@example.com'));
    psp.bank.settleTransfer(psp.bank.send('app0002', order('bia@example.com')), 'NAO_REALIZADO');
    // Transfers sent before the account was added here are not noted.
    const before = psp.bank.send('app0003', order('bia@example.com'));
    Object.assign(before, { askedAt: new Date(account.createdAt.getTime() - 60_000).toISOString() });
    expect(await takeSent(deps(), new Date(Date.now() + 1_000))).toMatchObject({ unknownSent: 1 });
    expect(await takeSent(deps(), new Date(Date.now() + 2_000))).toMatchObject({ unknownSent: 0 });
    expect(await attentionOf('UNKNOWN_TRANSFER')).toMatchObject([
      { subjectId: `${account.id}/${endToEndId}`, storeId },
    ]);
    expect(await availableCents()).toBe(availableBefore);
  });

  it('ignores a transfer that another account of the store ordered', async () => {
    const { id } = await sent();
    await em().nativeUpdate(PayoutEntity, { id }, { provider: 'pacc_removed' });
    expect(await takeSent(deps(), new Date(Date.now() + 3_000))).toMatchObject({ unknownSent: 0 });
    await em().nativeUpdate(PayoutEntity, { id }, { provider: account.id });
  });
});

describe('a payout that its payee returns', () => {
  it('credits a full return in status, event, statement and balance', async () => {
    const { id, idEnvio } = await sent();
    expect(await availableCents()).toBe(availableBefore - 2_500);
    const { returnedAt } = psp.bank.returnTransfer(idEnvio);
    expect(await round()).toMatchObject({ returned: 1, revived: 0, unknownSent: 0, sentFailed: 0 });

    expect(await shown(id)).toMatchObject({ status: 'REFUNDED', amount: 2_500, returnedAmount: 2_500 });
    expect(await availableCents()).toBe(availableBefore);
    const [published] = await eventsOf('transfer.returned', id);
    expect(published).toMatchObject({
      transfer: { id, status: 'REFUNDED', receiptUrl: `https://recebe.test/receipt/${id}` },
      return: { amount: 2_500, returnedAmount: 2_500, returnedAt },
    });
    const [entry] = dataOf<object[]>(await api.get('/v2/balance/movements?limit=1'));
    expect(entry).toMatchObject({ kind: 'PAYOUT_RETURNED', amount: 2_500, transferId: id, payoutId: null });
    await expectBooksInOrder();
  });

  it('credits each partial return once and stays COMPLETE until all is returned', async () => {
    const { id, idEnvio } = await sent();
    psp.bank.returnTransfer(idEnvio, 1_000);
    await round();
    expect(await shown(id)).toMatchObject({ status: 'COMPLETE', returnedAmount: 1_000 });
    await round();
    psp.bank.returnTransfer(idEnvio, 1_500);
    await round();
    expect(await shown(id)).toMatchObject({ status: 'REFUNDED', returnedAmount: 2_500 });
    expect((await eventsOf('transfer.returned', id)).map((published) => published.return)).toMatchObject([
      { amount: 1_000, returnedAmount: 1_000 },
      { amount: 1_500, returnedAmount: 2_500 },
    ]);
    expect(await availableCents()).toBe(availableBefore);
    await expectBooksInOrder();
  });

  it('credits a return once when six rounds find it at the same time', async () => {
    const { id, idEnvio } = await sent();
    psp.bank.returnTransfer(idEnvio, 700);
    const results = await Promise.all(Array.from({ length: 6 }, round));
    expect(results.reduce((sum, { returned }) => sum + returned, 0)).toBe(1);
    expect(await availableCents()).toBe(availableBefore - 1_800);
    expect(await eventsOf('transfer.returned', id)).toHaveLength(1);
    await expectBooksInOrder();
  });

  it('never credits more than was sent, and notes the difference', async () => {
    const { id, idEnvio } = await sent();
    const first = psp.bank.returnTransfer(idEnvio, 2_000);
    Object.assign(psp.bank.findTransfer(idEnvio), {
      returns: [first, { ...first, rtrId: 'D2', amountCents: 600 }],
    });
    await round();
    expect(await shown(id)).toMatchObject({ status: 'COMPLETE', returnedAmount: 2_000 });
    expect(await availableCents()).toBe(availableBefore - 500);
    expect(await attentionOf('BANK_DIFFERENCE')).toMatchObject([
      { subjectId: expect.stringContaining(account.id) },
    ]);
    Object.assign(psp.bank.findTransfer(idEnvio), { returns: [first] });
    await expectBooksInOrder();
  });

  it('credits a return weeks later, in the next nightly round', async () => {
    const { id, idEnvio } = await sent();
    const days = (count: number) => takeSent(deps(), new Date(Date.now() + count * 24 * HOUR_MS));
    await days(40);
    psp.bank.returnTransfer(idEnvio);
    expect(await days(40)).toMatchObject({ returned: 0 });
    expect(await days(41)).toMatchObject({ returned: 1 });
    expect(await shown(id)).toMatchObject({ status: 'REFUNDED' });
  });

  it('credits a notified return immediately, if the bank confirms it', async () => {
    const { id, idEnvio } = await sent();
    const notice = { endToEndId: 'E1', tipo: 'SOLICITACAO', status: 'REALIZADO', gnExtras: { idEnvio } };
    const notified = () =>
      app.api.post(notificationPath(account, app.parts.secretsKeys), { pix: [notice, notice] });
    expect((await notified()).status).toBe(200);
    expect(await shown(id)).toMatchObject({ status: 'COMPLETE' });
    psp.bank.returnTransfer(idEnvio);
    await Promise.all([notified(), notified()]);
    expect(await shown(id)).toMatchObject({ status: 'REFUNDED', returnedAmount: 2_500 });
    expect(await eventsOf('transfer.returned', id)).toHaveLength(1);
    expect(await availableCents()).toBe(availableBefore);
    await expectBooksInOrder();
  });

  it('credits a return that happened before the workflow saw the completion', async () => {
    psp.faults.order({ fault: { kind: 'LOOKUPS_LAG', seconds: 3 }, on: 'GET transfer', times: 'ALWAYS' });
    const { id, idEnvio } = await asked(2_500);
    await eventually(() => psp.bank.returnTransfer(idEnvio));
    psp.faults.clear();
    await eventually(async () => expect(await shown(id)).toMatchObject({ status: 'REFUNDED' }));
    expect(await eventsOf('transfer.completed', id)).toHaveLength(1);
    expect(await eventsOf('transfer.returned', id)).toHaveLength(1);
    await expectBooksInOrder();
  });
});

describe('a payout that the bank had sent and lists as not carried out', () => {
  it('notes a payout that the bank undid once, and credits nothing', async () => {
    const { id, idEnvio } = await sent();
    psp.bank.findTransfer(idEnvio).status = 'NAO_REALIZADO';
    await round();
    expect(await attentionOf('PAYOUT_UNDONE')).toMatchObject([{ subjectId: id, storeId }]);
    expect(await shown(id)).toMatchObject({ status: 'COMPLETE' });
    expect(await availableCents()).toBe(availableBefore - 2_500);
    await resolveAttention(app.database, { kind: 'PAYOUT_UNDONE', subjectId: id, now: new Date() });
    await round();
    expect(await attentionOf('PAYOUT_UNDONE')).toEqual([]);
    psp.bank.findTransfer(idEnvio).status = 'REALIZADO';
  });
});

describe('two provider accounts at one bank account', () => {
  it('recognizes payouts of the other account at the same bank account', async () => {
    const { endToEndId } = psp.bank.findTransfer((await sent()).idEnvio);
    const { storeId: neighbour } = await app.anotherStore();
    const second = await openBankAccount(app, psp, neighbour, { now: account.createdAt });
    psp.bank.settleTransfer(psp.bank.findTransfer('app0001'), 'REALIZADO');
    await round();
    const noted = (await attentionOf('UNKNOWN_TRANSFER')).map(({ subjectId }) => subjectId);
    expect(noted).not.toContain(`${second.id}/${endToEndId}`);
    const provider = await app.parts.providers.issuerOf({ provider: second.id, devMode: false });
    const { sent: found } = await compareDay(
      em(),
      second,
      withPort(provider, 'listing'),
      saoPauloDateOf(new Date()),
      new Date(),
    );
    const missing = found?.differences.map(({ endToEndIdentifier }) => endToEndIdentifier);
    expect(missing).not.toContain(endToEndId);
    // A transfer that neither has ordered is still listed.
    expect(missing).toContain(psp.bank.findTransfer('app0001').endToEndId);
    await em().nativeUpdate(ProviderAccountEntity, { id: second.id }, { removedAt: new Date(0) });
  });
});

describe('a payout that FAILED here and was sent by the bank', () => {
  it('debits a FAILED payout again if the bank sent it, even below zero', async () => {
    psp.faults.order({ fault: { kind: 'TRANSFER_FAILS' }, on: 'PUT transfer' });
    const { id, idEnvio } = await asked(availableBefore);
    await eventually(async () => expect(await shown(id)).toMatchObject({ status: 'FAILED' }));
    const { id: next } = await sent(availableBefore - 100);
    psp.bank.findTransfer(idEnvio).status = 'REALIZADO';
    const results = await Promise.all([round(), round(), round()]);
    expect(results.reduce((sum, { revived }) => sum + revived, 0)).toBe(1);

    expect(await shown(id)).toMatchObject({ status: 'COMPLETE', reason: null });
    expect(await shown(next)).toMatchObject({ status: 'COMPLETE' });
    expect(await availableCents()).toBe(100 - availableBefore);
    expect(await eventsOf('transfer.completed', id)).toHaveLength(1);
    expect(await attentionOf('PAYOUT_REVIVED')).toMatchObject([{ subjectId: id, storeId }]);
    expect(await attentionOf('NEGATIVE_BALANCE')).toMatchObject([{ subjectId: storeId }]);
    await expectBooksInOrder();

    psp.bank.returnTransfer(idEnvio);
    await round();
    expect(await shown(id)).toMatchObject({ status: 'REFUNDED' });
    expect(await availableCents()).toBe(100);
    await expectBooksInOrder();
  });
});

describe('a list of sent Pix that the bank refuses', () => {
  it('notes a refused list of transfers and closes the note once it works', async () => {
    psp.faults.order({ fault: { kind: 'STATUS', status: 403 }, on: 'GET transfers', times: 'ALWAYS' });
    expect(await round()).toMatchObject({ sentFailed: 1 });
    expect(await attentionOf('SENT_NOT_LISTED')).toMatchObject([{ subjectId: account.id, storeId }]);
    psp.faults.clear();
    expect(await round()).toMatchObject({ sentFailed: 0 });
    expect(await attentionOf('SENT_NOT_LISTED')).toEqual([]);
  });
});

describe('the comparison of a day', () => {
  beforeAll(async () => {
    await earn(20_000);
    await eventually(async () => expect(await availableCents()).toBeGreaterThan(10_000));
  });

  /** The differences of today between the bank and the payouts stored here. */
  async function compared() {
    const provider = await app.parts.providers.issuerOf({ provider: account.id, devMode: false });
    const day = saoPauloDateOf(new Date());
    return compareDay(em(), account, withPort(provider, 'listing'), day, new Date());
  }

  it('finds only the transfer that was not ordered here', async () => {
    await sent();
    psp.bank.settleTransfer(psp.bank.findTransfer('app0001'), 'REALIZADO');
    await round();
    const { sent: found } = await compared();
    expect(found?.differences).toMatchObject([{ problem: 'SENT_MISSING_HERE', bankCents: 900 }]);
    expect(found?.here.returnedCents).toBe(found?.bank.returnedCents);
  });

  it('lists payouts missing at the bank, with other amounts or unbooked returns', async () => {
    const [returned, other, missing] = [await sent(), await sent(), await sent()];
    psp.bank.returnTransfer(returned.idEnvio, 300);
    Object.assign(psp.bank.findTransfer(other.idEnvio), { amountCents: 2_600 });
    delete psp.bank.state.transfers[missing.idEnvio];
    const { sent: found } = await compared();
    expect(found?.differences).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ problem: 'OTHER_RETURNS', payoutId: returned.id, bankCents: 300 }),
        expect.objectContaining({ problem: 'SENT_OTHER_AMOUNT', payoutId: other.id, bankCents: 2_600 }),
        expect.objectContaining({ problem: 'SENT_MISSING_AT_BANK', payoutId: missing.id, bankCents: null }),
      ]),
    );
    const noted = await attentionOf('BANK_DIFFERENCE');
    expect(noted.map(({ subjectId }) => subjectId)).toContain(`${account.id}/${saoPauloDateOf(new Date())}`);
  });
});
