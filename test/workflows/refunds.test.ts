import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Charge, ChargeEntity } from '../../src/database/entities/charge.ts';
import { CheckoutEntity } from '../../src/database/entities/checkout.ts';
import { civilDate } from '../../src/domain/civil-date.ts';
import type { RefundAnswer } from '../../src/providers/provider.ts';
import { askForPayout } from '../support/api/store-request.ts';
import { chargeUpdates, mustPay, notify } from '../support/lives/charge-life.ts';
import {
  beginPayment,
  chargeWorkflowOf,
  endOf,
  openCheckout,
  openLink,
} from '../support/lives/checkout-life.ts';
import { dispute, paidPix, refund, refundOf, requestRefund } from '../support/lives/money-life.ts';
import { terminateAtRest } from '../support/lives/terminate-at-rest.ts';
import { createWorkflowWorld, type WorkflowWorld } from '../support/lives/workflow-world.ts';
import { heldBy, movementsOf, withNewStore } from '../support/rows/books.ts';
import { insertBoleto, insertPix } from '../support/rows/charges.ts';
import { eventually } from '../support/waiting/eventually.ts';

let shared: WorkflowWorld;
let world: WorkflowWorld;

beforeAll(async () => {
  shared = await createWorkflowWorld();
});

beforeEach(async () => {
  world = await withNewStore(shared);
});

afterAll(() => shared.close());

const COMPLETED = { status: 'COMPLETED', refusal: null };

/** Books of a store that has been paid R$ 100.00 by PIX. */
const PAID_BY_PIX = { clearingCents: 10_000, availableCents: 9_920, platformFeesCents: 80 };

/** Whether the provider has sent back all that was paid for the charge. */
function isReturned({ providerReference }: Charge): boolean {
  return world.provider.keptCents(providerReference) === 0;
}

async function chargeNow({ id }: Charge) {
  return world.database.em.fork().findOneOrFail(ChargeEntity, { id });
}

describe('a refund', () => {
  it('of a PIX charge sends the whole payment back, and costs the store nothing', async () => {
    const charge = await paidPix(world);
    expect(await heldBy(world)).toEqual(PAID_BY_PIX);
    const { status, refund: made } = await refund(world, charge);
    expect(status).toBe('REFUNDED');
    expect(made).toMatchObject({ ...COMPLETED, amountCents: 10_000 });
    expect(await chargeNow(charge)).toMatchObject({ status: 'REFUNDED', refundId: made.id });
    expect(isReturned(charge)).toBe(true);
    expect(await heldBy(world)).toEqual({});
    expect(await movementsOf(world)).toEqual(['PAYMENT', 'REFUND_RESERVED', 'REFUND_COMPLETED']);
  });

  it('comes long after the run of its charge has ended, in a run of its own that ends REFUNDED', async () => {
    const charge = await paidPix(world);
    const workflow = chargeWorkflowOf(world, charge);
    await endOf(world, workflow);
    const { runId: ofThePayment } = await workflow.describe();
    await refund(world, charge);
    expect(await endOf(world, workflow)).toBe('REFUNDED');
    expect((await workflow.describe()).runId).not.toBe(ofThePayment);
  });

  it('of a card payment takes what is still pending', async () => {
    const charge = await beginPayment(world, await openCheckout(world), { method: 'CARD' });
    expect(await heldBy(world)).toMatchObject({ pendingCents: 10_000 - 410 });
    expect((await refund(world, charge)).status).toBe('REFUNDED');
    expect(await heldBy(world)).toEqual({});
  });

  it('makes the checkout REFUNDED that the charge had paid', async () => {
    const checkout = await openCheckout(world);
    const charge = await beginPayment(world, checkout);
    await notify(world, await mustPay(world, charge));
    expect((await refund(world, charge)).status).toBe('REFUNDED');
    const em = world.database.em.fork();
    expect((await em.findOneOrFail(CheckoutEntity, { id: checkout.id })).status).toBe('REFUNDED');
  });

  it('of one payment of a link leaves the link open and its other payments alone', async () => {
    const link = await openLink(world);
    const [one, other] = [await beginPayment(world, link), await beginPayment(world, link)];
    for (const charge of [one, other]) await notify(world, await mustPay(world, charge));
    expect((await refund(world, one)).status).toBe('REFUNDED');
    expect((await chargeNow(other)).status).toBe('PAID');
    const em = world.database.em.fork();
    expect((await em.findOneOrFail(CheckoutEntity, { id: link.id })).status).toBe('PENDING');
    expect(await heldBy(world)).toEqual(PAID_BY_PIX);
  });

  it('told to the workflow twice is made once', async () => {
    const charge = await paidPix(world);
    const requested = await requestRefund(world, charge);
    const tell = () => chargeUpdates(world).refund(charge, requested.id, null);
    expect(await Promise.all([tell(), tell()])).toEqual(['REFUNDED', 'REFUNDED']);
    expect(await tell()).toBe('REFUNDED');
    expect(await heldBy(world)).toEqual({});
    expect(await movementsOf(world)).toEqual(['PAYMENT', 'REFUND_RESERVED', 'REFUND_COMPLETED']);
  });
});

describe('a refund that the provider refuses', () => {
  it('changes nothing in the end, and another one may follow', async () => {
    const charge = await paidPix(world);
    world.provider.refuseReturns();
    const { status, refund: refused } = await refund(world, charge);
    world.provider.refuseReturns(false);
    expect(status).toBe('PAID');
    expect(refused).toMatchObject({ status: 'FAILED', refusal: 'TRANSACTION_NOT_REFUNDABLE' });
    expect(await chargeNow(charge)).toMatchObject({ status: 'PAID', refundId: null });
    expect(isReturned(charge)).toBe(false);
    expect(await heldBy(world)).toEqual(PAID_BY_PIX);

    expect(await refund(world, charge)).toMatchObject({ status: 'REFUNDED', refund: COMPLETED });
    expect(await heldBy(world)).toEqual({});
  });

  it('told again stays refused', async () => {
    const charge = await paidPix(world);
    world.provider.refuseReturns();
    const { refund: refused } = await refund(world, charge);
    world.provider.refuseReturns(false);
    expect(await chargeUpdates(world).refund(charge, refused.id, null)).toBe('PAID');
    expect(await refundOf(world, refused.id)).toEqual(refused);
    expect(await heldBy(world)).toEqual(PAID_BY_PIX);
  });
});

describe('a refund that the provider has not finished', () => {
  const LATER: RefundAnswer = { outcome: 'PENDING', pollAfterMs: 60_000 };
  const TOMORROW: RefundAnswer = { outcome: 'PENDING', pollAfterMs: 86_400_000 };

  it('is answered as PENDING with its money set aside, and asked for until it is back, in few events', async () => {
    const charge = await paidPix(world);
    const waits = Array.from({ length: 70 }, () => LATER);
    world.provider.answerRefunds(...waits);
    const { status, refund: begun } = await refund(world, charge, 4_000);
    expect([status, begun.status]).toEqual(['PAID', 'PENDING']);
    expect(await heldBy(world)).toMatchObject({ availableCents: 9_920 - 3_968, outgoingCents: 4_000 });

    const workflow = chargeWorkflowOf(world, charge);
    expect(await workflow.result()).toBe('PAID');
    expect(await refundOf(world, begun.id)).toMatchObject(COMPLETED);
    expect(world.provider.keptCents(charge.providerReference)).toBe(6_000);
    expect(await heldBy(world)).toMatchObject({ clearingCents: 6_000, availableCents: 9_920 - 3_968 });
    expect((await workflow.describe()).historyLength).toBeLessThan(400);
  });

  it('and refuses in the end gives the money back', async () => {
    const charge = await paidPix(world);
    world.provider.answerRefunds(LATER, { outcome: 'REFUSED', reason: 'too late' });
    const { refund: begun } = await refund(world, charge);
    expect(await heldBy(world)).toEqual({ clearingCents: 10_000, outgoingCents: 10_000 });
    expect(await chargeWorkflowOf(world, charge).result()).toBe('PAID');
    expect(await refundOf(world, begun.id)).toMatchObject({ status: 'FAILED' });
    expect(await heldBy(world)).toEqual(PAID_BY_PIX);
  });

  it('is asked for at once where the provider tells of the payment again', async () => {
    const charge = await insertPix(world);
    const payment = await mustPay(world, charge);
    await notify(world, payment);
    world.provider.answerRefunds(TOMORROW);
    const { refund: begun } = await refund(world, charge);
    expect(begun.status).toBe('PENDING');
    await notify(world, payment);
    await eventually(async () => expect(await refundOf(world, begun.id)).toMatchObject(COMPLETED));
    expect(await chargeNow(charge)).toMatchObject({ status: 'REFUNDED' });
  });

  it('is asked for at once however often the provider tells of the payment before it has finished', async () => {
    const charge = await insertPix(world);
    const payment = await mustPay(world, charge);
    await notify(world, payment);
    // As it begins, and at most three times as the run is told for the first time.
    world.provider.answerRefunds(...Array.from({ length: 6 }, () => TOMORROW));
    const { refund: begun } = await refund(world, charge);
    await eventually(async () => {
      await notify(world, payment);
      expect(await refundOf(world, begun.id)).toMatchObject(COMPLETED);
    });
  });

  it('and that is of a payment which was not accepted is asked for at once where it is told of again', async () => {
    const charge = await insertPix(world);
    world.provider.answerRefunds(TOMORROW);
    const tooLittle = await mustPay(world, charge, { amountCents: 9_999 });
    await notify(world, tooLittle);
    expect(await heldBy(world)).toEqual({ clearingCents: 9_999, suspenseCents: 9_999 });
    await notify(world, tooLittle);
    await eventually(async () => expect(await heldBy(world)).toEqual({}));
  });

  it('told to a run that was lost goes on in another one', async () => {
    const charge = await paidPix(world);
    world.provider.answerRefunds(LATER, LATER);
    const { refund: begun } = await refund(world, charge);
    await terminateAtRest(chargeWorkflowOf(world, charge));
    await chargeUpdates(world).refund(charge, begun.id, null);
    expect(await chargeWorkflowOf(world, charge).result()).toBe('REFUNDED');
    expect(await refundOf(world, begun.id)).toMatchObject(COMPLETED);
  });

  it('holds up no payment: one that is too little goes back while the right one is taken', async () => {
    const charge = await insertPix(world);
    world.provider.answerRefunds(LATER);
    await notify(world, await mustPay(world, charge, { amountCents: 9_999 }));
    expect(await heldBy(world)).toEqual({ clearingCents: 9_999, suspenseCents: 9_999 });
    expect(await notify(world, await mustPay(world, charge))).toBe('PAID');
    expect(await chargeWorkflowOf(world, charge).result()).toBe('PAID');
    expect(await heldBy(world)).toEqual(PAID_BY_PIX);
  });
});

describe('a refund is refused, and moves nothing, of', () => {
  it('a charge that is not paid', async () => {
    const charge = await insertPix(world);
    expect(await refund(world, charge)).toMatchObject({
      status: 'PENDING',
      refund: { status: 'FAILED', refusal: 'TRANSACTION_NOT_REFUNDABLE' },
    });
    expect(await movementsOf(world)).toEqual([]);
  });

  it('a charge that is refunded already', async () => {
    const charge = await paidPix(world);
    const { refund: made } = await refund(world, charge);
    await expect(requestRefund(world, charge)).rejects.toThrow('refunds_of_the_rest_once');
    expect(await refundOf(world, made.id)).toEqual(made);
  });

  it('a boleto', async () => {
    const none = { interest: null, fine: null };
    const charge = await insertBoleto(world, { dueDate: civilDate('2100-01-04'), ...none });
    await notify(world, await mustPay(world, charge));
    expect(await refund(world, charge)).toMatchObject({
      status: 'PAID',
      refund: { status: 'FAILED', refusal: 'INVALID_METHOD' },
    });
    expect(await movementsOf(world)).toEqual(['PAYMENT']);
  });

  it('a payment that is disputed', async () => {
    const charge = await paidPix(world);
    await dispute(world, charge, 'OPEN');
    expect(await refund(world, charge)).toMatchObject({
      status: 'UNDER_DISPUTE',
      refund: { status: 'FAILED', refusal: 'TRANSACTION_UNDER_DISPUTE' },
    });
    expect(await movementsOf(world)).toEqual(['PAYMENT', 'DISPUTE_OPENED']);
  });

  it('money that has been paid out, to the cent', async () => {
    const charge = await paidPix(world);
    const other = await paidPix(world);
    await askForPayout(world, 9_920 + 1);
    expect(await refund(world, charge)).toMatchObject({
      status: 'PAID',
      refund: { status: 'FAILED', refusal: 'INSUFFICIENT_FUNDS' },
    });
    expect(await heldBy(world)).toMatchObject({ availableCents: 9_919, outgoingCents: 9_921 });
    await paidPix(world);
    expect((await refund(world, other)).status).toBe('REFUNDED');
  });
});
