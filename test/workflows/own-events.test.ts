import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EventEntity } from '../../src/database/entities/event.ts';
import { ORIGINAL_EVENT_NAMES, OWN_EVENT_NAMES } from '../../src/domain/event.ts';
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

describe('an event of ours', () => {
  it('of a charge that nobody pays is told once to who named it, and is no row where nobody has', async () => {
    const unheard = await insertPix(fixture);
    expect(await (await startAsleep(fixture, unheard)).result()).toBe('EXPIRED');
    expect(await eventsOf(unheard.id)).toEqual([]);

    const endpoint = await fixture.listen({ events: ['transparent.expired'] });
    const heard = await insertPix(fixture);
    expect(await (await startAsleep(fixture, heard)).result()).toBe('EXPIRED');
    await endpoint.waitFor((received) => received.length === 1);
    const again = { chargeId: heard.id, nowMs: (await fixture.now()).getTime() };
    expect(await fixture.activities.expireCharge(again)).toBe('EXPIRED');
    expect(await eventsOf(heard.id)).toEqual(['transparent.expired']);
    expect(namesOf(endpoint.received)).toEqual(['transparent.expired']);
  });

  it('is not told where the payer was first', async () => {
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

  it('of a checkout that expires is told with the checkout as it is then', async () => {
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

  it('of a dispute that is won is recorded once, though nobody listens', async () => {
    const charge = await paidPix(fixture);
    await dispute(fixture, charge, 'WON');
    await dispute(fixture, charge, 'WON');
    const events = await fixture.database.em
      .fork()
      .find(EventEntity, { subjectId: charge.id, name: 'transparent.won' });
    expect(events).toHaveLength(1);
  });

  it('is sent to nobody who has not named it', async () => {
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
