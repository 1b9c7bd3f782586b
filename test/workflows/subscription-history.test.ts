import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DeliveryEntity } from '../../src/database/entities/delivery.ts';
import { EventEntity } from '../../src/database/entities/event.ts';
import type { Subscription } from '../../src/database/entities/subscription.ts';
import { deliveryWorkflowId } from '../../workflows/webhook-delivery.contract.ts';
import { chargeWorkflowOf } from '../support/fixtures/checkouts.ts';
import { createSubscribedFixture, type SubscribedFixture } from '../support/fixtures/subscribed-fixture.ts';
import {
  cancelSubscription,
  newestCharge,
  nextCycle,
  subscribe,
  workflowOf,
} from '../support/fixtures/subscriptions.ts';
import { eventually } from '../support/waiting/eventually.ts';

/** What one cycle may cost over all its workflows. */
const MOST_EVENTS_PER_CYCLE = 30;

let fixture: SubscribedFixture;
beforeAll(async () => {
  fixture = await createSubscribedFixture();
});
afterAll(() => fixture.close());

async function eventCountOf(workflowId: string): Promise<number> {
  const { events } = await fixture.client.workflow.getHandle(workflowId).fetchHistory();
  return events?.length ?? 0;
}

/** Events of the newest cycle's charge and its delivery. Both have ended when this returns. */
async function attemptEvents(subscription: Subscription) {
  const charge = await newestCharge(fixture, subscription);
  const em = fixture.database.em.fork();
  const event = await em.findOneOrFail(EventEntity, { key: `subscription.renewed/${charge.id}` });
  const delivery = await em.findOneOrFail(DeliveryEntity, { eventId: event.id });
  const workflowIds = [chargeWorkflowOf(fixture, charge).workflowId, deliveryWorkflowId(delivery.id)];
  const [ofCharge = 0, ofDelivery = 0] = await Promise.all(
    workflowIds.map((workflowId) =>
      eventually(async () => {
        expect((await fixture.client.workflow.getHandle(workflowId).describe()).status.name).toBe(
          'COMPLETED',
        );
        return eventCountOf(workflowId);
      }),
    ),
  );
  return { ofCharge, ofDelivery };
}

/** Events of the subscription's own run, once it is asleep until this cycle. */
async function eventsUntil(subscription: Subscription, nextNumber: number): Promise<number> {
  const workflow = workflowOf(fixture, subscription);
  await eventually(async () => expect(await workflow.query('state')).toMatchObject({ nextNumber }));
  return eventCountOf(workflow.workflowId);
}

describe('the renewal of a card subscription that one webhook is told of', () => {
  it('writes at most 30 events into the histories of all its workflows', async () => {
    const events = ['subscription.renewed' as const];
    await fixture.listen({ events });
    const subscription = await subscribe(fixture);
    // The first delivery to an endpoint is slower than all others, and a run's first cycle has its start in
    // it.
    for (const _cycle of ['second', 'third']) {
      await nextCycle(fixture, subscription);
      await attemptEvents(subscription);
    }
    const before = await eventsUntil(subscription, 4);
    await nextCycle(fixture, subscription);
    const after = await eventsUntil(subscription, 5);
    const { ofCharge, ofDelivery } = await attemptEvents(subscription);
    expect(after - before + ofCharge + ofDelivery).toBeLessThanOrEqual(MOST_EVENTS_PER_CYCLE);
    await cancelSubscription(fixture, subscription);
  });
});
