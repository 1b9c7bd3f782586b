import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Psp } from '../../scripts/psp/start-psp.ts';
import { notificationPath } from '../../src/accounts/open-account.ts';
import { aboutSubjects, resolveById } from '../../src/cli/attention.ts';
import { AttentionEntity } from '../../src/database/entities/attention.ts';
import { DisputeEntity } from '../../src/database/entities/dispute.ts';
import { EventEntity } from '../../src/database/entities/event.ts';
import { PaymentEntity } from '../../src/database/entities/payment.ts';
import type { ProviderAccount } from '../../src/database/entities/provider-account.ts';
import { RefundEntity } from '../../src/database/entities/refund.ts';
import type { ChargeId, StoreId } from '../../src/domain/ids.ts';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import { takeListed } from '../../src/notifications/take-listed.ts';
import { chargeWorkflowId } from '../../workflows/charge.contract.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { pauseReconciliation } from '../support/api/bank-account.ts';
import type { MoneyApp } from '../support/api/money-app.ts';
import { createStoreAtBank } from '../support/api/store-at-bank.ts';
import { booksOf, NOTHING } from '../support/rows/books.ts';
import { eventually } from '../support/waiting/eventually.ts';

const DAY_MS = 86_400_000;

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
  const { discrepancies } = await verifyLedger(app.database.em.fork(), storeId);
  expect(discrepancies).toEqual([]);
});
afterAll(async () => {
  await app.close();
  await psp.close();
});

const em = () => app.database.em.fork();
const loseWebhooks = () => psp.faults.order({ fault: { kind: 'LOSE_WEBHOOKS' }, on: 'webhook', times: 100 });
const round = () => takeListed(app.parts, new Date(Date.now() + 1_000));

interface Shown {
  readonly status: string;
  readonly refundedAmount: number;
  readonly dispute: { readonly status: string; readonly amount: number; readonly reason: string } | null;
}
const shownOf = async (id: ChargeId) => dataOf<Shown>(await api.get(`/v2/payments/get?id=${id}`));
const becomes = (id: ChargeId, expected: object) =>
  eventually(async () => expect(await shownOf(id)).toMatchObject(expected));

async function eventsOf(subjectId: ChargeId) {
  const published = await em().find(EventEntity, { storeId }, { orderBy: { name: 'asc' } });
  return published
    .filter(({ data }) => data.includes(subjectId))
    .map(({ name, data }) => ({ name, dispute: (JSON.parse(data) as { dispute?: object }).dispute }));
}

/** A PIX charge of 25.00. */
async function issued() {
  const body = { method: 'PIX', data: { amount: 2_500 } };
  const { id } = dataOf<{ id: ChargeId }>(await api.post('/v2/transparents/create', body));
  return { id, reference: id.slice(-26) };
}

/** A PIX charge of 25.00 that was paid and notified. */
async function paid() {
  const { id, reference } = await issued();
  const { endToEndId } = psp.bank.pay(reference);
  await becomes(id, { status: 'PAID' });
  return { id, reference, endToEndId };
}

/** The pending activities of a charge's run. */
async function waitsFor(id: ChargeId): Promise<(string | null | undefined)[]> {
  const { raw } = await app.temporal.workflow.getHandle(chargeWorkflowId(id)).describe();
  return (raw.pendingActivities ?? []).map(({ activityType }) => activityType?.name);
}

describe("a MED return by the payer's bank", () => {
  it('records a MED return as an opened and lost dispute with both events', async () => {
    const before = await booksOf(app, { storeId, devMode: false });
    const { id, endToEndId } = await paid();
    psp.bank.takeBack(endToEndId, 'MED_FRAUDE');
    const dispute = { status: 'LOST', amount: 2_500, reason: 'MED: fundada suspeita de fraude' };
    await becomes(id, { status: 'REFUNDED', refundedAmount: 2_500, dispute });
    expect(await booksOf(app, { storeId, devMode: false })).toEqual(before);
    const amount = expect.objectContaining({ amount: 2_500 });
    expect(await eventsOf(id)).toEqual([
      { name: 'transparent.completed', dispute: undefined },
      { name: 'transparent.disputed', dispute: amount },
      { name: 'transparent.lost', dispute: amount },
    ]);
  });

  it('blocks the money during a MED and is WON if the bank does not carry it out', async () => {
    const { id, endToEndId } = await paid();
    const held = await booksOf(app, { storeId, devMode: false });
    const refund = psp.bank.takeBack(endToEndId, 'MED_OPERACIONAL', undefined, 'ON_REQUEST');
    await becomes(id, {
      status: 'UNDER_DISPUTE',
      dispute: { status: 'OPEN', reason: 'MED: falha operacional' },
    });
    expect((await booksOf(app, { storeId, devMode: false })).blockedCents).toBe(2_500);
    psp.bank.settleRefund(psp.bank.findPayment(endToEndId), refund, 'NAO_REALIZADO');
    await becomes(id, { status: 'PAID', refundedAmount: 0, dispute: { status: 'WON' } });
    expect(await booksOf(app, { storeId, devMode: false })).toEqual(held);
  });

  it('marks a held payment as RETURNED once MED has returned it', async () => {
    const before = await booksOf(app, { storeId, devMode: false });
    const { id, reference } = await issued();
    dataOf(await api.post('/v2/transparents/cancel', { id }));
    psp.faults.order({ fault: { kind: 'REFUND_FAILS' }, on: 'PUT refund', times: 1 });
    const { endToEndId } = psp.bank.pay(reference, { whateverItsStatus: true });
    const outcome = async () => (await em().findOne(PaymentEntity, { chargeId: id }))?.outcome;
    await eventually(async () => expect(await outcome()).toBe('HELD'));
    psp.bank.takeBack(endToEndId, 'MED_FRAUDE');
    await round();
    await eventually(async () => expect(await outcome()).toBe('RETURNED'));
    expect(await booksOf(app, { storeId, devMode: false })).toEqual(before);
    expect(await em().count(AttentionEntity, { kind: 'RETURN_REFUSED', resolvedAt: null })).toBe(0);
    expect((await eventsOf(id)).map(({ name }) => name)).toContain('payment.returned');
  });

  it('records a dispute for a part and another one for the rest', async () => {
    const { id, endToEndId } = await paid();
    psp.bank.takeBack(endToEndId, 'MED_FRAUDE', 1_000);
    await becomes(id, { status: 'PAID', refundedAmount: 1_000, dispute: { status: 'LOST', amount: 1_000 } });
    psp.bank.takeBack(endToEndId, 'MED_FRAUDE');
    await becomes(id, {
      status: 'REFUNDED',
      refundedAmount: 2_500,
      dispute: { status: 'LOST', amount: 1_500 },
    });
    expect(await em().count(DisputeEntity, { chargeId: id })).toBe(2);
  });

  it('disputes only what refunds of the store have left', async () => {
    const { id, endToEndId } = await paid();
    dataOf(await api.post('/v2/transparents/refund', { id, amount: 900 }));
    await becomes(id, { refundedAmount: 900 });
    psp.bank.takeBack(endToEndId, 'MED_FRAUDE');
    await becomes(id, { status: 'REFUNDED', refundedAmount: 2_500, dispute: { amount: 1_600 } });
  });

  it('includes the amount of a pending refund if the MED comes first', async () => {
    const before = await booksOf(app, { storeId, devMode: false });
    const { id, endToEndId } = await paid();
    psp.faults.order({ fault: { kind: 'STATUS', status: 503 }, on: 'PUT refund', times: 1_000 });
    const asked = api.post('/v2/transparents/refund', { id, amount: 900 });
    await eventually(async () =>
      expect(await em().count(RefundEntity, { chargeId: id, status: 'PENDING' })).toBe(1),
    );
    psp.bank.takeBack(endToEndId, 'MED_FRAUDE');
    // The run waits after the notification: only the bank can say whether the store's refund was made.
    await eventually(async () => expect(await waitsFor(id)).toContain('recordPayment'));
    expect(await em().count(DisputeEntity, { chargeId: id })).toBe(0);
    psp.faults.clear();
    await asked;
    await becomes(id, {
      status: 'REFUNDED',
      refundedAmount: 2_500,
      dispute: { status: 'LOST', amount: 2_500 },
    });
    expect(await em().count(RefundEntity, { chargeId: id, status: 'FAILED' })).toBe(1);
    expect(await booksOf(app, { storeId, devMode: false })).toEqual(before);
  });

  it('records one dispute for repeated notifications and concurrent lists', async () => {
    const { id, endToEndId } = await paid();
    psp.faults.order({ fault: { kind: 'REPEAT_WEBHOOKS' }, on: 'webhook' });
    psp.bank.takeBack(endToEndId, 'MED_FRAUDE', 700);
    await Promise.all([round(), round(), round()]);
    await becomes(id, { status: 'PAID', dispute: { status: 'LOST', amount: 700 } });
    await round();
    expect(await em().count(DisputeEntity, { chargeId: id })).toBe(1);
    expect((await eventsOf(id)).map(({ name }) => name)).toEqual([
      'transparent.completed',
      'transparent.disputed',
      'transparent.lost',
    ]);
  });

  it('records an unknown payment and then its lost dispute', async () => {
    const { id, reference } = await issued();
    loseWebhooks();
    const { endToEndId } = psp.bank.pay(reference);
    psp.bank.takeBack(endToEndId, 'MED_FRAUDE');
    expect(await shownOf(id)).toMatchObject({ status: 'PENDING' });
    expect(await round()).toMatchObject({ taken: 1, failed: 0 });
    expect(await shownOf(id)).toMatchObject({ status: 'REFUNDED', dispute: { status: 'LOST' } });
  });

  it('ignores a MED of a returned payment and keeps the accepted one PAID', async () => {
    const { id, reference } = await paid();
    const { endToEndId } = psp.bank.pay(reference, { whateverItsStatus: true });
    const isBack = { providerPaymentId: endToEndId, outcome: 'RETURNED' as const };
    await eventually(async () => expect(await em().count(PaymentEntity, isBack)).toBe(1));
    // The bank ignores that it has returned the payment already.
    psp.bank.findPayment(endToEndId).refunds.length = 0;
    psp.bank.takeBack(endToEndId, 'MED_FRAUDE');
    await eventually(() =>
      expect(app.logged).toContainEqual(expect.objectContaining({ chargeId: id, msg: 'dispute ignored' })),
    );
    expect(await shownOf(id)).toMatchObject({ status: 'PAID', dispute: null });
    expect(await round()).toMatchObject({ disputed: 0 });
  });
});

describe('MED on a payment that was not accepted', () => {
  /** A payment of 25.00 that came after its charge was cancelled. `before` orders faults. */
  async function paidLate(before: () => void) {
    const books = await booksOf(app, { storeId, devMode: false });
    const { id, reference } = await issued();
    dataOf(await api.post('/v2/transparents/cancel', { id }));
    before();
    const { endToEndId } = psp.bank.pay(reference, { whateverItsStatus: true });
    const outcome = async () => (await em().findOne(PaymentEntity, { chargeId: id }))?.outcome;
    const becomesOutcome = (expected: string) =>
      eventually(async () => expect(await outcome()).toBe(expected));
    /** Expects that the whole payment was returned once, in the books and at the bank. */
    const isBack = async () => {
      await becomesOutcome('RETURNED');
      expect(psp.bank.leftOf(endToEndId)).toBe(0);
      expect(await booksOf(app, { storeId, devMode: false })).toEqual(books);
      expect(await em().count(AttentionEntity, { kind: 'RETURN_REFUSED', resolvedAt: null })).toBe(0);
      expect((await eventsOf(id)).filter(({ name }) => name === 'payment.returned')).toHaveLength(1);
    };
    const isInSuspense = (cents: number) =>
      eventually(async () => {
        const { suspenseCents, clearingCents } = await booksOf(app, { storeId, devMode: false });
        expect(suspenseCents - books.suspenseCents).toBe(cents);
        expect(clearingCents - books.clearingCents).toBe(psp.bank.leftOf(endToEndId));
      });
    return { id, endToEndId, becomesOutcome, isBack, isInSuspense };
  }
  const returnFails = () => psp.faults.order({ fault: { kind: 'REFUND_FAILS' }, on: 'PUT refund' });
  const ended = (endToEndId: string) =>
    psp.bank.findPayment(endToEndId).refunds.filter(({ status }) => status === 'DEVOLVIDO');

  it('returns the rest when a part was taken before the payment was known', async () => {
    const { endToEndId, isBack } = await paidLate(loseWebhooks);
    psp.bank.takeBack(endToEndId, 'MED_FRAUDE', 1_000);
    await round();
    await isBack();
    expect(ended(endToEndId).map(({ amountCents }) => amountCents)).toEqual([1_000, 1_500]);
  });

  it('returns the rest when a part was taken while the return was ordered', async () => {
    const fault = { kind: 'DROP_BEFORE_EFFECT' } as const;
    const { id, endToEndId, becomesOutcome, isBack } = await paidLate(() =>
      psp.faults.order({ fault, on: 'PUT refund', times: 1_000 }),
    );
    await becomesOutcome('RETURNING');
    await eventually(async () => expect(await waitsFor(id)).toContain('recordPayment'));
    psp.bank.takeBack(endToEndId, 'MED_FRAUDE', 1_000);
    psp.faults.clear();
    await isBack();
    expect(ended(endToEndId)).toHaveLength(2);
  });

  it.each([
    { outcome: 'DEVOLVIDO', expected: [1_000, 1_500] },
    { outcome: 'NAO_REALIZADO', expected: [2_500] },
  ] as const)('waits while a part is being taken, and returns what $outcome leaves', async (each) => {
    const { endToEndId, becomesOutcome, isBack } = await paidLate(loseWebhooks);
    const med = psp.bank.takeBack(endToEndId, 'MED_OPERACIONAL', 1_000, 'ON_REQUEST');
    await round();
    await becomesOutcome('RETURNING');
    expect(psp.bank.findPayment(endToEndId).refunds).toHaveLength(1);
    psp.faults.clear();
    psp.bank.settleRefund(psp.bank.findPayment(endToEndId), med, each.outcome);
    await isBack();
    expect(ended(endToEndId).map(({ amountCents }) => amountCents)).toEqual(each.expected);
  });

  it('ends a payment that is held once two parts make all of it', async () => {
    const { endToEndId, becomesOutcome, isBack, isInSuspense } = await paidLate(returnFails);
    await becomesOutcome('HELD');
    psp.bank.takeBack(endToEndId, 'MED_FRAUDE', 1_000);
    await isInSuspense(1_500);
    await round();
    await isInSuspense(1_500);
    // The bank has refused once; a person was asked, and may have returned the rest elsewhere.
    await becomesOutcome('HELD');
    psp.bank.takeBack(endToEndId, 'MED_FRAUDE');
    await isBack();
  });

  it('releases each part from suspense once if many are notified at once', async () => {
    const { endToEndId, becomesOutcome, isBack, isInSuspense } = await paidLate(returnFails);
    await becomesOutcome('HELD');
    for (const partCents of [300, 500, 700]) psp.bank.takeBack(endToEndId, 'MED_FRAUDE', partCents);
    await Promise.all([round(), round(), round()]);
    await isInSuspense(1_000);
    psp.bank.takeBack(endToEndId, 'MED_FRAUDE');
    await isBack();
  });

  it('holds only what is left when a part was taken before the bank refused', async () => {
    const { endToEndId, becomesOutcome, isBack, isInSuspense } = await paidLate(() => {
      loseWebhooks();
      returnFails();
    });
    psp.bank.takeBack(endToEndId, 'MED_FRAUDE', 1_000);
    await round();
    await becomesOutcome('HELD');
    await isInSuspense(1_500);
    psp.bank.takeBack(endToEndId, 'MED_FRAUDE');
    await round();
    await isBack();
  });

  it('takes the rest out of suspense when a person has returned it elsewhere', async () => {
    const { suspenseCents } = await booksOf(app, { storeId, devMode: false });
    const { id, endToEndId, becomesOutcome, isInSuspense } = await paidLate(returnFails);
    await becomesOutcome('HELD');
    psp.bank.takeBack(endToEndId, 'MED_FRAUDE', 1_000);
    await isInSuspense(1_500);
    const { id: paymentId } = await em().findOneOrFail(PaymentEntity, { chargeId: id });
    const noted = await em().findOneOrFail(AttentionEntity, { kind: 'RETURN_REFUSED', subjectId: paymentId });
    expect((await aboutSubjects(em(), [noted])).get(paymentId)).toContain('R$ 15,00 left of R$ 25,00');
    await resolveById(em(), noted.id, new Date());
    await becomesOutcome('RETURNED');
    expect((await booksOf(app, { storeId, devMode: false })).suspenseCents).toBe(suspenseCents);
  });

  it('ends a payment that is held once a person returned the rest at the bank', async () => {
    const { endToEndId, becomesOutcome, isBack } = await paidLate(returnFails);
    await becomesOutcome('HELD');
    psp.bank.takeBack(endToEndId, 'MED_FRAUDE', 1_000);
    loseWebhooks();
    psp.bank.takeBack(endToEndId, 'ORIGINAL');
    await round();
    await isBack();
  });
});

describe('a MED without notification', () => {
  it('finds a MED in the next list and its end by a look-up', async () => {
    const { id, endToEndId } = await paid();
    loseWebhooks();
    const refund = psp.bank.takeBack(endToEndId, 'MED_FRAUDE', undefined, 'ON_REQUEST');
    expect(await round()).toMatchObject({ disputed: 1, failed: 0 });
    expect(await shownOf(id)).toMatchObject({ status: 'UNDER_DISPUTE' });
    expect(await round()).toMatchObject({ disputed: 0 });
    // The payment is so old that no list includes it.
    const payment = psp.bank.findPayment(endToEndId);
    const paidAt = new Date(Date.now() - 120 * DAY_MS).toISOString();
    psp.bank.state.payments[endToEndId] = { ...payment, paidAt };
    psp.bank.settleRefund(payment, refund, 'DEVOLVIDO');
    expect(await round()).toMatchObject({ disputed: 1, failed: 0 });
    expect(await shownOf(id)).toMatchObject({ status: 'REFUNDED', dispute: { status: 'LOST' } });
  });

  it('finds a MED of a payment from weeks ago within a day', async () => {
    const { id, endToEndId } = await paid();
    const untouched = await paid();
    const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
    psp.bank.state.payments[endToEndId] = { ...psp.bank.findPayment(endToEndId), paidAt: ago(80) };
    await em().execute(`update provider_accounts set created_at = created_at - interval '100 days'`);
    await round();
    loseWebhooks();
    psp.bank.takeBack(endToEndId, 'MED_FRAUDE');
    expect(await round()).toMatchObject({ disputed: 0 });
    await em().execute(
      `update provider_account_listings set days_listed_until = days_listed_until - interval '1 day'`,
    );
    expect(await round()).toMatchObject({ disputed: 1, failed: 0 });
    expect(await shownOf(id)).toMatchObject({ status: 'REFUNDED', dispute: { status: 'LOST' } });
    expect(await shownOf(untouched.id)).toMatchObject({ status: 'PAID', dispute: null });
  });

  it('records a MED in a later round if the first round failed', async () => {
    const { id, endToEndId } = await paid();
    loseWebhooks();
    psp.bank.takeBack(endToEndId, 'MED_FRAUDE');
    const { intake } = app.parts;
    const away: Pick<typeof intake, 'receivePayment' | 'receiveDispute'> = {
      receivePayment: (...given) => intake.receivePayment(...given),
      receiveDispute: async () => {
        throw new Error('Temporal is away');
      },
    };
    const failed = await takeListed({ ...app.parts, intake: away }, new Date(Date.now() + 1_000));
    expect(failed).toMatchObject({ failed: 1, disputed: 0 });
    expect(await round()).toMatchObject({ failed: 0, disputed: 1 });
    expect(await shownOf(id)).toMatchObject({ status: 'REFUNDED' });
  });
});

it('leaves nothing blocked, outgoing or in suspense', async () => {
  const { suspenseCents, blockedCents, outgoingCents } = await booksOf(app, { storeId, devMode: false });
  expect({ ...NOTHING, suspenseCents, blockedCents, outgoingCents }).toEqual(NOTHING);
});
