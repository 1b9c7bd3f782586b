import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EventEntity } from '../../src/database/entities/event.ts';
import { type Subscription, SubscriptionEntity } from '../../src/database/entities/subscription.ts';
import type { EventName } from '../../src/domain/event-names.ts';
import type { DeliveryId } from '../../src/domain/ids.ts';
import { announceDue } from '../../src/subscriptions/announce-due.ts';
import { cancelNow } from '../../src/subscriptions/cancel-subscription.ts';
import { openCycle } from '../../src/subscriptions/open-cycle.ts';
import { type BareFixture, createBareFixture } from '../support/fixtures/bare-fixture.ts';
import { insertSubscription } from '../support/fixtures/subscriptions.ts';
import { recordStatements } from '../support/rows/asked-statements.ts';
import { insertWebhook } from '../support/rows/build.ts';
import { fill } from '../support/rows/fill.ts';

let shared: BareFixture;
let fixture: BareFixture;
let started: DeliveryId[];
beforeAll(async () => {
  shared = await createBareFixture();
});
beforeEach(async () => {
  fixture = await shared.withNewStore();
  started = [];
  await listen();
});
afterAll(() => shared.close());

const listen = (events: EventName[] = ['subscription.card_expiring']) =>
  insertWebhook(fixture.database, { storeId: fixture.storeId, events });

const deps = () => fixture.deps({ startDelivery: async ({ deliveryId }) => void started.push(deliveryId) });
const owner = () => ({ storeId: fixture.storeId, devMode: true });

/** The number of cards that a round at noon of a day announces in this test's store. */
async function announced(day: string): Promise<number> {
  const now = new Date(`${day}T15:00:00.000Z`);
  return (await announceDue(deps(), { now, owner: owner() }))['subscription.card_expiring'];
}

/** A subscription since November whose card expires at the end of February. */
async function subscriptionWith(changes: Partial<Subscription> = {}): Promise<Subscription> {
  const { id } = await insertSubscription(fixture, new Date('2026-11-26T15:00:00.000Z'));
  return change(id, { cardExpiryMonth: '2027-02', ...changes });
}

async function change(id: Subscription['id'], changes: Partial<Subscription>): Promise<Subscription> {
  const em = fixture.database.em.fork();
  await em.nativeUpdate(SubscriptionEntity, { id }, changes);
  return em.findOneOrFail(SubscriptionEntity, { id });
}

async function published({ id }: Pick<Subscription, 'id'>) {
  const order = { orderBy: { createdAt: 'asc' as const } };
  const where = { subscriptionId: id, name: 'subscription.card_expiring' as const };
  const events = await fixture.database.em.fork().find(EventEntity, where, order);
  return events.map(({ data }) => JSON.parse(data));
}

describe('cards that expire', () => {
  it('announces a card once 30 days and once 7 days before its last day', async () => {
    const subscription = await subscriptionWith();
    expect(await announced('2027-01-28')).toBe(0);
    expect(await announced('2027-01-29')).toBe(1);
    expect(await announced('2027-01-29')).toBe(0);
    expect(await announced('2027-02-20')).toBe(0);
    expect(await announced('2027-02-21')).toBe(1);
    expect(await announced('2027-02-28')).toBe(0);
    const card = { brand: 'visa', lastFour: '4242', expiryMonth: 2, expiryYear: 2027, lastDay: '2027-02-28' };
    expect(await published(subscription)).toMatchObject([
      { subscription: { id: subscription.id, status: 'ACTIVE' }, card, daysBefore: 30 },
      { subscription: { id: subscription.id }, card, daysBefore: 7 },
    ]);
    expect(started).toHaveLength(2);
  });

  it('announces a card with less than seven days left once', async () => {
    const subscription = await subscriptionWith();
    expect(await announced('2027-02-25')).toBe(1);
    expect(await announced('2027-02-26')).toBe(0);
    expect(await published(subscription)).toMatchObject([{ daysBefore: 7 }]);
  });

  it('announces a card while its cycle is being charged', async () => {
    const subscription = await subscriptionWith();
    const second = { subscriptionId: subscription.id, number: 2, now: new Date() };
    await openCycle(deps(), fixture.database.em.fork(), second, async () => null);
    expect(await announced('2027-02-01')).toBe(1);
  });

  it('announces another card of the same month again', async () => {
    const { id } = await subscriptionWith();
    expect(await announced('2027-02-01')).toBe(1);
    await change(id, { cardToken: 'another', cardLastFour: '0341', expiryAnnouncedDays: 0 });
    expect(await announced('2027-02-02')).toBe(1);
    expect(await published({ id })).toMatchObject([
      { card: { lastFour: '4242' } },
      { card: { lastFour: '0341' } },
    ]);
  });

  it('announces no card that has expired, was replaced, or has an unknown expiry', async () => {
    await subscriptionWith({ cardExpiryMonth: '2027-01' });
    await subscriptionWith({ cardExpiryMonth: null });
    await subscriptionWith({ cardExpiryMonth: '2031-02' });
    expect(await announced('2027-02-01')).toBe(0);
  });

  it('announces no card of a subscription that has ended', async () => {
    const { id } = await subscriptionWith();
    await cancelNow(deps(), id, new Date('2027-01-15T15:00:00.000Z'));
    expect(await announced('2027-02-01')).toBe(0);
  });

  it('announces a card only once someone listens for the event, and only to its store', async () => {
    const subscription = await subscriptionWith();
    fixture = await shared.withNewStore();
    expect(await announced('2027-02-01')).toBe(0);
    await listen(['subscription.upcoming']);
    await subscriptionWith();
    expect(await announced('2027-02-01')).toBe(0);
    await listen();
    expect(await announced('2027-02-02')).toBe(1);
    expect(await published(subscription)).toEqual([]);
  });
});

it('announces many cards once with parallel workers and after one of them failed', async () => {
  for (let made = 0; made < 120; made += 1) await subscriptionWith();
  const dying = fixture.deps({ startDelivery: () => Promise.reject(new Error('Temporal is down')) });
  const now = new Date('2027-02-01T15:00:00.000Z');
  await expect(announceDue(dying, { now, owner: owner() })).rejects.toThrow('Temporal is down');
  const rounds = await Promise.all([1, 2, 3].map(() => announced('2027-02-01')));
  expect(rounds.reduce((sum, total) => sum + total, 0)).toBe(120 - 50);
  const events = { storeId: fixture.storeId, name: 'subscription.card_expiring' as const };
  expect(await fixture.database.em.fork().count(EventEntity, events)).toBe(120);
});

it('finds the cards to announce with index scans', async () => {
  await fill(fixture.database, [{ storeId: fixture.storeId, charges: 3_000 }]);
  const asked = await recordStatements(fixture.database);
  asked.forget();
  await announced('2027-02-01');
  const { plans } = await asked.explain();
  expect(plans).not.toContain('Seq Scan');
  for (const index of ['subscriptions_expiry_to_announce', 'webhooks_of_expiry_announcements'])
    expect(plans).toContain(index);
});
