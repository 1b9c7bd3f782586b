import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PIX_KEY, type Psp } from '../../scripts/psp/start-psp.ts';
import { openAttention, resolveAttention } from '../../src/database/attention.ts';
import { PayoutEntity } from '../../src/database/entities/payout.ts';
import type { PayoutId, StoreId } from '../../src/domain/ids.ts';
import { balanceOf } from '../../src/ledger/balance.ts';
import { takeListed } from '../../src/notifications/take-listed.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { pauseReconciliation } from '../support/api/bank-account.ts';
import type { MoneyApp } from '../support/api/money-app.ts';
import { createStoreAtBank } from '../support/api/store-at-bank.ts';
import { eventually } from '../support/waiting/eventually.ts';

let app: MoneyApp;
let psp: Psp;
let storeId: StoreId;
let api: ApiClient;
let availableBefore: number;

beforeAll(async () => {
  ({ app, psp, storeId, api } = await createStoreAtBank());
  // Each test starts its own rounds.
  await pauseReconciliation(app);
  const body = { method: 'PIX', data: { amount: 50_000 } };
  const { id } = dataOf<{ id: string }>(await api.post('/v2/transparents/create', body));
  psp.bank.pay(id.slice(-26));
  await takeListed(app.parts, new Date(Date.now() + 1_000));
  await eventually(async () => expect(await availableCents()).toBeGreaterThan(0));
});
beforeEach(async () => {
  psp.faults.clear();
  availableBefore = await availableCents();
});
afterAll(async () => {
  await app.close();
  await psp.close();
});

const em = () => app.database.em.fork();
const availableCents = async () => (await balanceOf(em(), { storeId, devMode: false })).availableCents;
const statusOf = async (id: PayoutId) => (await em().findOneOrFail(PayoutEntity, { id })).status;
const notesOf = async (id: PayoutId) =>
  (await openAttention(em(), 100)).filter(({ subjectId }) => subjectId === id).map(({ kind }) => kind);
const transferOf = (id: PayoutId) => psp.bank.state.transfers[id.replace('_', '')];

/** Efí sends money only from a key that has a webhook. */
function allowPayouts(isAllowed: boolean): void {
  if (!isAllowed) delete psp.bank.state.webhooks[PIX_KEY];
  else psp.bank.state.webhooks[PIX_KEY] = { key: PIX_KEY, url: '', createdAt: '', withoutCertificate: true };
}

let orders = 0;
/** A transfer whose first request is lost on its way, and that the bank refuses from then on. */
async function refusedAfterLostRequest(): Promise<PayoutId> {
  allowPayouts(false);
  psp.faults.order({ fault: { kind: 'DROP_BEFORE_EFFECT' }, on: 'PUT transfer', times: 1 });
  orders += 1;
  const pix = { type: 'EMAIL', key: 'ana@example.com' };
  const order = { amount: 2_500, externalId: `in-doubt-${orders}`, pix };
  return dataOf<{ id: PayoutId }>(await api.post('/v2/pix/send', order)).id;
}

async function orderedTenMinutesAgo(id: PayoutId): Promise<void> {
  const earlier = `update money_orders set ordered_at = ordered_at - interval '11 minutes' where subject_id = ?`;
  await eventually(async () => {
    await em().execute(earlier, [id]);
    expect(await notesOf(id)).toEqual(['PAYOUT_IN_DOUBT']);
  });
}

describe('a payout that its bank refuses after an earlier request was lost', () => {
  it('stays PENDING and is noted for a person after ten minutes', async () => {
    const id = await refusedAfterLostRequest();
    await eventually(async () => expect(psp.faults.report().happened).not.toEqual({}));
    expect(await notesOf(id)).toEqual([]);
    await orderedTenMinutesAgo(id);
    expect(await statusOf(id)).toBe('PENDING');
    expect(await availableCents()).toBe(availableBefore - 2_500);
  });

  it('becomes FAILED and is credited once a person has closed the note', async () => {
    const id = await refusedAfterLostRequest();
    await orderedTenMinutesAgo(id);
    await resolveAttention(em(), { kind: 'PAYOUT_IN_DOUBT', subjectId: id, now: new Date() });
    await eventually(async () => expect(await statusOf(id)).toBe('FAILED'));
    expect(await availableCents()).toBe(availableBefore);
    expect(transferOf(id)).toBeUndefined();
  });

  it('becomes COMPLETE and closes its note once the bank carries it out', async () => {
    const id = await refusedAfterLostRequest();
    await orderedTenMinutesAgo(id);
    allowPayouts(true);
    await eventually(async () => expect(await statusOf(id)).toBe('COMPLETE'));
    expect(await notesOf(id)).toEqual([]);
    expect(transferOf(id)).toMatchObject({ amountCents: 2_500 });
    expect(await availableCents()).toBe(availableBefore - 2_500);
  });
});
