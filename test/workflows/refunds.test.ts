import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Charge, ChargeEntity } from '../../src/database/entities/charge.ts';
import { CheckoutEntity } from '../../src/database/entities/checkout.ts';
import { civilDate } from '../../src/domain/civil-date.ts';
import type { RefundAnswer } from '../../src/providers/ports/charges.ts';
import { askForPayout } from '../support/api/store-request.ts';
import { chargeUpdates, mustPay, notify } from '../support/fixtures/charges.ts';
import {
  beginPayment,
  chargeWorkflowOf,
  endOf,
  openCheckout,
  openLink,
} from '../support/fixtures/checkouts.ts';
import { dispute, paidPix, refund, refundOf, requestRefund } from '../support/fixtures/money.ts';
import { terminateAtRest } from '../support/fixtures/terminate-at-rest.ts';
import { createWorkflowFixture, type WorkflowFixture } from '../support/fixtures/workflow-fixture.ts';
import { heldBy, movementsOf, withNewStore } from '../support/rows/books.ts';
import { insertBoleto, insertPix } from '../support/rows/charges.ts';
import { eventually } from '../support/waiting/eventually.ts';

let shared: WorkflowFixture;
let fixture: WorkflowFixture;

beforeAll(async () => {
  shared = await createWorkflowFixture();
});

beforeEach(async () => {
  fixture = await withNewStore(shared);
});

afterAll(() => shared.close());

const COMPLETED = { status: 'COMPLETED', refusal: null };

/** The ledger of a store after one Pix payment of R$ 100.00. */
const PAID_BY_PIX = { clearingCents: 10_000, availableCents: 9_920, platformFeesCents: 80 };

/** Whether the provider has returned all payments of the charge. */
function isReturned({ providerReference }: Charge): boolean {
  return fixture.provider.keptCents(providerReference) === 0;
}

async function chargeNow({ id }: Charge) {
  return fixture.database.em.fork().findOneOrFail(ChargeEntity, { id });
}

describe('a refund', () => {
  it('refunds a Pix payment in full at no cost for the store', async () => {
    const charge = await paidPix(fixture);
    expect(await heldBy(fixture)).toEqual(PAID_BY_PIX);
    const { status, refund: made } = await refund(fixture, charge);
    expect(status).toBe('REFUNDED');
    expect(made).toMatchObject({ ...COMPLETED, amountCents: 10_000 });
    expect(await chargeNow(charge)).toMatchObject({ status: 'REFUNDED', refundId: made.id });
    expect(isReturned(charge)).toBe(true);
    expect(await heldBy(fixture)).toEqual({});
    expect(await movementsOf(fixture)).toEqual(['PAYMENT', 'REFUND_RESERVED', 'REFUND_COMPLETED']);
  });

  it('runs in a new workflow run after the run of its charge has ended', async () => {
    const charge = await paidPix(fixture);
    const workflow = chargeWorkflowOf(fixture, charge);
    await endOf(fixture, workflow);
    const { runId: paymentRunId } = await workflow.describe();
    await refund(fixture, charge);
    expect(await endOf(fixture, workflow)).toBe('REFUNDED');
    expect((await workflow.describe()).runId).not.toBe(paymentRunId);
  });

  it('refunds a card payment from the pending balance', async () => {
    const charge = await beginPayment(fixture, await openCheckout(fixture), { method: 'CARD' });
    expect(await heldBy(fixture)).toMatchObject({ pendingCents: 10_000 - 410 });
    expect((await refund(fixture, charge)).status).toBe('REFUNDED');
    expect(await heldBy(fixture)).toEqual({});
  });

  it('marks the paid checkout of the charge REFUNDED', async () => {
    const checkout = await openCheckout(fixture);
    const charge = await beginPayment(fixture, checkout);
    await notify(fixture, await mustPay(fixture, charge));
    expect((await refund(fixture, charge)).status).toBe('REFUNDED');
    const em = fixture.database.em.fork();
    expect((await em.findOneOrFail(CheckoutEntity, { id: checkout.id })).status).toBe('REFUNDED');
  });

  it('keeps a link open and its other payments paid when one is refunded', async () => {
    const link = await openLink(fixture);
    const [one, other] = [await beginPayment(fixture, link), await beginPayment(fixture, link)];
    for (const charge of [one, other]) await notify(fixture, await mustPay(fixture, charge));
    expect((await refund(fixture, one)).status).toBe('REFUNDED');
    expect((await chargeNow(other)).status).toBe('PAID');
    const em = fixture.database.em.fork();
    expect((await em.findOneOrFail(CheckoutEntity, { id: link.id })).status).toBe('PENDING');
    expect(await heldBy(fixture)).toEqual(PAID_BY_PIX);
  });

  it('makes a refund once if the workflow gets its update three times', async () => {
    const charge = await paidPix(fixture);
    const requested = await requestRefund(fixture, charge);
    const request = () => chargeUpdates(fixture).refund(charge, requested.id, null);
    expect(await Promise.all([request(), request()])).toEqual(['REFUNDED', 'REFUNDED']);
    expect(await request()).toBe('REFUNDED');
    expect(await heldBy(fixture)).toEqual({});
    expect(await movementsOf(fixture)).toEqual(['PAYMENT', 'REFUND_RESERVED', 'REFUND_COMPLETED']);
  });
});

describe('a refund that the provider refuses', () => {
  it('restores the balance after a refused refund and accepts another one', async () => {
    const charge = await paidPix(fixture);
    fixture.provider.refuseReturns();
    const { status, refund: refused } = await refund(fixture, charge);
    fixture.provider.refuseReturns(false);
    expect(status).toBe('PAID');
    expect(refused).toMatchObject({ status: 'FAILED', refusal: 'TRANSACTION_NOT_REFUNDABLE' });
    expect(await chargeNow(charge)).toMatchObject({ status: 'PAID', refundId: null });
    expect(isReturned(charge)).toBe(false);
    expect(await heldBy(fixture)).toEqual(PAID_BY_PIX);

    expect(await refund(fixture, charge)).toMatchObject({ status: 'REFUNDED', refund: COMPLETED });
    expect(await heldBy(fixture)).toEqual({});
  });

  it('keeps a refused refund FAILED when its update is repeated', async () => {
    const charge = await paidPix(fixture);
    fixture.provider.refuseReturns();
    const { refund: refused } = await refund(fixture, charge);
    fixture.provider.refuseReturns(false);
    expect(await chargeUpdates(fixture).refund(charge, refused.id, null)).toBe('PAID');
    expect(await refundOf(fixture, refused.id)).toEqual(refused);
    expect(await heldBy(fixture)).toEqual(PAID_BY_PIX);
  });
});

describe('a refund that the provider has not finished', () => {
  const LATER: RefundAnswer = { outcome: 'PENDING', pollAfterMs: 60_000 };
  const TOMORROW: RefundAnswer = { outcome: 'PENDING', pollAfterMs: 86_400_000 };

  it('reserves the money of a pending refund and polls until it completes', async () => {
    const charge = await paidPix(fixture);
    const waits = Array.from({ length: 70 }, () => LATER);
    fixture.provider.answerRefunds(...waits);
    const { status, refund: begun } = await refund(fixture, charge, 4_000);
    expect([status, begun.status]).toEqual(['PAID', 'PENDING']);
    expect(await heldBy(fixture)).toMatchObject({ availableCents: 9_920 - 3_968, outgoingCents: 4_000 });

    const workflow = chargeWorkflowOf(fixture, charge);
    expect(await workflow.result()).toBe('PAID');
    expect(await refundOf(fixture, begun.id)).toMatchObject(COMPLETED);
    expect(fixture.provider.keptCents(charge.providerReference)).toBe(6_000);
    expect(await heldBy(fixture)).toMatchObject({ clearingCents: 6_000, availableCents: 9_920 - 3_968 });
    expect((await workflow.describe()).historyLength).toBeLessThan(400);
  });

  it('restores the balance if the provider refuses a pending refund', async () => {
    const charge = await paidPix(fixture);
    fixture.provider.answerRefunds(LATER, { outcome: 'REFUSED', reason: 'too late' });
    const { refund: begun } = await refund(fixture, charge);
    expect(await heldBy(fixture)).toEqual({ clearingCents: 10_000, outgoingCents: 10_000 });
    expect(await chargeWorkflowOf(fixture, charge).result()).toBe('PAID');
    expect(await refundOf(fixture, begun.id)).toMatchObject({ status: 'FAILED' });
    expect(await heldBy(fixture)).toEqual(PAID_BY_PIX);
  });

  it('polls a pending refund immediately when its payment is notified again', async () => {
    const charge = await insertPix(fixture);
    const payment = await mustPay(fixture, charge);
    await notify(fixture, payment);
    fixture.provider.answerRefunds(TOMORROW);
    const { refund: begun } = await refund(fixture, charge);
    expect(begun.status).toBe('PENDING');
    await notify(fixture, payment);
    await eventually(async () => expect(await refundOf(fixture, begun.id)).toMatchObject(COMPLETED));
    expect(await chargeNow(charge)).toMatchObject({ status: 'REFUNDED' });
  });

  it('polls a pending refund on every notification until it completes', async () => {
    const charge = await insertPix(fixture);
    const payment = await mustPay(fixture, charge);
    await notify(fixture, payment);
    // The first request takes one answer and the first notification up to three: later ones must poll again.
    fixture.provider.answerRefunds(...Array.from({ length: 6 }, () => TOMORROW));
    const { refund: begun } = await refund(fixture, charge);
    await eventually(async () => {
      await notify(fixture, payment);
      expect(await refundOf(fixture, begun.id)).toMatchObject(COMPLETED);
    });
  });

  it('polls a pending return immediately when its payment is notified again', async () => {
    const charge = await insertPix(fixture);
    fixture.provider.answerRefunds(TOMORROW);
    const tooLittle = await mustPay(fixture, charge, { amountCents: 9_999 });
    await notify(fixture, tooLittle);
    expect(await heldBy(fixture)).toEqual({ clearingCents: 9_999, suspenseCents: 9_999 });
    await notify(fixture, tooLittle);
    await eventually(async () => expect(await heldBy(fixture)).toEqual({}));
  });

  it('continues a pending refund in a new run if its run was lost', async () => {
    const charge = await paidPix(fixture);
    fixture.provider.answerRefunds(LATER, LATER);
    const { refund: begun } = await refund(fixture, charge);
    await terminateAtRest(chargeWorkflowOf(fixture, charge));
    await chargeUpdates(fixture).refund(charge, begun.id, null);
    expect(await chargeWorkflowOf(fixture, charge).result()).toBe('REFUNDED');
    expect(await refundOf(fixture, begun.id)).toMatchObject(COMPLETED);
  });

  it('accepts the right payment while an underpayment is being returned', async () => {
    const charge = await insertPix(fixture);
    fixture.provider.answerRefunds(LATER);
    await notify(fixture, await mustPay(fixture, charge, { amountCents: 9_999 }));
    expect(await heldBy(fixture)).toEqual({ clearingCents: 9_999, suspenseCents: 9_999 });
    expect(await notify(fixture, await mustPay(fixture, charge))).toBe('PAID');
    expect(await chargeWorkflowOf(fixture, charge).result()).toBe('PAID');
    expect(await heldBy(fixture)).toEqual(PAID_BY_PIX);
  });
});

describe('a refund that is not possible', () => {
  it('refuses to refund an unpaid charge', async () => {
    const charge = await insertPix(fixture);
    expect(await refund(fixture, charge)).toMatchObject({
      status: 'PENDING',
      refund: { status: 'FAILED', refusal: 'TRANSACTION_NOT_REFUNDABLE' },
    });
    expect(await movementsOf(fixture)).toEqual([]);
  });

  it('refuses to refund a charge twice', async () => {
    const charge = await paidPix(fixture);
    const { refund: made } = await refund(fixture, charge);
    await expect(requestRefund(fixture, charge)).rejects.toThrow('refunds_of_the_rest_once');
    expect(await refundOf(fixture, made.id)).toEqual(made);
  });

  it('refuses to refund a boleto', async () => {
    const none = { interest: null, fine: null };
    const charge = await insertBoleto(fixture, { dueDate: civilDate('2100-01-04'), ...none });
    await notify(fixture, await mustPay(fixture, charge));
    expect(await refund(fixture, charge)).toMatchObject({
      status: 'PAID',
      refund: { status: 'FAILED', refusal: 'INVALID_METHOD' },
    });
    expect(await movementsOf(fixture)).toEqual(['PAYMENT']);
  });

  it('refuses to refund a disputed payment', async () => {
    const charge = await paidPix(fixture);
    await dispute(fixture, charge, 'OPEN');
    expect(await refund(fixture, charge)).toMatchObject({
      status: 'UNDER_DISPUTE',
      refund: { status: 'FAILED', refusal: 'TRANSACTION_UNDER_DISPUTE' },
    });
    expect(await movementsOf(fixture)).toEqual(['PAYMENT', 'DISPUTE_OPENED']);
  });

  it('refuses a refund if one cent is missing in the balance', async () => {
    const charge = await paidPix(fixture);
    const other = await paidPix(fixture);
    await askForPayout(fixture, 9_920 + 1);
    expect(await refund(fixture, charge)).toMatchObject({
      status: 'PAID',
      refund: { status: 'FAILED', refusal: 'INSUFFICIENT_FUNDS' },
    });
    expect(await heldBy(fixture)).toMatchObject({ availableCents: 9_919, outgoingCents: 9_921 });
    await paidPix(fixture);
    expect((await refund(fixture, other)).status).toBe('REFUNDED');
  });
});
