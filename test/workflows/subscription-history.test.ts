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

/** Limit of history events of one cycle, over all its workflows. */
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

/** Counts history events of the newest cycle's charge and its delivery, once both have ended. */
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

/** Counts history events of the subscription's own run, once it waits for this cycle. */
async function eventsUntil(subscription: Subscription, nextNumber: number): Promise<number> {
  const workflow = workflowOf(fixture, subscription);
  await eventually(async () => expect(await workflow.query('state')).toMatchObject({ nextNumber }));
  return eventCountOf(workflow.workflowId);
}

describe('the renewal of a card subscription with one webhook', () => {
  it('writes at most 30 history events over all workflows of a renewal', async () => {
    const events = ['subscription.renewed' as const];
    await fixture.listen({ events });
    const subscription = await subscribe(fixture);
    // The first delivery to an endpoint is slower than later ones, and the first cycle of a run includes the
    // start of the run.
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
