import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { followDispute } from '../../src/charges/disputes/record-dispute.ts';
import { followBankRefunds } from '../../src/charges/refunds/bank-refund.ts';
import type { Charge } from '../../src/database/entities/charge.ts';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import { DisputeEntity } from '../../src/database/entities/dispute.ts';
import { EventEntity } from '../../src/database/entities/event.ts';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import { newsOfPayments, newsOfUndecidedDisputes } from '../../src/notifications/listed-disputes.ts';
import type { ProviderDispute, ProviderWithdrawal } from '../../src/providers/ports/disputes.ts';
import { activityDeps } from '../support/fixtures/activity-deps.ts';
import { beginPayment, openCheckout } from '../support/fixtures/checkouts.ts';
import { dispute, paidPix, refund } from '../support/fixtures/money.ts';
import { createWorkflowFixture, type WorkflowFixture } from '../support/fixtures/workflow-fixture.ts';
import { booksOf, heldBy, movementsOf, withNewStore } from '../support/rows/books.ts';

// Stripe's dispute of a payment that was refunded: its `amount` may be the whole payment, and `balance_transactions` says
// what was withdrawn and reinstated.

let shared: WorkflowFixture;
let fixture: WorkflowFixture;

beforeAll(async () => {
  shared = await createWorkflowFixture();
});

beforeEach(async () => {
  fixture = await withNewStore(shared);
});

afterAll(() => shared.close());

const depsOf = ({ database }: WorkflowFixture) =>
  activityDeps({ database, startDelivery: async () => {} } as never);
const em = () => fixture.database.em.fork();
const TAKEN: ProviderWithdrawal = { providerTransactionId: 'txn_taken', withdrawnCents: 10_000 };
const RETURNED: ProviderWithdrawal = { providerTransactionId: 'txn_returned', withdrawnCents: -10_000 };
const FEE = { providerFeeId: 'txn_taken', chargedCents: 5_500 };
const NET_FEE = { clearingCents: -5_500, availableCents: -5_500 };

/** The provider notifies a dispute of the whole payment of 100.00. */
const notified = (
  charge: Charge,
  status: ProviderDispute['status'],
  withdrawals: readonly ProviderWithdrawal[],
  facts: Partial<ProviderDispute> = {},
) => dispute(fixture, charge, status, `dispute-of-${charge.id}`, 10_000, { withdrawals, ...facts });

async function expectCleanBooks() {
  const { discrepancies } = await verifyLedger(em(), fixture.storeId);
  expect(discrepancies).toEqual([]);
}

async function refunded(amountCents?: number) {
  const charge = await paidPix(fixture);
  await refund(fixture, charge, amountCents);
  return charge;
}

async function paidCard() {
  return beginPayment(fixture, await openCheckout(fixture), { method: 'CARD' });
}

async function publishedOf({ id }: Charge) {
  const events = await em().find(EventEntity, { storeId: fixture.storeId, name: { $like: 'transparent.%' } });
  const datas = events.map(({ name, data }) => ({ name, data: Object(JSON.parse(data)) }));
  return datas
    .filter(({ data }) => data.transparent?.id === id && data.dispute !== undefined)
    .map(({ name, data }) => [name, data.transparent.status, data.dispute.amount, data.dispute.excessAmount]);
}

describe('a dispute of a refunded payment', () => {
  it('debits what the provider takes a second time, and its fee', async () => {
    const charge = await refunded();
    expect(await notified(charge, 'OPEN', [TAKEN], { fees: [FEE] })).toBe('REFUNDED');
    expect(await heldBy(fixture)).toEqual({ clearingCents: -15_500, availableCents: -15_500 });
    expect(await publishedOf(charge)).toEqual([['transparent.disputed', 'REFUNDED', 0, 10_000]]);
    await expectCleanBooks();
  });

  it.each([
    ['WON', [TAKEN, RETURNED], NET_FEE],
    ['LOST', [TAKEN], { clearingCents: -15_500, availableCents: -15_500 }],
  ] as const)('ends as the books of the provider do if it is %s', async (status, withdrawals, held) => {
    const charge = await refunded();
    await notified(charge, 'OPEN', [TAKEN], { fees: [FEE] });
    for (let time = 0; time < 3; time++)
      expect(await notified(charge, status, withdrawals, { fees: [FEE] })).toBe('REFUNDED');
    // A late notice of the opening changes nothing.
    await notified(charge, 'OPEN', [TAKEN], { fees: [FEE] });
    expect(await heldBy(fixture)).toEqual(held);
    await expectCleanBooks();
  });

  it('books only the fee if the provider takes no money', async () => {
    const charge = await refunded();
    await notified(charge, 'LOST', [], { fees: [FEE] });
    expect(await heldBy(fixture)).toEqual(NET_FEE);
    await expectCleanBooks();
  });

  it('debits a withdrawal that is first seen after the decision', async () => {
    const charge = await refunded();
    await notified(charge, 'LOST', []);
    expect(await heldBy(fixture)).toEqual({});
    await notified(charge, 'LOST', [TAKEN]);
    expect(await heldBy(fixture)).toEqual({ clearingCents: -10_000, availableCents: -10_000 });
    await expectCleanBooks();
  });

  it('debits once for ten notices at the same time', async () => {
    const charge = await refunded();
    await Promise.all(Array.from({ length: 10 }, () => notified(charge, 'OPEN', [TAKEN])));
    expect((await movementsOf(fixture)).filter((kind) => kind.startsWith('EXCESS'))).toEqual([
      'EXCESS_TAKEN',
    ]);
    await expectCleanBooks();
  });

  it('takes a second dispute once the first has ended', async () => {
    const charge = await refunded();
    await notified(charge, 'WON', [TAKEN, RETURNED]);
    await dispute(fixture, charge, 'LOST', 'second', 10_000, { withdrawals: [TAKEN] });
    expect(await heldBy(fixture)).toEqual({ clearingCents: -10_000, availableCents: -10_000 });
    expect(await em().count(DisputeEntity, { chargeId: charge.id })).toBe(2);
    await expectCleanBooks();
  });
});

describe('a dispute of more than is left of a payment', () => {
  it('credits what the provider returns of a lost dispute', async () => {
    const charge = await refunded(4_000);
    await notified(charge, 'OPEN', [TAKEN]);
    expect(await heldBy(fixture)).toEqual({
      ...{ clearingCents: 2_000, availableCents: -4_000, blockedCents: 6_000 },
    });
    const part = { ...RETURNED, withdrawnCents: -4_000 };
    expect(await notified(charge, 'LOST', [TAKEN, part])).toBe('REFUNDED');
    expect(await heldBy(fixture)).toEqual({});
    expect(await publishedOf(charge)).toEqual([
      ['transparent.disputed', 'UNDER_DISPUTE', 6_000, 4_000],
      ['transparent.lost', 'REFUNDED', 6_000, 0],
    ]);
    await expectCleanBooks();
  });

  it('gives everything back if it is won, whatever comes first', async () => {
    const seen = [];
    for (const order of [
      ['OPEN', 'WON'],
      ['WON', 'OPEN'],
      ['WON', 'WON'],
    ] as const) {
      const charge = await refunded(4_000);
      for (const status of order)
        await notified(charge, status, status === 'WON' ? [RETURNED, TAKEN] : [TAKEN]);
      seen.push(await heldBy(fixture));
      await refund(fixture, charge);
    }
    const won = { clearingCents: 6_000, availableCents: 5_952, platformFeesCents: 48 };
    expect(seen).toEqual([won, won, won]);
    await expectCleanBooks();
  });

  it('keeps what a won dispute has not returned yet out of the balance', async () => {
    const charge = await refunded(4_000);
    await notified(charge, 'WON', [TAKEN]);
    expect(await heldBy(fixture)).toEqual({
      ...{ clearingCents: 2_000, availableCents: 1_952, platformFeesCents: 48 },
    });
    await notified(charge, 'WON', [TAKEN, RETURNED]);
    expect((await heldBy(fixture)).clearingCents).toBe(6_000);
    await expectCleanBooks();
  });

  it('debits the whole payment if a won dispute is taken again', async () => {
    const charge = await paidPix(fixture);
    const again = { ...TAKEN, providerTransactionId: 'txn_again' };
    await notified(charge, 'WON', [TAKEN, RETURNED]);
    expect(await notified(charge, 'LOST', [TAKEN, RETURNED, again])).toBe('PAID');
    expect(await heldBy(fixture)).toEqual({ availableCents: -80, platformFeesCents: 80 });
    await expectCleanBooks();
  });

  it('finds withdrawals in rounds and lists if every notice is lost', async () => {
    const charge = await refunded(4_000);
    await notified(charge, 'OPEN', []);
    const { providerReference: reference } = charge;
    const providerDisputeId = `dispute-of-${charge.id}`;
    const listed = { providerDisputeId, reference, reason: null, amountCents: 10_000 } as const;
    const opened: ProviderDispute = { ...listed, status: 'OPEN', withdrawals: [TAKEN] };
    fixture.provider.setDispute(opened);
    expect(await newsOfUndecidedDisputes(fixture.database, fixture.provider)).toEqual([opened]);
    await notified(charge, 'WON', [TAKEN]);
    const [payment] = await em().execute<{ id: string }[]>(
      'select provider_payment_id as id from payments where charge_id = ?',
      [charge.id],
    );
    const news = (withdrawals: readonly ProviderWithdrawal[]) => {
      const won = { ...listed, status: 'WON', withdrawals } as const;
      const paid = { providerPaymentId: String(payment?.id), reference, amountCents: 10_000 };
      const money = { ...paid, paidAt: new Date(), payer: { name: null, taxId: null }, disputes: [won] };
      return newsOfPayments(fixture.database, fixture.provider, [money]);
    };
    expect(await news([TAKEN])).toEqual([]);
    expect(await news([TAKEN, RETURNED])).toHaveLength(1);
  });
});

describe('a refund made at the provider while a card dispute is open', () => {
  const REFUND = { reference: 're_1', amountCents: 10_000, kind: 'ORDINARY', status: 'RETURNED' } as const;

  async function refundedAtProvider(charge: Charge) {
    const [row] = await em().execute<{ id: string }[]>(
      'select provider_payment_id as id from payments where charge_id = ?',
      [charge.id],
    );
    const payment = {
      ...{ providerPaymentId: String(row?.id), reference: charge.providerReference, amountCents: 10_000 },
      ...{ paidAt: charge.createdAt, payer: { name: null, taxId: null }, refunds: [REFUND] },
    };
    const found = await em().findOneOrFail(ChargeEntity, { id: charge.id });
    const deps = depsOf(fixture);
    return followBankRefunds(deps, em(), found, payment, new Date());
  }

  it.each([
    ['LOST', 'REFUNDED', { clearingCents: -10_000, availableCents: -10_000 }],
    ['WON', 'REFUNDED', {}],
  ] as const)(
    'debits it at once, and completes the books once the dispute is %s',
    async (status, end, held) => {
      const charge = await paidCard();
      await notified(charge, 'OPEN', [TAKEN]);
      await refundedAtProvider(charge);
      await refundedAtProvider(charge);
      expect((await heldBy(fixture)).availableCents).toBe(-10_000);
      await expectCleanBooks();
      await notified(charge, status, status === 'WON' ? [TAKEN, RETURNED] : [TAKEN]);
      expect(await refundedAtProvider(charge)).toBe(end);
      expect(await heldBy(fixture)).toEqual(held);
      await expectCleanBooks();
    },
  );
});

it('notes for a person that a payer may have the money twice, until it is given back', async () => {
  const charge = await refunded();
  await em().nativeUpdate(ChargeEntity, { id: charge.id }, { devMode: false });
  const notes = async () => {
    const rows = await em().execute<{ kind: string }[]>(
      'select kind from attention where subject_id = ? and resolved_at is null',
      [charge.id],
    );
    return rows.map(({ kind }) => kind);
  };
  const follow = (status: 'OPEN' | 'WON', withdrawals: readonly ProviderWithdrawal[]) => {
    const { providerReference: reference } = charge;
    const published = {
      providerDisputeId: `real-${charge.id}`,
      reference,
      reason: null,
      status,
      withdrawals,
    };
    return followDispute(depsOf(fixture), em(), charge, published, async () => null, new Date());
  };
  await follow('OPEN', [TAKEN]);
  expect(await booksOf(fixture, { storeId: fixture.storeId, devMode: false })).toMatchObject({
    availableCents: -10_000,
  });
  expect(await notes()).toEqual(['PAYMENT_TAKEN_TWICE']);
  await follow('WON', [TAKEN, RETURNED]);
  expect(await notes()).toEqual([]);
});
