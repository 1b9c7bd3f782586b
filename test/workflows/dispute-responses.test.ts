import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Charge } from '../../src/database/entities/charge.ts';
import { DisputeEntity } from '../../src/database/entities/dispute.ts';
import { EventEntity } from '../../src/database/entities/event.ts';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import { newsOfPayments, newsOfUndecidedDisputes } from '../../src/notifications/listed-disputes.ts';
import type { ProviderDispute } from '../../src/providers/ports/disputes.ts';
import { beginPayment, openCheckout } from '../support/fixtures/checkouts.ts';
import { dispute, paidPix } from '../support/fixtures/money.ts';
import { createWorkflowFixture, type WorkflowFixture } from '../support/fixtures/workflow-fixture.ts';
import { heldBy, movementsOf, withNewStore } from '../support/rows/books.ts';

let shared: WorkflowFixture;
let fixture: WorkflowFixture;

beforeAll(async () => {
  shared = await createWorkflowFixture();
});

beforeEach(async () => {
  fixture = await withNewStore(shared);
});

afterAll(() => shared.close());

const RESPOND_BY = new Date('2030-01-15T00:00:00.000Z');
const FEE = { providerFeeId: 'txn_1', chargedCents: 5_500 };
const RETURNED_FEE = { providerFeeId: 'txn_2', chargedCents: -5_500 };
const PAID_BY_PIX = { clearingCents: 10_000, availableCents: 9_920, platformFeesCents: 80 };
const BLOCKED = { clearingCents: 10_000, blockedCents: 10_000 };

/** The provider notifies what it knows of the one dispute of a charge. */
const notified = (charge: Charge, status: ProviderDispute['status'], facts: Partial<ProviderDispute> = {}) =>
  dispute(fixture, charge, status, `dispute-of-${charge.id}`, null, facts);

async function rowOf({ id }: Charge) {
  return fixture.database.em.fork().findOneOrFail(DisputeEntity, { chargeId: id });
}

async function publishedOf({ id }: Charge, name: string) {
  const events = await fixture.database.em.fork().find(EventEntity, { name: name as never });
  const datas = events.map(
    ({ data }) => JSON.parse(data) as { readonly transparent?: { readonly id: string } },
  );
  return datas.filter(({ transparent }) => transparent?.id === id).map((data) => Object(data).dispute);
}

async function expectCleanBooks() {
  const { discrepancies } = await verifyLedger(fixture.database.em.fork(), fixture.storeId);
  expect(discrepancies).toEqual([]);
}

/** A card payment, for which no rule knows a deadline. */
async function paidCard(): Promise<Charge> {
  return beginPayment(fixture, await openCheckout(fixture), { method: 'CARD' });
}

describe('the deadline of a dispute', () => {
  it('stores and publishes the time that the provider names', async () => {
    const charge = await paidPix(fixture);
    await notified(charge, 'OPEN', { respondBy: RESPOND_BY, stage: 'NEEDS_RESPONSE' });
    expect(await rowOf(charge)).toMatchObject({ respondBy: RESPOND_BY, stage: 'NEEDS_RESPONSE' });
    const [published] = await publishedOf(charge, 'transparent.disputed');
    expect(published).toMatchObject({
      ...{ status: 'OPEN', respondBy: RESPOND_BY.toISOString(), evidenceSubmittedAt: null },
    });
  });

  it('gives a PIX seven days if the provider names no time, and a card none', async () => {
    const [pix, card] = [await paidPix(fixture), await paidCard()];
    await notified(pix, 'OPEN');
    await notified(card, 'OPEN');
    const { openedAt, respondBy } = await rowOf(pix);
    expect(respondBy).toEqual(new Date(openedAt.getTime() + 7 * 86_400_000));
    expect((await rowOf(card)).respondBy).toBeNull();
  });

  it('keeps the deadline and the time of the evidence through later news', async () => {
    const charge = await paidPix(fixture);
    await notified(charge, 'OPEN', { respondBy: RESPOND_BY, stage: 'NEEDS_RESPONSE' });
    await notified(charge, 'OPEN', { stage: 'UNDER_REVIEW', hasEvidence: true });
    const { evidenceSubmittedAt } = await rowOf(charge);
    expect(evidenceSubmittedAt).not.toBeNull();
    await notified(charge, 'OPEN', { stage: 'UNDER_REVIEW', hasEvidence: true });
    await notified(charge, 'WON', { hasEvidence: true });
    expect(await rowOf(charge)).toMatchObject({ respondBy: RESPOND_BY, stage: null, evidenceSubmittedAt });
    const [won] = await publishedOf(charge, 'transparent.won');
    expect(won).toMatchObject({ status: 'WON', evidenceSubmittedAt: evidenceSubmittedAt?.toISOString() });
  });
});

describe('the fee of a dispute', () => {
  it.each([
    ['LOST', [FEE], { clearingCents: -5_500, availableCents: -5_500 }],
    ['WON', [FEE], { ...PAID_BY_PIX, clearingCents: 4_500, availableCents: 4_420 }],
    ['WON', [FEE, RETURNED_FEE], PAID_BY_PIX],
  ] as const)('books fees once until the dispute is %s: %j', async (status, fees, held) => {
    const charge = await paidPix(fixture);
    await notified(charge, 'OPEN', { fees: [FEE] });
    await notified(charge, 'OPEN', { fees: [FEE] });
    expect(await heldBy(fixture)).toEqual({ ...BLOCKED, clearingCents: 4_500, availableCents: -5_500 });
    await notified(charge, status, { fees });
    await notified(charge, status, { fees });
    await notified(charge, 'OPEN', { fees: [FEE] });
    expect(await heldBy(fixture)).toEqual(held);
    await expectCleanBooks();
  });

  it('books a fee of a late notice, and its return after the decision', async () => {
    const charge = await paidPix(fixture);
    await notified(charge, 'WON', { fees: [FEE] });
    await notified(charge, 'WON', { fees: [RETURNED_FEE, FEE] });
    expect(await movementsOf(fixture)).toEqual([
      ...['PAYMENT', 'DISPUTE_OPENED', 'DISPUTE_FEE', 'DISPUTE_WON', 'DISPUTE_FEE_RETURNED'],
    ]);
    expect(await heldBy(fixture)).toEqual(PAID_BY_PIX);
    await expectCleanBooks();
  });

  it('books a fee once for ten notices at the same time', async () => {
    const charge = await paidPix(fixture);
    await Promise.all(Array.from({ length: 10 }, () => notified(charge, 'OPEN', { fees: [FEE] })));
    expect(await movementsOf(fixture)).toEqual(['PAYMENT', 'DISPUTE_OPENED', 'DISPUTE_FEE']);
    await expectCleanBooks();
  });

  it('finds a fee in the rounds if every notice is lost', async () => {
    const charge = await paidPix(fixture);
    await notified(charge, 'OPEN');
    const { providerReference: reference } = charge;
    const providerDisputeId = `dispute-of-${charge.id}`;
    const listed = { providerDisputeId, reference, reason: 'fraud', status: 'OPEN', fees: [FEE] } as const;
    fixture.provider.setDispute(listed);
    const undecided = () => newsOfUndecidedDisputes(fixture.database, fixture.provider);
    expect(await undecided()).toEqual([listed]);
    await notified(charge, 'WON', { fees: [FEE] });
    expect(await undecided()).toEqual([]);
    const [payment] = await fixture.database.em
      .fork()
      .execute<{ id: string }[]>('select provider_payment_id as id from payments where charge_id = ?', [
        charge.id,
      ]);
    const listedWith = (fees: ProviderDispute['fees']) => {
      const won = { ...listed, status: 'WON', ...(fees && { fees }) } as const;
      const given = { providerPaymentId: String(payment?.id), reference, amountCents: 10_000 };
      const money = { ...given, paidAt: new Date(), payer: { name: null, taxId: null }, disputes: [won] };
      return newsOfPayments(fixture.database, fixture.provider, [money]);
    };
    expect(await listedWith([FEE])).toEqual([]);
    expect(await listedWith([FEE, RETURNED_FEE])).toHaveLength(1);
  });
});

describe('an inquiry', () => {
  it('moves no money, and is closed without an event', async () => {
    const charge = await paidPix(fixture);
    expect(await notified(charge, 'INQUIRY', { respondBy: RESPOND_BY, stage: 'NEEDS_RESPONSE' })).toBe(
      'PAID',
    );
    expect(await rowOf(charge)).toMatchObject({ status: 'INQUIRY', respondBy: RESPOND_BY, closedAt: null });
    expect(await notified(charge, 'INQUIRY_CLOSED')).toBe('PAID');
    expect(await notified(charge, 'INQUIRY')).toBe('PAID');
    expect(await rowOf(charge)).toMatchObject({ status: 'INQUIRY_CLOSED', closedAt: expect.any(Date) });
    expect(await heldBy(fixture)).toEqual(PAID_BY_PIX);
    expect(await publishedOf(charge, 'transparent.disputed')).toEqual([]);
    await expectCleanBooks();
  });

  it('becomes a dispute under the same id, and is no inquiry again', async () => {
    const charge = await paidPix(fixture);
    await notified(charge, 'INQUIRY');
    const { id } = await rowOf(charge);
    expect(await notified(charge, 'OPEN', { fees: [FEE] })).toBe('UNDER_DISPUTE');
    expect(await rowOf(charge)).toMatchObject({ id, status: 'OPEN' });
    expect(await notified(charge, 'INQUIRY')).toBe('UNDER_DISPUTE');
    expect(await notified(charge, 'LOST', { fees: [FEE] })).toBe('REFUNDED');
    expect(await rowOf(charge)).toMatchObject({ id, status: 'LOST' });
    expect(await movementsOf(fixture)).toEqual([
      ...['PAYMENT', 'DISPUTE_OPENED', 'DISPUTE_FEE', 'DISPUTE_LOST'],
    ]);
    await expectCleanBooks();
  });
});
