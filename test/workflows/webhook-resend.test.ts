import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RETRY_DELAYS_MS } from '../../src/domain/delivery.ts';
import { deliveriesToStart } from '../../src/events/delivery-to-start.ts';
import { howItEnded } from '../support/fixtures/how-it-ended.ts';
import { createSubscribedFixture, type SubscribedFixture } from '../support/fixtures/subscribed-fixture.ts';
import { terminateAtRest } from '../support/fixtures/terminate-at-rest.ts';
import { deliveryAttemptsOf, deliveryOf, resend, send } from '../support/rows/deliveries.ts';
import { eventually } from '../support/waiting/eventually.ts';

/** From the first attempt to the last one. */
const SCHEDULE_MS = RETRY_DELAYS_MS.reduce((sum, delayMs) => sum + delayMs, 0);

let fixture: SubscribedFixture;

beforeAll(async () => {
  fixture = await createSubscribedFixture();
});

afterAll(() => fixture.close());

describe('resending a delivery', () => {
  it('makes the next attempt at once when a waiting delivery is resent', async () => {
    const endpoint = fixture.sink.endpoint((attempt) => (attempt < 4 ? 500 : 200));
    const delivery = await send(fixture, endpoint.url);
    // Three failures, after which the next attempt is five minutes away.
    await fixture.environment.sleep('90 seconds');
    await endpoint.waitFor((received) => received.length === 3);
    const { runId } = await delivery.workflow().describe();
    await resend(fixture, delivery);
    await endpoint.waitFor((received) => received.length === 4);

    expect(await delivery.workflow().result()).toBe('DELIVERED');
    expect((await delivery.workflow().describe()).runId).toBe(runId);
    const [, , third, fourth] = await deliveryAttemptsOf(fixture, delivery);
    const pauseMs = (fourth?.startedAt.getTime() ?? 0) - (third?.startedAt.getTime() ?? 0);
    expect(pauseMs).toBeLessThan(0.9 * 5 * 60_000);
  });

  it('starts a run that sends the same bytes when a delivered one is resent', async () => {
    const endpoint = fixture.sink.endpoint();
    const delivery = await send(fixture, endpoint.url);
    await delivery.workflow().result();
    const { runId } = await delivery.workflow().describe();
    await resend(fixture, delivery);
    expect(await delivery.workflow().result()).toBe('DELIVERED');
    expect((await delivery.workflow().describe()).runId).not.toBe(runId);
    expect(endpoint.received.map(({ body }) => body)).toHaveLength(2);
    expect(new Set(endpoint.received.map(({ body }) => body)).size).toBe(1);
    expect(await deliveryOf(fixture, delivery)).toMatchObject({ status: 'DELIVERED', attempts: 2 });
  });

  it('restarts the whole schedule when a failed delivery is resent', async () => {
    const endpoint = fixture.sink.endpoint((attempt) => (attempt <= 11 + 2 ? 500 : 200));
    const delivery = await send(fixture, endpoint.url);
    expect(await howItEnded(delivery.workflow())).toBe('FAILED');
    await resend(fixture, delivery);
    expect(await delivery.workflow().result()).toBe('DELIVERED');
    expect(endpoint.received).toHaveLength(11 + 3);
    expect(await deliveryOf(fixture, delivery)).toMatchObject({ status: 'DELIVERED', attempts: 14 });
  });

  it('restarts the whole schedule after a resend during a failing last attempt', async () => {
    const endpoint = fixture.sink.endpoint(async (attempt) => {
      if (attempt === 11) await resend(fixture, delivery);
      return attempt <= 11 + 2 ? 500 : 200;
    });
    const delivery = await send(fixture, endpoint.url);
    expect(await delivery.workflow().result()).toBe('DELIVERED');
    expect(endpoint.received).toHaveLength(11 + 3);
    expect(await deliveryOf(fixture, delivery)).toMatchObject({ status: 'DELIVERED', attempts: 14 });
  });

  it('uses up no attempt of the schedule, however often a delivery is resent', async () => {
    const endpoint = fixture.sink.endpoint(() => 500);
    const delivery = await send(fixture, endpoint.url);
    await endpoint.waitFor((received) => received.length === 1);
    for (let asked = 1; asked <= 12; asked += 1) {
      await resend(fixture, delivery);
      await endpoint.waitFor((received) => received.length >= asked + 1);
    }
    expect(await howItEnded(delivery.workflow())).toBe('FAILED');
    expect(endpoint.received).toHaveLength(11 + 12);
    const [first, ...later] = await deliveryAttemptsOf(fixture, delivery);
    const lastMs = later.at(-1)?.startedAt.getTime() ?? 0;
    expect(lastMs - (first?.startedAt.getTime() ?? 0)).toBeGreaterThan(0.9 * SCHEDULE_MS);
  });

  it('keeps the place in the schedule after a resend, also if the run is lost', async () => {
    const endpoint = fixture.sink.endpoint(() => 500);
    const delivery = await send(fixture, endpoint.url);
    await fixture.environment.sleep('30 seconds');
    await endpoint.waitFor((received) => received.length === 2);
    await resend(fixture, delivery);
    await endpoint.waitFor((received) => received.length === 3);
    await eventually(async () => expect(await deliveryOf(fixture, delivery)).toMatchObject({ attempts: 3 }));
    await terminateAtRest(delivery.workflow());
    const [lost] = await deliveriesToStart(fixture.database.em.fork(), [delivery.id]);
    expect(lost?.progress?.attemptsMade).toBe(2);
  });

  it('makes one attempt and follows the schedule when a failed delivery is resent', async () => {
    const endpoint = fixture.sink.endpoint(() => 500);
    const delivery = await send(fixture, endpoint.url);
    await howItEnded(delivery.workflow());
    await resend(fixture, delivery);
    await howItEnded(delivery.workflow());
    const startedMs = (await deliveryAttemptsOf(fixture, delivery)).map((attempt) =>
      attempt.startedAt.getTime(),
    );
    expect(startedMs).toHaveLength(22);
    const pauseMs = (startedMs[12] ?? 0) - (startedMs[11] ?? 0);
    expect(pauseMs).toBeGreaterThanOrEqual(0.9 * 5_000);
  });
});
