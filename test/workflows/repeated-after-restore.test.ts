import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Psp } from '../../scripts/psp/start-psp.ts';
import { openAttention, resolveAttention } from '../../src/database/attention.ts';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import { PaymentEntity } from '../../src/database/entities/payment.ts';
import { PayoutEntity } from '../../src/database/entities/payout.ts';
import { RefundEntity } from '../../src/database/entities/refund.ts';
import type { ChargeId, PayoutId, RefundId, StoreId } from '../../src/domain/ids.ts';
import { balanceOf } from '../../src/ledger/balance.ts';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import { takeListed } from '../../src/notifications/take-listed.ts';
import { bankIdOf } from '../../src/providers/bacen/ids.ts';
import { chargeWorkflowId } from '../../workflows/charge.contract.ts';
import { payoutWorkflowId } from '../../workflows/payout.contract.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { pauseReconciliation } from '../support/api/bank-account.ts';
import type { MoneyApp } from '../support/api/money-app.ts';
import { createStoreAtBank } from '../support/api/store-at-bank.ts';
import { chargeOf } from '../support/rows/payments.ts';
import { setControls } from '../support/rows/payout-controls.ts';
import { eventually } from '../support/waiting/eventually.ts';

let app: MoneyApp;
let psp: Psp;
let storeId: StoreId;
let api: ApiClient;

beforeAll(async () => {
  ({ app, psp, storeId, api } = await createStoreAtBank());
  // Efí sends money only from a key that has a webhook. No server listens at this URL.
  const key = `${psp.account.settings.pixKey}`;
  psp.bank.state.webhooks[key] = { key, url: 'http://127.0.0.1:9', createdAt: '', withoutCertificate: true };
  // Each test starts its own rounds.
  await pauseReconciliation(app);
  for (let paid = 0; paid < 4; paid += 1) await paidCharge();
});
afterAll(async () => {
  await app.close();
  await psp.close();
});

const em = () => app.database.em.fork();
const sql = (text: string, values: readonly unknown[] = []) => em().execute(text, values);
const round = () => takeListed(app.parts, new Date(Date.now() + 1_000));
const availableCents = async () => (await balanceOf(em(), { storeId, devMode: false })).availableCents;
const transfers = () => Object.values(psp.bank.state.transfers);
const ledgerIsRight = async () =>
  expect((await verifyLedger(em(), storeId)).discrepancies.map(({ problem }) => problem)).toEqual([]);

async function paidCharge() {
  const body = { method: 'PIX', data: { amount: 2_500 } };
  const { id } = dataOf<{ id: ChargeId }>(await api.post('/v2/transparents/create', body));
  const { endToEndId } = psp.bank.pay(id.slice(-26));
  await round();
  expect(await chargeOf(api, id)).toMatchObject({ status: 'PAID' });
  return { id, endToEndId };
}

async function pay(body: object) {
  const { id } = dataOf<{ id: PayoutId }>(await api.post('/v2/payouts/create', body));
  return id;
}
const statusOf = async (id: PayoutId) => (await em().findOneOrFail(PayoutEntity, { id })).status;

/** Deletes all records of a payout, as a restore to an older backup does. */
async function losePayout(id: PayoutId) {
  await loseRun(payoutWorkflowId(id));
  await deleteRecords(id);
  await em().nativeDelete(PayoutEntity, { id });
}

async function loseRefund(chargeId: ChargeId, ...ids: readonly RefundId[]) {
  await loseRun(chargeWorkflowId(chargeId));
  for (const id of ids) await deleteRecords(id);
  await em().nativeUpdate(
    ChargeEntity,
    { id: chargeId },
    { status: 'PAID', refundId: null, reversedCents: 0, reversedFeeCents: 0, refundedCents: 0 },
  );
  await em().nativeDelete(RefundEntity, { id: { $in: [...ids] } });
}

/** Deletes the workflow, because a restore also loses Temporal's data. */
async function loseRun(workflowId: string) {
  const handle = app.temporal.workflow.getHandle(workflowId);
  await eventually(async () => expect((await handle.describe()).status.name).not.toBe('RUNNING'));
  await app.temporal.workflowService.deleteWorkflowExecution({
    namespace: app.temporal.options.namespace,
    workflowExecution: { workflowId },
  });
  await eventually(async () => expect(handle.describe()).rejects.toThrow());
}

const DELETE_RECORDS = [
  `update ledger_balances balance set clearing_cents = balance.clearing_cents - gone.clearing,
     available_cents = balance.available_cents - gone.available, outgoing_cents = balance.outgoing_cents - gone.outgoing,
     platform_fees_cents = balance.platform_fees_cents - gone.fees, suspense_cents = balance.suspense_cents - gone.suspense
   from (
     select store_id, dev_mode, sum(clearing_cents) as clearing, sum(available_cents) as available,
       sum(outgoing_cents) as outgoing, sum(platform_fees_cents) as fees, sum(suspense_cents) as suspense
     from ledger_movements where subject_id = :id group by 1, 2
   ) gone
   where balance.store_id = gone.store_id and balance.dev_mode = gone.dev_mode`,
  `update clearing_balances balance set clearing_cents = balance.clearing_cents - gone.clearing,
     available_cents = balance.available_cents - gone.available
   from (
     select store_id, dev_mode, provider, sum(clearing_cents) as clearing, sum(available_cents) as available
     from ledger_movements where subject_id = :id group by 1, 2, 3
   ) gone
   where (balance.store_id, balance.dev_mode, balance.provider) = (gone.store_id, gone.dev_mode, gone.provider)`,
  'delete from statement_entries where subject_id = :id',
  'delete from ledger_movements where subject_id = :id',
  'delete from money_orders where subject_id = :id',
  `delete from events where key like '%/' || :id`,
];

/** Deletes ledger and event rows of an id. The replica role turns off the triggers that protect the ledger. */
async function deleteRecords(id: string) {
  await em().transactional(async (tx) => {
    await tx.execute('set local session_replication_role = replica');
    for (const statement of DELETE_RECORDS) await tx.execute(statement, { id } as never);
  });
}

describe('a payout that a restore lost', () => {
  it('sends a lost payout once when its request is repeated', async () => {
    const before = await availableCents();
    const order = { amount: 400, externalId: 'lost-1' };
    const id = await pay(order);
    await eventually(async () => expect(await statusOf(id)).toBe('COMPLETE'));
    await losePayout(id);
    expect(await availableCents()).toBe(before);

    expect(await pay(order)).toBe(id);
    await eventually(async () => expect(await statusOf(id)).toBe('COMPLETE'));
    const { endToEndIdentifier } = await em().findOneOrFail(PayoutEntity, { id });
    expect(transfers().filter(({ id: at }) => at === bankIdOf(id))).toMatchObject([
      { endToEndId: endToEndIdentifier, amountCents: 400 },
    ]);
    expect(before - (await availableCents())).toBe(400);
    await ledgerIsRight();
  });

  it('keeps a payout pending if its externalId is repeated with another amount', async () => {
    const before = await availableCents();
    await sql(`update payouts set created_at = created_at - interval '2 minutes'`);
    const id = await pay({ amount: 410, externalId: 'lost-2' });
    await eventually(async () => expect(await statusOf(id)).toBe('COMPLETE'));
    await losePayout(id);

    expect(await pay({ amount: 420, externalId: 'lost-2' })).toBe(id);
    const subject = { kind: 'PAYOUT_MISMATCH', subjectId: id } as const;
    await eventually(async () => expect(await openAttention(app.database, 99)).toMatchObject([subject]));
    expect(await statusOf(id)).toBe('PENDING');
    expect(transfers().filter(({ id: at }) => at === bankIdOf(id))).toMatchObject([{ amountCents: 410 }]);

    // Once a person closes the note, the store gets the money again.
    await resolveAttention(app.database, { ...subject, now: new Date() });
    await eventually(async () => expect(await statusOf(id)).toBe('FAILED'));
    expect(await availableCents()).toBe(before);
    await ledgerIsRight();
  });
});

describe('a lost payout that waits for an approval when it is repeated', () => {
  afterEach(() => setControls(app.database, { storeId, devMode: false }, {}));

  it('books a rejected payout as sent if the bank sent it before the restore', async () => {
    const before = await availableCents();
    await sql(`update payouts set created_at = created_at - interval '2 minutes'`);
    const order = { amount: 430, externalId: 'lost-3' };
    const id = await pay(order);
    await eventually(async () => expect(await statusOf(id)).toBe('COMPLETE'));
    await losePayout(id);

    await setControls(app.database, { storeId, devMode: false }, { approvalAboveCents: 0 });
    expect(await pay(order)).toBe(id);
    expect(await statusOf(id)).toBe('PENDING');
    await api.post('/v2/payouts/reject', { id });
    await eventually(async () => expect(await statusOf(id)).toBe('COMPLETE'));
    expect(before - (await availableCents())).toBe(430);
    await ledgerIsRight();
  });
});

describe('a refund that a restore lost', () => {
  const refund = async (body: object, key?: string) =>
    dataOf<{ refundPublicId: RefundId; status: string }>(
      await api.post('/v2/transparents/refund', body, key ? { headers: { 'Idempotency-Key': key } } : {}),
    );
  const bankRefunds = (endToEndId: string) => psp.bank.findPayment(endToEndId).refunds;
  const completed = (id: RefundId) =>
    eventually(async () => {
      const { status, chargeId } = await em().findOneOrFail(RefundEntity, { id });
      // Triggers the next poll immediately, as a notification of the bank does.
      await app.parts.chargeUpdates.askProviderNow(chargeId);
      expect(status).toBe('COMPLETED');
    });

  it.each([
    ['whole', undefined, undefined],
    ['whole, with an Idempotency-Key', undefined, 'whole'],
    ['a part', 1_000, undefined],
    ['a part, with an Idempotency-Key', 1_000, 'part'],
  ])('makes a lost refund once when its request is repeated: %s', async (_, amount, key) => {
    const before = await availableCents();
    const { id, endToEndId } = await paidCharge();
    const body = { id, ...(amount !== undefined && { amount }) };
    const { refundPublicId } = await refund(body, key && `${key}-${id}`);
    await completed(refundPublicId);
    const after = await availableCents();
    await loseRefund(id, refundPublicId);
    await sql('delete from idempotency_records');

    expect(await refund(body, key && `${key}-${id}`)).toMatchObject({ refundPublicId });
    await completed(refundPublicId);
    expect(bankRefunds(endToEndId)).toMatchObject([{ amountCents: amount ?? 2_500, status: 'DEVOLVIDO' }]);
    expect(await availableCents()).toBe(after);
    expect(after - before).toBe(amount === undefined ? 0 : 2_420 - 968);
    await ledgerIsRight();
  });

  it('restores the amounts of the bank, whichever request is repeated first', async () => {
    const { id, endToEndId } = await paidCharge();
    const { refundPublicId: part } = await refund({ id, amount: 1_000 });
    await completed(part);
    const { refundPublicId: rest } = await refund({ id });
    await completed(rest);
    await loseRefund(id, part, rest);

    expect(await refund({ id })).toMatchObject({ refundPublicId: rest });
    await completed(rest);
    expect(await refund({ id, amount: 1_000 })).toMatchObject({ refundPublicId: part });
    await completed(part);
    expect(
      await em().find(RefundEntity, { chargeId: id }, { orderBy: { amountCents: 'asc' } }),
    ).toMatchObject([
      { id: part, amountCents: 1_000 },
      { id: rest, amountCents: 1_500 },
    ]);
    expect(bankRefunds(endToEndId)).toHaveLength(2);
    expect(await chargeOf(api, id)).toMatchObject({ status: 'REFUNDED' });
    await ledgerIsRight();
  });

  it.each([undefined, 1_000])(
    'returns the refund that the bank’s list restored: amount %p',
    async (amount) => {
      const { id, endToEndId } = await paidCharge();
      const body = { id, ...(amount !== undefined && { amount }) };
      const { refundPublicId } = await refund(body);
      await completed(refundPublicId);
      await loseRefund(id, refundPublicId);
      await round();
      await completed(refundPublicId);

      expect(await refund(body)).toEqual({ refundPublicId, amount: amount ?? 2_500, status: 'COMPLETED' });
      expect(bankRefunds(endToEndId)).toHaveLength(1);
      // The repeated request has claimed the restored row, so the next one creates another refund.
      if (amount !== undefined) {
        const next = await refund(body);
        expect(next.refundPublicId).not.toBe(refundPublicId);
        await completed(next.refundPublicId);
        expect(bankRefunds(endToEndId)).toHaveLength(2);
      }
      await ledgerIsRight();
    },
  );
});

it('returns a second payment once after its row was lost', async () => {
  const { id } = await paidCharge();
  const { endToEndId } = psp.bank.pay(id.slice(-26), { whateverItsStatus: true });
  const returned = () => em().findOne(PaymentEntity, { providerPaymentId: endToEndId, outcome: 'RETURNED' });
  await round();
  await eventually(async () => expect(await returned()).not.toBeNull());
  const first = await returned();
  await loseRun(chargeWorkflowId(id));
  await deleteRecords(`${first?.id}`);
  await em().nativeDelete(PaymentEntity, { providerPaymentId: endToEndId });
  // The bank still reports the return as pending, so its status does not show that it was made.
  const [refund] = psp.bank.findPayment(endToEndId).refunds;
  if (refund !== undefined) refund.status = 'EM_PROCESSAMENTO';

  await round();
  await eventually(async () =>
    expect(await em().count(PaymentEntity, { providerPaymentId: endToEndId })).toBe(1),
  );
  expect(await em().findOneOrFail(PaymentEntity, { providerPaymentId: endToEndId })).toMatchObject({
    id: first?.id,
  });
  expect(psp.bank.findPayment(endToEndId).refunds).toHaveLength(1);
});
