import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EventEntity } from '../../src/database/entities/event.ts';
import { ORIGINAL_EVENT_NAMES, OWN_EVENT_NAMES } from '../../src/domain/event-names.ts';
import { mustPay, notify } from '../support/fixtures/charges.ts';
import { checkoutWorkflowOf, sleepingCheckout } from '../support/fixtures/checkouts.ts';
import { dispute, paidPix } from '../support/fixtures/money.ts';
import { createSubscribedFixture, type SubscribedFixture } from '../support/fixtures/subscribed-fixture.ts';
import { insertPix, startAsleep } from '../support/rows/charges.ts';

let fixture: SubscribedFixture;
beforeAll(async () => {
  fixture = await createSubscribedFixture();
});
beforeEach(() => fixture.stopListening());
afterAll(() => fixture.close());

const eventsOf = async (id: string) => {
  const events = await fixture.database.em.fork().find(EventEntity, { key: { $like: `%/${id}` } });
  return events.map(({ name }) => name);
};

const namesOf = (received: readonly { readonly body: string }[]) =>
  received.map(({ body }) => JSON.parse(body).event);

describe('an opt-in event', () => {
  it('publishes the expiry of a charge once, and stores no event without subscriber', async () => {
    const unsubscribed = await insertPix(fixture);
    expect(await (await startAsleep(fixture, unsubscribed)).result()).toBe('EXPIRED');
    expect(await eventsOf(unsubscribed.id)).toEqual([]);

    const endpoint = await fixture.listen({ events: ['transparent.expired'] });
    const subscribed = await insertPix(fixture);
    expect(await (await startAsleep(fixture, subscribed)).result()).toBe('EXPIRED');
    await endpoint.waitFor((received) => received.length === 1);
    const again = { chargeId: subscribed.id, nowMs: (await fixture.now()).getTime() };
    expect(await fixture.activities.expireCharge(again)).toBe('EXPIRED');
    expect(await eventsOf(subscribed.id)).toEqual(['transparent.expired']);
    expect(namesOf(endpoint.received)).toEqual(['transparent.expired']);
  });

  it('publishes no cancellation if the payer paid first', async () => {
    const endpoint = await fixture.listen({ events: ['transparent.cancelled', 'transparent.completed'] });
    const charge = await insertPix(fixture);
    const workflow = await startAsleep(fixture, charge);
    const payment = await mustPay(fixture, charge);
    const cancelled = { chargeId: charge.id, nowMs: (await fixture.now()).getTime() };
    expect(await fixture.activities.cancelCharge(cancelled)).toBe('PAID');
    await notify(fixture, payment);
    expect(await workflow.result()).toBe('PAID');
    await endpoint.waitFor((received) => received.length === 1);
    expect(await eventsOf(charge.id)).toEqual(['transparent.completed']);
  });

  it('publishes the expired checkout with its final state, once', async () => {
    const endpoint = await fixture.listen({ events: ['checkout.expired'] });
    const { checkout } = await sleepingCheckout(fixture);
    expect(await checkoutWorkflowOf(fixture, checkout).result()).toBe('EXPIRED');
    await endpoint.waitFor((received) => received.length === 1);
    const { data } = JSON.parse(endpoint.received[0]?.body ?? '');
    expect(data.checkout).toMatchObject({ id: checkout.id, status: 'EXPIRED', paidAmount: null });
    const again = { checkoutId: checkout.id, nowMs: (await fixture.now()).getTime() };
    await fixture.activities.expireCheckout(again);
    expect(await eventsOf(checkout.id)).toEqual(['checkout.expired']);
  });

  it('records a won dispute once, even without a subscriber', async () => {
    const charge = await paidPix(fixture);
    await dispute(fixture, charge, 'WON');
    await dispute(fixture, charge, 'WON');
    const events = await fixture.database.em
      .fork()
      .find(EventEntity, { subjectId: charge.id, name: 'transparent.won' });
    expect(events).toHaveLength(1);
  });

  it('sends no opt-in event to an endpoint that has not subscribed to it', async () => {
    const endpoint = await fixture.listen({ events: [...ORIGINAL_EVENT_NAMES] });
    const charge = await paidPix(fixture);
    await dispute(fixture, charge, 'WON');
    await endpoint.waitFor((received) => received.length >= 1);
    const { result } = await startAsleep(fixture, await insertPix(fixture)).then(async (workflow) => ({
      result: await workflow.result(),
    }));
    expect(result).toBe('EXPIRED');
    for (const name of namesOf(endpoint.received)) expect(OWN_EVENT_NAMES).not.toContain(name);
  });
});
