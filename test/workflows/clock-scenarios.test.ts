import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import { EventEntity } from '../../src/database/entities/event.ts';
import type { Subscription } from '../../src/database/entities/subscription.ts';
import { addDays, saoPauloDateOf, saoPauloMidnight } from '../../src/domain/civil-date.ts';
import { PRODUCT_CYCLES } from '../../src/domain/cycle.ts';
import { laterBy } from '../../src/domain/duration.ts';
import { Chance } from '../support/chance.ts';
import { mustPay, notify } from '../support/fixtures/charges.ts';
import { beginPayment, openCheckout, startCheckoutAsleep } from '../support/fixtures/checkouts.ts';
import { createBothFixtures, type TimedFixture } from '../support/fixtures/clocked-fixture.ts';
import {
  addUsage,
  cancelSubscription,
  changePlan,
  cyclesOf,
  DAY_MS,
  newestCharge,
  subscribe,
  subscriptionOf,
} from '../support/fixtures/subscriptions.ts';
import { roundsOf } from '../support/jest/thoroughness.ts';

let skipped: TimedFixture;
let moved: TimedFixture;
/** Noon of a day to come: the fixtures are seconds apart, and no day of theirs may begin between them. */
let beginsAt: Date;
beforeAll(async () => {
  ({ skipped, moved } = await createBothFixtures());
  beginsAt = new Date(saoPauloMidnight(addDays(saoPauloDateOf(new Date()), 2)).getTime() + DAY_MS / 2);
});
afterAll(async () => {
  await Promise.all([skipped.close(), moved.close()]);
});

const day = (instant: Date | null) => instant && saoPauloDateOf(instant);

/**
 * Everything that has happened in a world since an instant, with its days and amounts. Events of one day come by their
 * names: those of one transaction have one instant, and no order.
 */
async function happened({ database, storeId }: TimedFixture, since: Date) {
  const em = database.em.fork();
  const where = { storeId, createdAt: { $gte: since } };
  const oldestFirst = { orderBy: { createdAt: 'asc' as const, id: 'asc' as const } };
  const events = await em.find(EventEntity, where, oldestFirst);
  const charges = await em.find(ChargeEntity, where, oldestFirst);
  return {
    events: events.map(({ name, createdAt }) => `${day(createdAt)} ${name}`).sort(),
    charges: charges.map(
      ({ method, status, amountCents, createdAt, paidAt, settledAt }) =>
        `${day(createdAt)} ${method} ${status} ${amountCents} paid ${day(paidAt)} settled ${day(settledAt)}`,
    ),
  };
}

it('two years of a subscription with a card that fails and a change of plan are those of time that is skipped', async () => {
  const scenario = async (fixture: TimedFixture) => {
    await fixture.passTo(beginsAt);
    const after = (months: number, days = 0) => laterBy(beginsAt, { months, days, milliseconds: 60_000 });
    const subscription = await subscribe(fixture, { maxRetry: 3, retryEveryDays: 2 });
    await fixture.passTo(after(4, 5));
    // The card fails as the sixth cycle begins, once.
    fixture.provider.declineNext('insufficient_funds');
    await fixture.passTo(after(9, 5));
    await changePlan(fixture, subscription, { priceCents: 7_000 });
    await fixture.passTo(after(24));
    const cycles = await cyclesOf(fixture, subscription);
    await cancelSubscription(fixture, subscription);
    return { cycles, ...(await happened(fixture, beginsAt)) };
  };
  const [expected, told] = await Promise.all([scenario(skipped), scenario(moved)]);
  expect(told).toEqual(expected);
  expect(told.cycles).toHaveLength(25);
  expect(told.events.filter((name) => name.endsWith('payment_failed'))).toHaveLength(1);
}, 300_000);

const SCENARIOS = 30;
/** The fixtures go on from where the story before ended. */
const STORY_MONTHS = 30;

it('random stories happen as in time that is skipped, event by event', async () => {
  for (let seed = 1; seed <= roundsOf(SCENARIOS); seed += 1) {
    const from = laterBy(beginsAt, { months: seed * STORY_MONTHS, days: 0, milliseconds: 0 });
    const [bySkipping, byClock] = await Promise.all([
      randomScenario(skipped, seed, from),
      randomScenario(moved, seed, from),
    ]);
    expect({ seed, ...byClock }).toEqual({ seed, ...bySkipping });
  }
}, 1_800_000);

/** One subscription, and charges and checkouts beside it, in some months. */
async function randomScenario(fixture: TimedFixture, seed: number, from: Date) {
  const chance = new Chance(seed, 0);
  fixture.provider.forgetDeclines();
  await fixture.passTo(from);
  const cycle = chance.oneOf(PRODUCT_CYCLES.slice(0, 2));
  const trial = chance.isIn(30) ? { trialDays: chance.between(1, 20) } : {};
  const subscription = await subscribe(fixture, {
    cycle,
    ...trial,
    methods: [chance.oneOf(['CARD', 'CARD', 'PIX'] as const)],
    maxRetry: chance.between(1, 3),
    retryEveryDays: chance.between(1, 5),
  });
  let now = from;
  for (let turn = chance.between(3, 6); turn > 0; turn -= 1) {
    await act(fixture, subscription, chance);
    now = new Date(now.getTime() + chance.between(1, 30) * DAY_MS + 3_600_000);
    await fixture.passTo(now);
  }
  if ((await subscriptionOf(fixture, subscription)).status === 'ACTIVE')
    await cancelSubscription(fixture, subscription);
  // What is left ends, and settles.
  await fixture.passTo(new Date(now.getTime() + 100 * DAY_MS));
  return { cycles: await cyclesOf(fixture, subscription), ...(await happened(fixture, from)) };
}

async function act(fixture: TimedFixture, subscription: Subscription, chance: Chance): Promise<void> {
  const choice = chance.weighted({
    decline: 3,
    payPix: 3,
    changePlan: 2,
    usage: 2,
    checkout: 3,
    boleto: 2,
    cancel: 1,
  });
  const cents = chance.between(1_000, 9_000);
  const { status } = await subscriptionOf(fixture, subscription);
  if (choice === 'decline' && (status !== 'ACTIVE' || subscription.method !== 'CARD')) return;
  if (choice === 'decline') return fixture.provider.declineNext('insufficient_funds');
  if (choice === 'payPix') {
    const charge = await newestCharge(fixture, subscription);
    if (charge.method === 'PIX' && charge.status === 'PENDING')
      await notify(fixture, await mustPay(fixture, charge));
    return;
  }
  if (choice === 'checkout' || choice === 'boleto') {
    const checkout = await openCheckout(fixture, { expiresInMs: chance.between(1, 20) * DAY_MS });
    await startCheckoutAsleep(fixture, checkout);
    const isPaid = chance.isIn(30);
    const charge = await beginPayment(fixture, checkout, { method: choice === 'boleto' ? 'BOLETO' : 'PIX' });
    if (isPaid) await notify(fixture, await mustPay(fixture, charge));
    return;
  }
  if (status !== 'ACTIVE') return;
  if (choice === 'changePlan') await changePlan(fixture, subscription, { priceCents: cents });
  if (choice === 'usage') await addUsage(fixture, subscription, cents);
  if (choice === 'cancel') await cancelSubscription(fixture, subscription);
}
