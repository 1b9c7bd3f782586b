import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Charge, ChargeEntity } from '../../src/database/entities/charge.ts';
import { EventEntity } from '../../src/database/entities/event.ts';
import { ORIGINAL_EVENT_NAMES } from '../../src/domain/event-names.ts';
import { cancel, mustPay, notify, payUnnoticed } from '../support/fixtures/charges.ts';
import { beginPayment, openCheckout, startCheckoutAsleep } from '../support/fixtures/checkouts.ts';
import { createSubscribedFixture, type SubscribedFixture } from '../support/fixtures/subscribed-fixture.ts';
import { insertPix, startAsleep } from '../support/rows/charges.ts';

let fixture: SubscribedFixture;
beforeAll(async () => {
  fixture = await createSubscribedFixture();
});
beforeEach(() => fixture.stopListening());
afterAll(() => fixture.close());

async function returnsOf({ id }: Charge) {
  const about = { name: 'payment.returned' as const, subjectId: id as never };
  const events = await fixture.database.em.fork().find(EventEntity, about);
  return events.map(({ data }) => JSON.parse(data));
}

async function reasonsOf(charge: Charge): Promise<string[]> {
  return (await returnsOf(charge)).map(({ returnedPayment }) => returnedPayment.reason);
}

/** Pays a charge in full, in any state. */
async function payAgain(charge: Charge, paidAt?: Date) {
  const { providerReference: reference, amountCents } = charge;
  return fixture.provider.payDespiteClosing({
    reference,
    amountCents,
    paidAt: paidAt ?? (await fixture.now()),
  });
}

describe('payment.returned', () => {
  it('sends one payment.returned with the second payment, its charge and payer', async () => {
    const endpoint = await fixture.listen({ events: ['payment.returned'] });
    const charge = await insertPix(fixture);
    await startAsleep(fixture, charge);
    await notify(fixture, await mustPay(fixture, charge));
    const second = await payAgain(charge);
    for (let times = 0; times < 3; times++) expect(await notify(fixture, second)).toBe('PAID');
    await endpoint.waitFor((received) => received.length === 1);
    const [returned] = await returnsOf(charge);
    expect(await returnsOf(charge)).toHaveLength(1);
    expect(returned).toMatchObject({
      returnedPayment: { amount: 10_000, reason: 'ALREADY_PAID', checkoutId: null, subscriptionId: null },
      payment: { id: charge.id, status: 'PAID', amount: 10_000 },
      payerInformation: { method: 'PIX' },
    });
    expect(JSON.parse(endpoint.received[0]?.body ?? '')).toMatchObject({
      event: 'payment.returned',
      data: returned,
    });
  });

  it('reports AMOUNT_TOO_LOW for an underpayment', async () => {
    const charge = await insertPix(fixture);
    await startAsleep(fixture, charge);
    await notify(fixture, await mustPay(fixture, charge, { amountCents: 9_999 }));
    expect(await reasonsOf(charge)).toEqual(['AMOUNT_TOO_LOW']);
  });

  it('reports PAID_LATE for a payment after the deadline', async () => {
    const charge = await insertPix(fixture);
    expect(await (await startAsleep(fixture, charge)).result()).toBe('EXPIRED');
    await notify(fixture, await payAgain(charge, new Date(charge.closesAt.getTime() + 1)));
    expect(await reasonsOf(charge)).toEqual(['PAID_LATE']);
  });

  it('reports CANCELLED for a payment of a cancelled charge', async () => {
    const charge = await insertPix(fixture);
    const payment = payUnnoticed(fixture, charge);
    expect(await cancel(fixture, charge)).toBe('CANCELLED');
    await notify(fixture, payment);
    expect(await reasonsOf(charge)).toEqual(['CANCELLED']);
  });

  it('reports ALREADY_PAID if another charge has paid the checkout', async () => {
    const checkout = await openCheckout(fixture);
    await startCheckoutAsleep(fixture, checkout);
    const charge = await beginPayment(fixture, checkout);
    const payment = payUnnoticed(fixture, charge);
    await beginPayment(fixture, checkout, { method: 'CARD' });
    await notify(fixture, payment);
    expect(await returnsOf(charge)).toEqual([
      expect.objectContaining({
        returnedPayment: expect.objectContaining({ reason: 'ALREADY_PAID', checkoutId: checkout.id }),
      }),
    ]);
  });

  it('records no payment.returned if the provider refuses the return', async () => {
    const charge = await insertPix(fixture);
    await startAsleep(fixture, charge);
    await notify(fixture, await mustPay(fixture, charge));
    fixture.provider.refuseReturns();
    await notify(fixture, await payAgain(charge));
    fixture.provider.refuseReturns(false);
    expect(await reasonsOf(charge)).toEqual([]);
  });

  it('sends no payment.returned to an endpoint without a subscription to it', async () => {
    const endpoint = await fixture.listen({ events: [...ORIGINAL_EVENT_NAMES] });
    const charge = await insertPix(fixture);
    await startAsleep(fixture, charge);
    await notify(fixture, await mustPay(fixture, charge));
    await notify(fixture, await payAgain(charge));
    expect(await reasonsOf(charge)).toEqual(['ALREADY_PAID']);
    await endpoint.waitFor((received) => received.length === 1);
    expect(endpoint.received.map(({ body }) => JSON.parse(body).event)).toEqual(['transparent.completed']);
    const { status } = await fixture.database.em.fork().findOneOrFail(ChargeEntity, { id: charge.id });
    expect(status).toBe('PAID');
  });
});
