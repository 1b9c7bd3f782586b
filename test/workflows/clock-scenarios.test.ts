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
/** Noon of a future day. The two fixtures are seconds apart, so the start must be far from midnight. */
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
 * All events and charges of a fixture since an instant, with days and amounts. Events of one day are sorted by name,
 * because events of one transaction share an instant and have no order.
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

it('gives two years of a subscription the same outcome as skipped time does', async () => {
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
  const [expected, byClock] = await Promise.all([scenario(skipped), scenario(moved)]);
  expect(byClock).toEqual(expected);
  expect(byClock.cycles).toHaveLength(25);
  expect(byClock.events.filter((name) => name.endsWith('payment_failed'))).toHaveLength(1);
}, 300_000);

const SCENARIOS = roundsOf(15);
/** How far apart scenarios start: they share the fixtures, whose time only moves forward. */
const MONTHS_PER_SCENARIO = 30;

it('gives random scenarios the same events and charges as skipped time does', async () => {
  for (let seed = 1; seed <= SCENARIOS; seed += 1) {
    const from = laterBy(beginsAt, { months: seed * MONTHS_PER_SCENARIO, days: 0, milliseconds: 0 });
    const [bySkipping, byClock] = await Promise.all([
      randomScenario(skipped, seed, from),
      randomScenario(moved, seed, from),
    ]);
    expect({ seed, ...byClock }).toEqual({ seed, ...bySkipping });
  }
}, 1_800_000);

it('gives a year of monthly usage the same outcome in one step', async () => {
  const months = (SCENARIOS + 1) * MONTHS_PER_SCENARIO;
  const from = laterBy(beginsAt, { months, days: 0, milliseconds: 0 });
  const scenario = async (fixture: TimedFixture) => {
    fixture.provider.forgetDeclines();
    await fixture.passTo(from);
    const subscription = await subscribe(fixture, { cycle: 'QUARTERLY', usageCycle: 'MONTHLY' });
    await addUsage(fixture, subscription, 800);
    await fixture.passTo(laterBy(from, { months: 12, days: 0, milliseconds: 60_000 }));
    const cycles = await cyclesOf(fixture, subscription);
    await cancelSubscription(fixture, subscription);
    return { cycles, ...(await happened(fixture, from)) };
  };
  const [expected, byClock] = await Promise.all([scenario(skipped), scenario(moved)]);
  expect(byClock).toEqual(expected);
  // The plan is charged five times, and of the eight months between them only the first had usage.
  expect(byClock.cycles).toHaveLength(13);
  expect(byClock.charges).toHaveLength(6);
}, 300_000);

/** Several months of one subscription with other charges and checkouts. */
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
  // Lets open charges end and paid ones settle.
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
