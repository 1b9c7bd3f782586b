import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Psp } from '../../scripts/psp/start-psp.ts';
import { notificationPath } from '../../src/accounts/open-account.ts';
import { openAttention } from '../../src/database/attention.ts';
import { DisputeEntity } from '../../src/database/entities/dispute.ts';
import { EventEntity } from '../../src/database/entities/event.ts';
import { PaymentEntity } from '../../src/database/entities/payment.ts';
import type { ProviderAccount } from '../../src/database/entities/provider-account.ts';
import { RefundEntity } from '../../src/database/entities/refund.ts';
import type { ChargeId, StoreId } from '../../src/domain/ids.ts';
import { payoutReservedAmounts } from '../../src/domain/ledger.ts';
import { mintId } from '../../src/ids.ts';
import { balanceOf } from '../../src/ledger/balance.ts';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import { writeMovement } from '../../src/ledger/write-movement.ts';
import { takeListed } from '../../src/notifications/take-listed.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { pauseReconciliation } from '../support/api/bank-account.ts';
import type { MoneyApp } from '../support/api/money-app.ts';
import { createStoreAtBank } from '../support/api/store-at-bank.ts';
import { chargeOf } from '../support/rows/payments.ts';
import { eventually } from '../support/waiting/eventually.ts';

let app: MoneyApp;
let psp: Psp;
let storeId: StoreId;
let account: ProviderAccount;
/** A client with a production key. */
let api: ApiClient;

beforeAll(async () => {
  ({ app, psp, storeId, api, account } = await createStoreAtBank());
  // Each test starts its own rounds.
  await pauseReconciliation(app);
});
afterAll(async () => {
  await app.close();
  await psp.close();
});

const em = () => app.database.em.fork();
const round = () => takeListed(app.parts, new Date(Date.now() + 1_000));
const availableCents = async () => (await balanceOf(em(), { storeId, devMode: false })).availableCents;

async function unpaid() {
  const body = { method: 'PIX', data: { amount: 2_500 } };
  const { id } = dataOf<{ id: ChargeId }>(await api.post('/v2/transparents/create', body));
  return { id, reference: id.slice(-26) };
}

/** A charge that is PAID. The bank of this test sends no notifications by itself. */
async function paid() {
  const { id, reference } = await unpaid();
  const { endToEndId } = psp.bank.pay(reference);
  await round();
  expect(await chargeOf(api, id)).toMatchObject({ status: 'PAID' });
  return { id, reference, endToEndId };
}

/** Sends the bank's notification of a payment with its refunds. */
function notify({ endToEndId, reference }: { endToEndId: string; reference: string }) {
  const devolucoes = psp.bank
    .findPayment(endToEndId)
    .refunds.map(({ id, kind: natureza, status }) => ({ id, rtrId: 'D1', valor: '1.00', natureza, status }));
  const horario = new Date().toISOString();
  const pix = [{ endToEndId, txid: reference, valor: '25.00', horario, devolucoes }];
  return app.api.post(notificationPath(account, app.parts.secretsKeys), { pix });
}

async function refundsOf(chargeId: ChargeId) {
  const rows = await em().find(RefundEntity, { chargeId }, { orderBy: { createdAt: 'asc' } });
  return rows.map(({ status, amountCents, initiatedBy }) => `${status} ${amountCents} ${initiatedBy}`);
}

async function refundedEvents(chargeId: ChargeId) {
  const events = await em().find(EventEntity, { name: 'transparent.refunded', storeId });
  return events
    .map(({ data }) => JSON.parse(data) as { transparent: { id: string }; refund: object })
    .filter(({ transparent }) => transparent.id === chargeId)
    .map(({ refund }) => refund);
}

describe('a refund that was made at the bank and not requested here', () => {
  it('books a notified full refund once, with its event and its money', async () => {
    const before = await availableCents();
    const payment = await paid();
    psp.bank.takeBack(payment.endToEndId, 'ORIGINAL');
    await Promise.all([notify(payment), notify(payment), round()]);
    await eventually(async () => expect((await chargeOf(api, payment.id)).status).toBe('REFUNDED'));
    await notify(payment);
    await round();
    expect(await refundsOf(payment.id)).toEqual(['COMPLETED 2500 BANK']);
    expect(await availableCents()).toBe(before);
    expect(await refundedEvents(payment.id)).toMatchObject([{ amount: 2_500, initiatedBy: 'BANK' }]);
  });

  it('books a listed partial refund with an unknown natureza', async () => {
    const payment = await paid();
    const before = await availableCents();
    psp.bank.takeBack(payment.endToEndId, 'NATUREZA_NOVA', 1_000);
    await round();
    await eventually(async () => expect(await refundsOf(payment.id)).toEqual(['COMPLETED 1000 BANK']));
    expect(await chargeOf(api, payment.id)).toMatchObject({ status: 'PAID' });
    expect(before - (await availableCents())).toBe(1_000 - 32);
  });

  it('follows a pending refund at the bank and marks it FAILED once the bank does', async () => {
    const before = await availableCents();
    const payment = await paid();
    const credited = await availableCents();
    const refund = psp.bank.takeBack(payment.endToEndId, 'ORIGINAL', 500, 'ON_REQUEST');
    await notify(payment);
    await eventually(async () => expect(await refundsOf(payment.id)).toEqual(['PENDING 500 BANK']));
    psp.bank.settleRefund(psp.bank.findPayment(payment.endToEndId), refund, 'NAO_REALIZADO');
    await notify(payment);
    await eventually(async () => expect(await refundsOf(payment.id)).toEqual(['FAILED 500 BANK']));
    expect(await availableCents()).toBe(credited);
    expect(credited).toBeGreaterThan(before);
    expect(psp.bank.findPayment(payment.endToEndId).refunds).toHaveLength(1);
  });

  it('credits no payment that the bank returned before Recebe recorded it', async () => {
    const before = await availableCents();
    const { id, reference } = await unpaid();
    const { endToEndId } = psp.bank.pay(reference);
    psp.bank.takeBack(endToEndId, 'ORIGINAL');
    await notify({ endToEndId, reference });
    await round();
    await eventually(async () =>
      expect(await em().findOne(PaymentEntity, { chargeId: id })).toMatchObject({ outcome: 'RETURNED' }),
    );
    expect(await availableCents()).toBe(before);
    expect((await chargeOf(api, id)).status).not.toBe('PAID');
  });

  it('books payment and refund again after a restore lost both', async () => {
    const before = await availableCents();
    const { id, reference } = await unpaid();
    const { endToEndId } = psp.bank.pay(reference);
    const refund = psp.bank.refund(endToEndId, `tran${reference}`, '25.00', 'DEVOLVIDO');
    psp.bank.settleRefund(psp.bank.findPayment(endToEndId), refund, 'DEVOLVIDO');
    await notify({ endToEndId, reference });
    await eventually(async () => expect((await chargeOf(api, id)).status).toBe('REFUNDED'));
    const refunds = await em().find(RefundEntity, { chargeId: id });
    expect(refunds).toMatchObject([{ id: `tran_${reference}`, status: 'COMPLETED', amountCents: 2_500 }]);
    expect(await availableCents()).toBe(before);
  });

  it('books the refund with the payment it belongs to if the payer paid twice', async () => {
    const { id, reference } = await unpaid();
    const other = psp.bank.pay(reference);
    const { endToEndId } = psp.bank.pay(reference, { whateverItsStatus: true });
    const refund = psp.bank.refund(endToEndId, `tran${reference}`, '25.00', 'DEVOLVIDO');
    psp.bank.settleRefund(psp.bank.findPayment(endToEndId), refund, 'DEVOLVIDO');
    const paidAt = new Date(Date.now() - 60_000).toISOString();
    for (const each of [other.endToEndId, endToEndId])
      psp.bank.state.payments[each] = { ...psp.bank.findPayment(each), paidAt };
    await notify({ endToEndId: other.endToEndId, reference });
    await round();
    await eventually(async () => expect((await chargeOf(api, id)).status).toBe('REFUNDED'));
    const outcomeOf = async (providerPaymentId: string) =>
      (await em().findOne(PaymentEntity, { providerPaymentId }))?.outcome;
    await eventually(async () => expect(await outcomeOf(other.endToEndId)).toBe('RETURNED'));
    expect(await outcomeOf(endToEndId)).toBe('ACCEPTED');
    expect(psp.bank.leftOf(other.endToEndId)).toBe(0);
  });

  it('books payment and partial refund that are reported together', async () => {
    const { id, reference } = await unpaid();
    const { endToEndId } = psp.bank.pay(reference);
    psp.bank.takeBack(endToEndId, 'ORIGINAL', 700);
    await notify({ endToEndId, reference });
    await eventually(async () => expect(await refundsOf(id)).toEqual(['COMPLETED 700 BANK']));
    expect(await chargeOf(api, id)).toMatchObject({ status: 'PAID' });
  });
});

describe.each([
  ['a refund that was made at the bank', 'ORIGINAL'],
  ["a dispute of the payer's bank (MED)", 'MED_FRAUDE'],
])('a balance that the store has spent before %s', (_, natureza) => {
  it('makes the balance negative, notes it, and closes the note once payments cover it', async () => {
    const payment = await paid();
    const owned = await availableCents();
    const owner = { storeId, devMode: false, provider: account.id };
    await writeMovement(em(), owner, {
      kind: 'PAYOUT_RESERVED',
      subjectId: mintId('payout', new Date()),
      amounts: payoutReservedAmounts({ amountCents: owned, feeCents: 0 }),
      createdAt: new Date(),
    });
    psp.bank.takeBack(payment.endToEndId, natureza);
    await notify(payment);
    await eventually(async () => expect(await availableCents()).toBeLessThan(0));
    const noted = async () =>
      (await openAttention(app.database, 1_000)).filter(({ kind }) => kind === 'NEGATIVE_BALANCE');
    expect(await noted()).toMatchObject([{ subjectId: storeId, devMode: false }]);
    const payout = { amount: 350, externalId: `while-negative-${natureza}` };
    const answer = await api.post('/v2/payouts/create', payout);
    expect(answer.json).toMatchObject({ code: 'INSUFFICIENT_FUNDS' });
    await paid();
    await paid();
    await round();
    expect(await availableCents()).toBeGreaterThanOrEqual(0);
    expect(await noted()).toEqual([]);
  });
});

describe('a refund that FAILED here and was made by the bank', () => {
  /** The bank accepts the refund and reports that it failed, but has carried it out. */
  async function failedThenMade(amount: number) {
    const payment = await paid();
    psp.faults.order({ fault: { kind: 'REFUND_FAILS' }, on: 'PUT refund' });
    await api.post('/v2/transparents/refund', { id: payment.id, amount });
    await eventually(async () => expect(await refundsOf(payment.id)).toEqual([`FAILED ${amount} STORE`]));
    const failed = await availableCents();
    const [refund] = psp.bank.findPayment(payment.endToEndId).refunds;
    Object.assign(refund ?? {}, { status: 'DEVOLVIDO', reason: null });
    return { payment, failed };
  }

  it('debits a partial refund once, with its event and a note', async () => {
    const { payment, failed } = await failedThenMade(1_000);
    await Promise.all([notify(payment), notify(payment), round()]);
    await eventually(async () => expect(await refundsOf(payment.id)).toEqual(['COMPLETED 1000 STORE']));
    await notify(payment);
    expect(failed - (await availableCents())).toBe(1_000 - 32);
    expect(await chargeOf(api, payment.id)).toMatchObject({ status: 'PAID' });
    expect(await refundedEvents(payment.id)).toMatchObject([{ amount: 1_000, initiatedBy: 'STORE' }]);
    const noted = (await openAttention(em(), 1_000)).filter(({ kind }) => kind === 'REFUND_REVIVED');
    expect(noted).toHaveLength(1);
    const { discrepancies } = await verifyLedger(em(), storeId);
    expect(discrepancies.filter(({ problem }) => problem.includes('REFUND'))).toEqual([]);
  });

  it('marks the charge REFUNDED after a full refund', async () => {
    const { payment, failed } = await failedThenMade(2_500);
    await round();
    await eventually(async () =>
      expect(await chargeOf(api, payment.id)).toMatchObject({ status: 'REFUNDED' }),
    );
    expect(failed - (await availableCents())).toBe(2_500 - 80);
  });
});

it('opens a dispute for every natureza that begins with MED', async () => {
  const payment = await paid();
  psp.bank.takeBack(payment.endToEndId, 'MED_PIX_AUTOMATICO');
  await notify(payment);
  await eventually(async () =>
    expect(await chargeOf(api, payment.id)).toMatchObject({
      status: 'REFUNDED',
    }),
  );
  expect(await refundsOf(payment.id)).toEqual([]);
  const disputes = await em().find(DisputeEntity, { chargeId: payment.id });
  expect(disputes).toMatchObject([{ status: 'LOST', reason: 'MED: MED_PIX_AUTOMATICO' }]);
});
