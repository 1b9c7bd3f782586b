import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PAYOUT_KEY, PIX_KEY, type Psp } from '../../scripts/psp/start-psp.ts';
import type { ShownPayout, ShownTransfer } from '../../src/api/payouts/schema.ts';
import { openAttention } from '../../src/database/attention.ts';
import { PayoutEntity } from '../../src/database/entities/payout.ts';
import type { PayoutId, StoreId } from '../../src/domain/ids.ts';
import type { PixDestination } from '../../src/domain/payout.ts';
import { payoutIdOf } from '../../src/ids.ts';
import { balanceOf } from '../../src/ledger/balance.ts';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import { takeListed } from '../../src/notifications/take-listed.ts';
import { takeSent } from '../../src/notifications/take-sent.ts';
import type { ProviderWith } from '../../src/providers/provider.ts';
import { portOf, withPort } from '../../src/providers/provider.ts';
import { findLostWork, recoverAccount } from '../../src/recovery/lost-rows/recover-account.ts';
import { writePayouts } from '../../src/recovery/lost-rows/write-payouts.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { TEST_CONFIG } from '../support/api/app.ts';
import { pauseReconciliation } from '../support/api/bank-account.ts';
import type { MoneyApp } from '../support/api/money-app.ts';
import { createStoreAtBank } from '../support/api/store-at-bank.ts';
import { payeeCode } from '../support/outside/payee-codes.ts';
import { eventually } from '../support/waiting/eventually.ts';

const ANA = { type: 'EMAIL', key: 'ana@example.com' } as const;

let app: MoneyApp;
let psp: Psp;
let storeId: StoreId;
let api: ApiClient;
let provider: ProviderWith<'listing' | 'payouts'>;

beforeAll(async () => {
  const store = await createStoreAtBank();
  ({ app, psp, storeId, api } = store);
  const issuer = await app.parts.providers.issuerOf({ provider: store.account.id, devMode: false });
  provider = { ...withPort(issuer, 'listing'), payouts: portOf(issuer, 'payouts') };
  psp.bank.state.webhooks[PIX_KEY] = { key: PIX_KEY, url: '', createdAt: '', withoutCertificate: true };
  // Each test starts its own rounds.
  await pauseReconciliation(app);
  const body = { method: 'PIX', data: { amount: 3_000 } };
  const { id } = dataOf<{ id: string }>(await api.post('/v2/transparents/create', body));
  psp.bank.pay(id.slice(-26));
  await takeListed(app.parts, new Date(Date.now() + 1_000));
  await eventually(async () => expect(await availableCents()).toBe(2_920));
});
afterAll(async () => {
  await app.close();
  await psp.close();
});

const em = () => app.database.em.fork();
const since = new Date(Date.now() - 60_000);
const availableCents = async () => (await balanceOf(em(), { storeId, devMode: false })).availableCents;
const transfersAtBank = () => Object.keys(psp.bank.state.transfers).length;
const rowOf = (id: PayoutId) => em().findOneOrFail(PayoutEntity, { id });

/** A transfer that the bank carried out after the backup, so that the database has no row of it. */
async function sentAndLost(
  externalId: string,
  amountCents: number,
  destination: PixDestination | null,
): Promise<PayoutId> {
  const kind = destination === null ? 'PAYOUT' : 'TRANSFER';
  const reference = payoutIdOf({ storeId, devMode: false, kind, externalId });
  const order = { reference, amountCents, destination, now: new Date() };
  await eventually(async () =>
    expect(await provider.payouts.send(order)).toMatchObject({ outcome: 'COMPLETE' }),
  );
  return reference;
}

async function recover() {
  const account = { storeId, provider, payoutKey: PAYOUT_KEY };
  const now = new Date();
  const lost = await findLostWork(em(), account, since, now);
  return recoverAccount(em(), account, lost, { since, now, platformFees: TEST_CONFIG.platformFee });
}

const isComplete = (id: PayoutId) =>
  eventually(async () => expect((await rowOf(id)).status).toBe('COMPLETE'));

describe('accounts recover', () => {
  it('rebuilds a transfer, debits it once and returns it to repeated requests', async () => {
    const id = await sentAndLost('supplier-1', 2_500, ANA);
    await takeSent({ ...app.parts, publicUrl: 'https://recebe.test' }, new Date(Date.now() + 1_000));
    expect(await openAttention(em(), 10)).toMatchObject([{ kind: 'UNKNOWN_TRANSFER' }]);

    expect(await recover()).toEqual({ charges: 0, payouts: 1 });

    expect(await openAttention(em(), 10)).toEqual([]);
    expect(await availableCents()).toBe(420);
    await isComplete(id);
    // The balance could not cover a second debit.
    const order = { amount: 2_500, externalId: 'supplier-1', description: 'Fornecedor', pix: ANA };
    const answers = await Promise.all([1, 2, 3].map(() => api.post('/v2/pix/send', order)));
    for (const answer of answers)
      expect(dataOf<ShownTransfer>(answer)).toMatchObject({
        id,
        status: 'COMPLETE',
        externalId: 'supplier-1',
        description: 'Fornecedor',
      });
    expect(dataOf(await api.get('/v2/pix/get?externalId=supplier-1'))).toMatchObject({ id });
    expect(await availableCents()).toBe(420);
    expect(transfersAtBank()).toBe(1);
  });

  it('rebuilds a payout to the own account, even if the balance becomes negative', async () => {
    const id = await sentAndLost('week-1', 700, null);
    expect(await recover()).toEqual({ charges: 0, payouts: 1 });
    await isComplete(id);
    expect(await availableCents()).toBe(420 - 700);
    const order = { amount: 700, externalId: 'week-1' };
    expect(dataOf<ShownPayout>(await api.post('/v2/payouts/create', order))).toMatchObject({
      id,
      kind: 'WITHDRAW',
      status: 'COMPLETE',
    });
    expect(transfersAtBank()).toBe(2);
  });

  it('returns one payout to simultaneous repeated requests', async () => {
    const id = await sentAndLost('supplier-0', 90, ANA);
    await recover();
    const order = { amount: 90, externalId: 'supplier-0', pix: ANA };
    const answers = await Promise.all(Array.from({ length: 8 }, () => api.post('/v2/pix/send', order)));
    expect(answers.map((answer) => dataOf<ShownTransfer>(answer).id)).toEqual(Array(8).fill(id));
    await isComplete(id);
    expect(transfersAtBank()).toBe(3);
  });

  it('refuses a repeated request with another amount or key', async () => {
    const id = await sentAndLost('supplier-2', 100, ANA);
    await recover();
    await isComplete(id);
    const order = { amount: 200, externalId: 'supplier-2', pix: ANA };
    expect(await api.post('/v2/pix/send', order)).toMatchObject({
      status: 409,
      json: { code: 'EXTERNAL_ID_CONFLICT' },
    });
    const other = { amount: 100, externalId: 'supplier-2', pix: { type: 'EMAIL', key: 'bia@example.com' } };
    expect(await api.post('/v2/pix/send', other)).toMatchObject({ status: 409 });
    expect(transfersAtBank()).toBe(4);
  });

  it('orders nothing for a rebuilt payout, even while the bank does not find it', async () => {
    const id = await sentAndLost('supplier-3', 110, ANA);
    psp.faults.order({ fault: { kind: 'LOOKUPS_LAG', seconds: 3_600 }, on: 'GET transfer', times: 'ALWAYS' });
    await recover();
    await eventually(async () => expect((await rowOf(id)).workflowStartedAt).not.toBeNull());
    expect((await rowOf(id)).status).toBe('PENDING');
    psp.faults.clear();
    await isComplete(id);
    expect(transfersAtBank()).toBe(5);
  });

  it('shows the masked key of a rebuilt transfer and credits its return', async () => {
    const id = await sentAndLost('supplier-4', 120, { type: 'CPF', key: '52998224725' });
    const idEnvio = id.replace('_', '');
    Object.assign(psp.bank.findTransfer(idEnvio), { toKey: '***.982.247-**' });
    psp.bank.returnTransfer(idEnvio, 120);
    await recover();
    await eventually(async () => expect((await rowOf(id)).status).toBe('REFUNDED'));
    expect(dataOf(await api.get(`/v2/pix/get?id=${id}`))).toMatchObject({
      externalId: id,
      returnedAmount: 120,
      pix: { type: 'CPF', key: '***.***.***-**' },
    });
  });

  it('takes the txid of a rebuilt transfer from the repeated request', async () => {
    const pix = { type: 'BR_CODE', key: payeeCode({ amountCents: 95 }) } as const;
    const id = await sentAndLost('supplier-6', 95, { ...pix, txid: 'PEDIDO1042' });
    expect(psp.bank.findTransfer(id.replace('_', ''))).toMatchObject({ txid: 'PEDIDO1042' });
    await recover();
    const order = { amount: 95, externalId: 'supplier-6', pix };
    expect(dataOf<ShownTransfer>(await api.post('/v2/pix/send', order))).toMatchObject({
      id,
      pix: { type: 'BR_CODE', txid: 'PEDIDO1042' },
    });
  });

  it('keeps a txid that the bank lists and refuses another one in a request', async () => {
    const id = payoutIdOf({ storeId, devMode: false, kind: 'TRANSFER', externalId: 'supplier-7' });
    const shown = { reference: id, endToEndIdentifier: 'E7', amountCents: 85, status: 'COMPLETE' } as const;
    const listed = { ...shown, payeeKey: ANA.key, payeeTxid: 'PEDIDO7', orderedAt: new Date(), returns: [] };
    await writePayouts(em(), { storeId, provider, payoutKey: PAYOUT_KEY }, [listed], new Date());
    expect(dataOf(await api.get(`/v2/pix/get?id=${id}`))).toMatchObject({ pix: { txid: 'PEDIDO7' } });
    const repeated = (txid: string) => {
      const pix = { type: 'BR_CODE', key: payeeCode({ amountCents: 85, txid }) };
      return api.post('/v2/pix/send', { amount: 85, externalId: 'supplier-7', pix });
    };
    expect(await repeated('PEDIDO8')).toMatchObject({ status: 409, json: { code: 'EXTERNAL_ID_CONFLICT' } });
    expect(await repeated('PEDIDO7')).toMatchObject({ status: 200 });
  });

  it('leaves out transfers that failed, were not ordered here, or have a row', async () => {
    const order = { valor: '1.00', pagador: { chave: PIX_KEY }, favorecido: { chave: ANA.key } };
    psp.bank.send('app0001', order);
    const failed = payoutIdOf({ storeId, devMode: false, kind: 'TRANSFER', externalId: 'supplier-5' });
    psp.bank.settleTransfer(psp.bank.send(failed.replace('_', ''), order), 'NAO_REALIZADO');
    expect(await recover()).toEqual({ charges: 0, payouts: 0 });
  });

  it('leaves the ledger in order', async () => {
    expect((await verifyLedger(em(), storeId)).discrepancies).toEqual([]);
  });
});
