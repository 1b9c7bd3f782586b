import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Psp } from '../../scripts/psp/start-psp.ts';
import { notificationPath } from '../../src/accounts/open-account.ts';
import type { ShownCharge } from '../../src/api/transparents/schema.ts';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import type { ProviderAccount } from '../../src/database/entities/provider-account.ts';
import { addDays, saoPauloDateOf } from '../../src/domain/civil-date.ts';
import type { ChargeId, StoreId } from '../../src/domain/ids.ts';
import { balanceOf } from '../../src/ledger/balance.ts';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import { takeListed } from '../../src/notifications/take-listed.ts';
import { withPort } from '../../src/providers/provider.ts';
import { findLostWork, recoverAccount } from '../../src/recovery/lost-rows/recover-account.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { TEST_CONFIG } from '../support/api/app.ts';
import { pauseReconciliation } from '../support/api/bank-account.ts';
import type { MoneyApp } from '../support/api/money-app.ts';
import { createStoreAtBank } from '../support/api/store-at-bank.ts';
import { eventually } from '../support/waiting/eventually.ts';

type DuePix = Extract<ShownCharge, { method: 'PIX' }>;

const DAY_MS = 86_400_000;
const LATE = { interest: { value: 100 }, fine: { value: 200, type: 'PERCENTAGE' } };
const since = new Date(Date.now() - 60_000);

let app: MoneyApp;
let psp: Psp;
let storeId: StoreId;
let account: ProviderAccount;
let api: ApiClient;

beforeAll(async () => {
  ({ app, psp, storeId, api, account } = await createStoreAtBank());
  // Tests run the rounds themselves.
  await pauseReconciliation(app);
  const provider = await app.parts.providers.issuerOf({ provider: account.id, devMode: false });
  await provider.notifications?.register(`${app.api.url}${notificationPath(account, app.parts.secretsKeys)}`);
});
afterEach(async () => {
  psp.faults.clear();
  psp.bank.state.clockAheadMs = 0;
  expect((await verifyLedger(app.database.em.fork(), storeId)).discrepancies).toEqual([]);
});
afterAll(async () => {
  await app.close();
  await psp.close();
});

const em = () => app.database.em.fork();
const get = async (id: ChargeId) => dataOf<DuePix>(await api.get(`/v2/transparents/get?id=${id}`));
const becomes = (id: ChargeId, expected: object) =>
  eventually(async () => expect(await get(id)).toMatchObject(expected));
const request = (data: object = {}) => ({
  method: 'PIX',
  data: {
    amount: 10_000,
    dueDate: addDays(saoPauloDateOf(new Date()), 5),
    customer: { name: 'Maria Souza', taxId: '529.982.247-25' },
    ...LATE,
    ...data,
  },
});

async function create(data: object = {}) {
  const charge = dataOf<DuePix>(await api.post('/v2/transparents/create', request(data)));
  return { ...charge, id: charge.id as ChargeId, reference: `V${charge.id.slice(-26)}` };
}

describe('a PIX charge with a due date at a bank', () => {
  it('books a late payment with the parts that the bank names', async () => {
    const { id, reference } = await create();
    psp.bank.state.clockAheadMs = 30 * DAY_MS;
    const { amountCents, fineCents: fine, interestCents: interest } = psp.bank.pay(reference);
    expect(amountCents).toBe(10_200 + interest);
    const paidComponents = { original: 10_000, interest, fine, discount: 0 };
    await becomes(id, { status: 'PAID', amount: 10_000, paidAmount: amountCents, paidComponents });
    // The bank's clock is ahead, so the money is not available yet.
    const { pendingCents } = await balanceOf(em(), { storeId, devMode: false });
    expect(pendingCents).toBe(amountCents - 80);
  });

  it('finds the payment whose notification was lost', async () => {
    psp.faults.order({ fault: { kind: 'LOSE_WEBHOOKS' }, on: 'webhook', times: 100 });
    const { id, reference } = await create();
    psp.bank.pay(reference);
    await takeListed(app.parts, new Date(Date.now() + 1_000));
    await becomes(id, { status: 'PAID', paidAmount: 10_000 });
  });

  it('removes the code at the bank when it is cancelled', async () => {
    const { id, reference } = await create();
    dataOf(await api.post('/v2/transparents/cancel', { id }));
    expect(psp.bank.findCharge('cobv', reference).status).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR');
    expect(await get(id)).toMatchObject({ status: 'CANCELLED' });
  });

  it('accepts a payment that came before the cancellation', async () => {
    psp.faults.order({ fault: { kind: 'LOSE_WEBHOOKS' }, on: 'webhook', times: 100 });
    const { id, reference } = await create();
    psp.bank.pay(reference);
    expect((await api.post('/v2/transparents/cancel', { id })).status).toBe(422);
    await becomes(id, { status: 'PAID' });
  });

  it('issues one charge although answers are lost', async () => {
    psp.faults.order({ fault: { kind: 'DROP_AFTER_EFFECT' }, on: 'PUT cobv', times: 1 });
    psp.faults.order({ fault: { kind: 'DROP_AFTER_EFFECT' }, on: 'GET cobv', times: 1 });
    const before = Object.keys(psp.bank.state.charges).length;
    const body = request({ externalId: 'invoice-12' });
    await eventually(async () => dataOf(await api.post('/v2/transparents/create', body)));
    const again = dataOf<DuePix>(await api.post('/v2/transparents/create', body));
    expect(await get(again.id as ChargeId)).toMatchObject({ status: 'PENDING' });
    expect(Object.keys(psp.bank.state.charges)).toHaveLength(before + 1);
  });

  it('rebuilds the row that a restore has lost', async () => {
    const { id, reference, dueDate, brCode, expiresAt } = await create();
    await em().nativeDelete(ChargeEntity, { id });
    const issuer = await app.parts.providers.issuerOf({ provider: account.id, devMode: false });
    const lostAt = { storeId, provider: withPort(issuer, 'listing'), payoutKey: null };
    const lost = await findLostWork(em(), lostAt, since, new Date());
    expect(lost.charges.map((charge) => charge.reference)).toEqual([reference]);
    const options = { since, now: new Date(), platformFees: TEST_CONFIG.platformFee };
    expect(await recoverAccount(em(), lostAt, lost, options)).toMatchObject({ charges: 1 });
    expect(await get(id)).toMatchObject({ status: 'PENDING', dueDate, ...LATE, brCode, expiresAt });
    psp.bank.pay(reference);
    await becomes(id, { status: 'PAID', paidAmount: 10_000 });
  });
});
