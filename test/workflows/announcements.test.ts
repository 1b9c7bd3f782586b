import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EventEntity } from '../../src/database/entities/event.ts';
import { PlanUpdateEntity } from '../../src/database/entities/plan-update.ts';
import { type Subscription, SubscriptionEntity } from '../../src/database/entities/subscription.ts';
import { type EventName, ORIGINAL_EVENT_NAMES } from '../../src/domain/event-names.ts';
import type { DeliveryId, PlanUpdateId } from '../../src/domain/ids.ts';
import { mintId } from '../../src/ids.ts';
import { announceDue } from '../../src/subscriptions/announce-due.ts';
import { cancelNow } from '../../src/subscriptions/cancel-subscription.ts';
import { openCycle } from '../../src/subscriptions/open-cycle.ts';
import { type BareFixture, createBareFixture } from '../support/fixtures/bare-fixture.ts';
import { addUsage, DAY_MS, insertSubscription, subscriptionOf } from '../support/fixtures/subscriptions.ts';
import { recordStatements } from '../support/rows/asked-statements.ts';
import { insertWebhook } from '../support/rows/build.ts';
import { insertProduct, itemOf } from '../support/rows/checkout-rows.ts';
import { fill } from '../support/rows/fill.ts';

const BOTH: EventName[] = ['subscription.trial_ending', 'subscription.upcoming'];

let shared: BareFixture;
let fixture: BareFixture;
let started: DeliveryId[];
beforeAll(async () => {
  shared = await createBareFixture();
});
beforeEach(async () => {
  fixture = await shared.withNewStore();
  started = [];
});
afterAll(() => shared.close());

const listen = (events: EventName[] = BOTH) =>
  insertWebhook(fixture.database, { storeId: fixture.storeId, events });

const deps = () => fixture.deps({ startDelivery: async ({ deliveryId }) => void started.push(deliveryId) });

/** Counts of the events that a round at `now` publishes for this test's store. */
const announced = (now: Date) =>
  announceDue(deps(), { now, owner: { storeId: fixture.storeId, devMode: true } });

/** An instant in days after the start of a subscription. Its months start on the days 0, 31 and 59. */
const ANCHOR = new Date('2026-12-31T15:00:00.000Z');
const day = (number: number) => new Date(ANCHOR.getTime() + number * DAY_MS);

const monthly = () => insertSubscription(fixture, ANCHOR);
const onTrial = (trialDays: number) => insertSubscription(fixture, ANCHOR, { trialDays });

async function published({ id }: Pick<Subscription, 'id'>) {
  const order = { orderBy: { createdAt: 'asc' as const, id: 'asc' as const } };
  const events = await fixture.database.em.fork().find(EventEntity, { subscriptionId: id }, order);
  return events.map(({ name, data }) => ({ name, ...JSON.parse(data) }));
}

/** Opens the next cycle and marks it as paid. */
async function renew({ id }: Subscription, now: Date): Promise<void> {
  const em = fixture.database.em.fork();
  const { cycleNumber } = await subscriptionOf(fixture, { id });
  await openCycle(deps(), em, { subscriptionId: id, number: cycleNumber + 1, now }, async () => null);
  await em.nativeUpdate(SubscriptionEntity, { id }, { attemptDueAt: null });
}

describe('upcoming charges', () => {
  it("announces each cycle's charge once, from seven days before it", async () => {
    await listen();
    const subscription = await monthly();
    expect(await announced(day(23.9))).toMatchObject({ 'subscription.upcoming': 0 });
    expect(await announced(day(24))).toMatchObject({
      'subscription.upcoming': 1,
      'subscription.trial_ending': 0,
    });
    expect(await announced(day(25))).toMatchObject({ 'subscription.upcoming': 0 });
    await renew(subscription, day(31));
    expect(await announced(day(32))).toMatchObject({ 'subscription.upcoming': 0 });
    expect(await announced(day(58))).toMatchObject({ 'subscription.upcoming': 1 });
    expect(await published(subscription)).toMatchObject([
      { name: 'subscription.upcoming', nextCycle: { number: 2, startsAt: day(31).toISOString() } },
      { name: 'subscription.upcoming', nextCycle: { number: 3, startsAt: day(59).toISOString() } },
    ]);
    expect(started).toHaveLength(2);
  });

  it("announces the charge after a trial, and the trial's end three days before", async () => {
    await listen();
    const subscription = await onTrial(14);
    expect(await announced(day(7))).toMatchObject({
      'subscription.upcoming': 1,
      'subscription.trial_ending': 0,
    });
    expect(await announced(day(11))).toMatchObject({
      'subscription.upcoming': 0,
      'subscription.trial_ending': 1,
    });
    expect(await announced(day(12))).toMatchObject({
      'subscription.upcoming': 0,
      'subscription.trial_ending': 0,
    });
    const [, ending] = await published(subscription);
    expect(ending).toMatchObject({
      subscription: { trialDays: 14, trialEndsAt: day(14).toISOString() },
      nextCycle: { number: 1, startsAt: day(14).toISOString(), amount: 5_000 },
    });
  });

  it('announces the charges of a week and of a short trial immediately', async () => {
    await listen();
    const trial = await onTrial(1);
    const weekly = await insertSubscription(fixture, ANCHOR, { cycle: 'WEEKLY' });
    expect(await announced(day(0.1))).toMatchObject({
      'subscription.upcoming': 2,
      'subscription.trial_ending': 1,
    });
    expect((await published(trial)).map(({ name }) => name).sort()).toEqual(BOTH);
    expect(await published(weekly)).toMatchObject([{ nextCycle: { number: 2 } }]);
  });

  it('includes the pending plan and the usage so far in the announced amount', async () => {
    await listen();
    const subscription = await monthly();
    await addUsage(fixture, subscription, 120);
    const dearer = await insertProduct(fixture, { cycle: 'MONTHLY', priceCents: 9_000 });
    await fixture.database.em.fork().insert(PlanUpdateEntity, {
      id: mintId<PlanUpdateId>('planUpdate', ANCHOR),
      subscriptionId: subscription.id,
      status: 'PENDING',
      plan: itemOf(dearer),
      amountCents: 9_000,
      cycle: 'MONTHLY',
      starts: 'NEXT_CYCLE',
      proration: null,
      requestedAt: ANCHOR,
      appliedAt: null,
    });
    await announced(day(30));
    expect(await published(subscription)).toMatchObject([
      { subscription: { amount: 5_000 }, nextCycle: { number: 2, amount: 9_120 } },
    ]);
  });
});

describe('unannounced charges', () => {
  it('announces no charge of a cancelled subscription', async () => {
    await listen();
    const subscription = await onTrial(2);
    await cancelNow(deps(), subscription.id, day(0.5));
    expect(await announced(day(1))).toMatchObject({
      'subscription.upcoming': 0,
      'subscription.trial_ending': 0,
    });
  });

  it('announces no charge while a cycle is being charged', async () => {
    await listen();
    const subscription = await insertSubscription(fixture, ANCHOR, { cycle: 'WEEKLY' });
    const second = { subscriptionId: subscription.id, number: 2, now: day(7) };
    await openCycle(deps(), fixture.database.em.fork(), second, async () => null);
    expect(await announced(day(8))).toMatchObject({ 'subscription.upcoming': 0 });
  });

  it('announces no charge that is already past after an outage', async () => {
    await listen();
    const [trial, subscription] = [await onTrial(14), await monthly()];
    expect(await announced(day(14.1))).toMatchObject({
      'subscription.upcoming': 0,
      'subscription.trial_ending': 0,
    });
    expect(await announced(day(31))).toMatchObject({ 'subscription.upcoming': 0 });
    expect([...(await published(trial)), ...(await published(subscription))]).toEqual([]);
  });

  it('announces upcoming charges only after an endpoint subscribed to the event', async () => {
    await listen([...ORIGINAL_EVENT_NAMES]);
    const subscription = await monthly();
    expect(await announced(day(25))).toMatchObject({ 'subscription.upcoming': 0 });
    await listen(['subscription.trial_ending']);
    expect(await announced(day(25))).toMatchObject({ 'subscription.upcoming': 0 });
    expect(await published(subscription)).toEqual([]);
    await listen(['subscription.upcoming']);
    expect(await announced(day(26))).toMatchObject({ 'subscription.upcoming': 1 });
    expect(started).toHaveLength(1);
  });

  it('announces no charge of another store or environment', async () => {
    await listen();
    await insertSubscription(fixture, ANCHOR);
    const { storeId } = fixture;
    fixture = await shared.withNewStore();
    expect(await announced(day(25))).toMatchObject({ 'subscription.upcoming': 0 });
    const inProduction = { now: day(25), owner: { storeId, devMode: false } };
    expect(await announceDue(deps(), inProduction)).toMatchObject({ 'subscription.upcoming': 0 });
  });
});

it('announces many charges once with parallel workers and after one of them failed', async () => {
  await listen(['subscription.upcoming']);
  for (let made = 0; made < 120; made += 1) await monthly();
  const dying = fixture.deps({ startDelivery: () => Promise.reject(new Error('Temporal is down')) });
  const owner = { storeId: fixture.storeId, devMode: true };
  await expect(announceDue(dying, { now: day(25), owner })).rejects.toThrow('Temporal is down');
  const rounds = await Promise.all([1, 2, 3].map(() => announced(day(25))));
  const totals = rounds.map((round) => round['subscription.upcoming']);
  expect(totals.reduce((sum, total) => sum + total, 0)).toBe(120 - 50);
  const events = { storeId: fixture.storeId, name: 'subscription.upcoming' as const };
  expect(await fixture.database.em.fork().count(EventEntity, events)).toBe(120);
});

it('finds the charges to announce with index scans', async () => {
  await listen();
  await fill(fixture.database, [{ storeId: fixture.storeId, charges: 3_000 }]);
  const asked = await recordStatements(fixture.database);
  asked.forget();
  await announced(day(10));
  const { plans } = await asked.explain();
  expect(plans).not.toContain('Seq Scan');
  for (const index of [
    'subscriptions_to_announce',
    'subscriptions_trials_to_announce',
    'webhooks_of_announcements',
  ])
    expect(plans).toContain(index);
});
