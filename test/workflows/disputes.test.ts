import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Charge, ChargeEntity } from '../../src/database/entities/charge.ts';
import { CheckoutEntity } from '../../src/database/entities/checkout.ts';
import { DisputeEntity } from '../../src/database/entities/dispute.ts';
import { askForPayout } from '../support/api/store-request.ts';
import { mustPay, notify, recordOf } from '../support/fixtures/charges.ts';
import { beginPayment, chargeWorkflowOf, endOf, openCheckout } from '../support/fixtures/checkouts.ts';
import { dispute, paidPix, refund } from '../support/fixtures/money.ts';
import { createWorkflowFixture, type WorkflowFixture } from '../support/fixtures/workflow-fixture.ts';
import { heldBy, movementsOf, withNewStore } from '../support/rows/books.ts';
import { insertPix } from '../support/rows/charges.ts';

let shared: WorkflowFixture;
let fixture: WorkflowFixture;

beforeAll(async () => {
  shared = await createWorkflowFixture();
});

beforeEach(async () => {
  fixture = await withNewStore(shared);
});

afterAll(() => shared.close());

const PAID_BY_PIX = { clearingCents: 10_000, availableCents: 9_920, platformFeesCents: 80 };
const BLOCKED = { clearingCents: 10_000, blockedCents: 10_000 };

async function disputesOf({ id }: Charge) {
  const rows = await fixture.database.em
    .fork()
    .find(DisputeEntity, { chargeId: id }, { orderBy: { openedAt: 'asc', id: 'asc' } });
  return rows.map(({ status, reason, closedAt }) => ({ status, reason, isClosed: closedAt !== null }));
}

describe('a dispute', () => {
  it('blocks the whole payment with its fee and ends the run', async () => {
    const charge = await paidPix(fixture);
    expect(await dispute(fixture, charge, 'OPEN')).toBe('UNDER_DISPUTE');
    expect(await heldBy(fixture)).toEqual(BLOCKED);
    expect(await disputesOf(charge)).toEqual([{ status: 'OPEN', reason: 'fraud', isClosed: false }]);
    expect(await endOf(fixture, chargeWorkflowOf(fixture, charge))).toBe('UNDER_DISPUTE');
  });

  it('restores the balance when a dispute is won', async () => {
    const charge = await paidPix(fixture);
    await dispute(fixture, charge, 'OPEN');
    expect(await dispute(fixture, charge, 'WON')).toBe('PAID');
    expect(await heldBy(fixture)).toEqual(PAID_BY_PIX);
    expect(await disputesOf(charge)).toEqual([{ status: 'WON', reason: 'fraud', isClosed: true }]);
    expect(await endOf(fixture, chargeWorkflowOf(fixture, charge))).toBe('PAID');
  });

  it('removes the money and sets REFUNDED when a dispute is lost', async () => {
    const charge = await paidPix(fixture);
    await dispute(fixture, charge, 'OPEN');
    expect(await dispute(fixture, charge, 'LOST')).toBe('REFUNDED');
    expect(await heldBy(fixture)).toEqual({});
    expect(await movementsOf(fixture)).toEqual(['PAYMENT', 'DISPUTE_OPENED', 'DISPUTE_LOST']);
    expect(await endOf(fixture, chargeWorkflowOf(fixture, charge))).toBe('REFUNDED');
  });

  it('keeps a disputed checkout PAID and sets REFUNDED when the dispute is lost', async () => {
    const checkout = await openCheckout(fixture);
    const charge = await beginPayment(fixture, checkout, { method: 'CARD' });
    const statusNow = async () =>
      (await fixture.database.em.fork().findOneOrFail(CheckoutEntity, { id: checkout.id })).status;
    await dispute(fixture, charge, 'OPEN');
    expect(await heldBy(fixture)).toEqual(BLOCKED);
    expect(await statusNow()).toBe('PAID');
    await dispute(fixture, charge, 'LOST');
    expect(await statusNow()).toBe('REFUNDED');
    expect(await heldBy(fixture)).toEqual({});
  });

  it.each([
    ['WON', 'PAID', PAID_BY_PIX, ['PAYMENT', 'DISPUTE_OPENED', 'DISPUTE_WON']],
    ['LOST', 'REFUNDED', {}, ['PAYMENT', 'DISPUTE_OPENED', 'DISPUTE_LOST']],
  ] as const)(
    'opens a dispute and records it as %s at once if no opening was notified',
    async (status, end, held, movements) => {
      const charge = await paidPix(fixture);
      expect(await dispute(fixture, charge, status)).toBe(end);
      expect(await heldBy(fixture)).toEqual(held);
      expect(await movementsOf(fixture)).toEqual(movements);
      expect(await disputesOf(charge)).toEqual([{ status, reason: 'fraud', isClosed: true }]);
    },
  );

  it.each(['OPEN', 'WON', 'LOST'] as const)(
    'changes nothing if a dispute is notified as %s again',
    async (status) => {
      const charge = await paidPix(fixture);
      const first = await dispute(fixture, charge, status);
      const before = [await heldBy(fixture), await movementsOf(fixture), await recordOf(fixture, charge)];
      expect(await dispute(fixture, charge, status)).toBe(first);
      expect([await heldBy(fixture), await movementsOf(fixture), await recordOf(fixture, charge)]).toEqual(
        before,
      );
    },
  );

  it('keeps a dispute WON if OPEN or LOST is notified later', async () => {
    const charge = await paidPix(fixture);
    await dispute(fixture, charge, 'WON');
    for (const later of ['OPEN', 'LOST'] as const) expect(await dispute(fixture, charge, later)).toBe('PAID');
    expect(await heldBy(fixture)).toEqual(PAID_BY_PIX);
  });

  it('opens a second dispute after the first one was won', async () => {
    const charge = await paidPix(fixture);
    await dispute(fixture, charge, 'WON');
    expect(await dispute(fixture, charge, 'OPEN', 'second')).toBe('UNDER_DISPUTE');
    expect(await heldBy(fixture)).toEqual(BLOCKED);
    expect(await dispute(fixture, charge, 'LOST', 'second')).toBe('REFUNDED');
    expect(await heldBy(fixture)).toEqual({});
  });

  it.each([
    ['WON', 'PAID', { clearingCents: 10_000, pendingCents: 9_590, platformFeesCents: 410 }],
    ['LOST', 'PAID', { clearingCents: 6_000, pendingCents: 5_754, platformFeesCents: 246 }],
  ] as const)(
    'blocks part of a pending payment; once %s, the rest settles on its day',
    async (end, status, held) => {
      const charge = await beginPayment(fixture, await openCheckout(fixture), { method: 'CARD' });
      expect(await dispute(fixture, charge, 'OPEN', `part-${end}`, 4_000)).toBe('UNDER_DISPUTE');
      const openedHeld = {
        clearingCents: 10_000,
        pendingCents: 5_754,
        blockedCents: 4_000,
        platformFeesCents: 246,
      };
      expect(await heldBy(fixture)).toEqual(openedHeld);
      expect(await dispute(fixture, charge, end, `part-${end}`, 4_000)).toBe(status);
      expect(await heldBy(fixture)).toEqual(held);
      const { pendingCents: availableCents, ...others } = held;
      const { settlesAt } = await fixture.database.em.fork().findOneOrFail(ChargeEntity, { id: charge.id });
      const nowMs = settlesAt?.getTime() ?? 0;
      await fixture.activities.settleCharges({ storeId: fixture.storeId, devMode: true, nowMs });
      expect(await heldBy(fixture)).toEqual({ ...others, availableCents });
    },
  );

  it('blocks what earlier refunds have left, and debits what is taken beyond it', async () => {
    const charge = await paidPix(fixture);
    await refund(fixture, charge, 7_000);
    expect(await dispute(fixture, charge, 'OPEN', 'too-much', 9_000)).toBe('UNDER_DISPUTE');
    expect((await heldBy(fixture)).blockedCents).toBe(3_000);
    expect(await dispute(fixture, charge, 'LOST', 'too-much', 9_000)).toBe('REFUNDED');
    expect(await heldBy(fixture)).toEqual({ clearingCents: -6_000, availableCents: -6_000 });
  });

  it('leaves a negative balance if the disputed money was paid out', async () => {
    const charge = await paidPix(fixture);
    await askForPayout(fixture, 9_000);
    await dispute(fixture, charge, 'OPEN');
    expect(await heldBy(fixture)).toEqual({
      clearingCents: 10_000,
      availableCents: -9_000,
      blockedCents: 10_000,
      outgoingCents: 9_000,
    });
  });
});

describe('a notification of a dispute', () => {
  it('ignores a dispute that the provider does not know for this charge', async () => {
    const charge = await paidPix(fixture);
    const { providerReference: reference } = await paidPix(fixture);
    const of = { providerDisputeId: "another charge's", reference, status: 'OPEN', reason: null } as const;
    fixture.provider.setDispute(of);
    const { activities, now } = fixture;
    const nowMs = (await now()).getTime();
    for (const providerDisputeId of ['invented', of.providerDisputeId])
      expect(await activities.recordDispute({ chargeId: charge.id, providerDisputeId, nowMs })).toBe('PAID');
    expect(await movementsOf(fixture)).toEqual(['PAYMENT', 'PAYMENT']);
    expect(await disputesOf(charge)).toEqual([]);
  });

  it('ignores a dispute of a charge that was never paid or is refunded', async () => {
    const unpaid = await insertPix(fixture);
    expect(await dispute(fixture, unpaid, 'OPEN')).toBe('PENDING');
    expect(await notify(fixture, await mustPay(fixture, unpaid))).toBe('PAID');
    await refund(fixture, unpaid);
    expect(await dispute(fixture, unpaid, 'LOST')).toBe('REFUNDED');
    expect(await heldBy(fixture)).toEqual({});
    expect(await disputesOf(unpaid)).toEqual([]);
  });

  it('waits until a refund under way ends and then changes nothing', async () => {
    const charge = await paidPix(fixture);
    const providerDisputeId = 'meanwhile';
    const { id: chargeId, providerReference: reference } = charge;
    fixture.provider.setDispute({ providerDisputeId, reference, status: 'OPEN', reason: null });
    const nowMs = (await fixture.now()).getTime();
    let meanwhile: unknown;
    fixture.provider.afterNextAnswer('refund', async () => {
      const recorded = fixture.activities.recordDispute({ chargeId, providerDisputeId, nowMs });
      meanwhile = await recorded.catch((error: Error) => error.message);
    });
    expect((await refund(fixture, charge)).status).toBe('REFUNDED');
    expect(meanwhile).toBe('The charge is being refunded');
    expect(await dispute(fixture, charge, 'OPEN', providerDisputeId)).toBe('REFUNDED');
    expect(await heldBy(fixture)).toEqual({});
  });
});
