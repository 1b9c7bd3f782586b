import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CivilDate, saoPauloDateOf, saoPauloMidnight } from '../../src/domain/civil-date.ts';
import { mustPay, notify } from '../support/fixtures/charges.ts';
import {
  cancelSubscription,
  cyclesOf,
  DAY_MS,
  eventsOf,
  newestCharge,
  outcomesOf,
  publishedEventsOf,
  sleepUntil,
  subscribe,
  subscriptionOf,
  workflowOf,
} from '../support/fixtures/subscriptions.ts';
import { createWorkflowFixture, type WorkflowFixture } from '../support/fixtures/workflow-fixture.ts';
import { chargesOf } from '../support/rows/checkout-rows.ts';
import { eventually } from '../support/waiting/eventually.ts';

let fixture: WorkflowFixture;
beforeAll(async () => {
  fixture = await createWorkflowFixture();
});
afterAll(() => fixture.close());

/**
 * Skips to noon in São Paulo on the next such day. @param monthDay as `MM-DD`. @returns its year.
 */
async function untilNext(monthDay: string, isWanted = (_year: number) => true): Promise<number> {
  const now = await fixture.now();
  let year = now.getUTCFullYear();
  const noon = () => new Date(saoPauloMidnight(`${year}-${monthDay}` as CivilDate).getTime() + DAY_MS / 2);
  while (!isWanted(year) || noon() <= now) year += 1;
  await sleepUntil(fixture, noon());
  return year;
}

const isLeapYear = (year: number) => new Date(Date.UTC(year, 1, 29)).getUTCDate() === 29;

describe('a monthly subscription that was started on 31 January of a leap year', () => {
  it('charges a subscription of 31 January once on the last day of each month', async () => {
    const year = await untilNext('01-31', isLeapYear);
    const subscription = await subscribe(fixture);
    const lastDays = Array.from({ length: 37 }, (_, month) =>
      new Date(Date.UTC(year, month + 1, 0)).toISOString().slice(0, 10),
    );
    expect(lastDays.slice(0, 4)).toEqual([
      `${year}-01-31`,
      `${year}-02-29`,
      `${year}-03-31`,
      `${year}-04-30`,
    ]);
    await sleepUntil(fixture, new Date(saoPauloMidnight(`${year + 3}-02-01` as CivilDate)));
    await eventually(async () =>
      expect(await cyclesOf(fixture, subscription)).toEqual(
        lastDays.map((day, index) => `${index + 1} ${day} 5000 PAID`),
      ),
    );
    const charges = await chargesOf(fixture, subscription.checkoutId);
    expect(charges.map(({ createdAt }) => saoPauloDateOf(createdAt))).toEqual(lastDays);
    expect(charges.map(({ status }) => status)).toEqual(lastDays.map(() => 'PAID'));
    for (const { providerReference } of charges)
      expect(fixture.provider.keptCents(providerReference)).toBe(5_000);
    expect(await eventsOf(fixture, subscription)).toEqual([
      'completed',
      ...lastDays.slice(1).map(() => 'renewed'),
    ]);
    expect(await cancelSubscription(fixture, subscription)).toBe('CANCELLED');
  });
});

describe('a subscription that was started on 15 January', () => {
  it.each([
    ['WEEKLY', 22, ['01-22', '01-29', '02-05']],
    ['QUARTERLY', 280, ['04-15', '07-15', '10-15']],
    ['SEMIANNUALLY', 560, ['07-15', '01-15', '07-15']],
    ['ANNUALLY', 1_100, ['01-15', '01-15', '01-15']],
  ] as const)(
    'renews a subscription of 15 January %s on the dates of its cycle',
    async (cycle, days, expected) => {
      await untilNext('01-15');
      const subscription = await subscribe(fixture, { cycle });
      await fixture.environment.sleep(days * DAY_MS);
      await eventually(async () => {
        const cycles = await cyclesOf(fixture, subscription);
        expect(cycles.map((line) => line.replace(/ \d{4}-/, ' '))).toEqual([
          '1 01-15 5000 PAID',
          ...expected.map((day, index) => `${index + 2} ${day} 5000 PAID`),
        ]);
      });
      expect(await outcomesOf(fixture, subscription)).toHaveLength(4);
      expect(await cancelSubscription(fixture, subscription)).toBe('CANCELLED');
      expect(await workflowOf(fixture, subscription).result()).toBe('CANCELLED');
    },
  );
});

describe('a trial', () => {
  it('makes the first charge when the trial ends, not before', async () => {
    const subscription = await subscribe(fixture, { trialDays: 7 });
    const { trialEndsAt, createdAt } = subscription;
    if (trialEndsAt === null) throw new Error('a trial ends');
    expect(trialEndsAt.getTime()).toBe(createdAt.getTime() + 7 * DAY_MS);
    expect(await eventsOf(fixture, subscription)).toEqual(['trial_started']);

    await sleepUntil(fixture, new Date(trialEndsAt.getTime() - 60_000));
    expect(await cyclesOf(fixture, subscription)).toEqual([]);
    await sleepUntil(fixture, new Date(trialEndsAt.getTime() + 60_000));
    await eventually(async () =>
      expect(await cyclesOf(fixture, subscription)).toEqual([`1 ${saoPauloDateOf(trialEndsAt)} 5000 PAID`]),
    );
    const published = await publishedEventsOf(fixture, subscription);
    expect(published.map(({ name }) => name)).toEqual([
      'subscription.trial_started',
      'subscription.completed',
    ]);
    expect(published[1]?.data).toMatchObject({ subscription: { currentCycle: { number: 1 } } });
    const [free, first] = await chargesOf(fixture, subscription.checkoutId);
    expect(free).toMatchObject({ method: 'FREE', amountCents: 0, status: 'PAID' });
    expect(first).toMatchObject({ method: 'CARD', amountCents: 5_000, cardToken: free?.cardToken });

    await fixture.environment.sleep(32 * DAY_MS);
    await eventually(async () => expect(await cyclesOf(fixture, subscription)).toHaveLength(2));
    expect(await cancelSubscription(fixture, subscription)).toBe('CANCELLED');
  });
});

describe('a PIX subscription', () => {
  /** A subscription in its second cycle, whose PIX code is unpaid. */
  async function secondCycle() {
    const subscription = await subscribe(fixture, { methods: ['PIX'], retryEveryDays: 2 });
    await sleepUntil(fixture, new Date(subscription.cycleEndsAt.getTime() + 60_000));
    const charge = await eventually(async () => {
      const newest = await newestCharge(fixture, subscription);
      expect(newest.cycleId).not.toBeNull();
      return newest;
    });
    return { subscription, charge };
  }

  it('issues one PIX code per cycle and renews the subscription when it is paid', async () => {
    const { subscription, charge } = await secondCycle();
    expect(charge).toMatchObject({ method: 'PIX', status: 'PENDING', amountCents: 5_000 });
    expect(charge.brCode).not.toBeNull();
    expect(charge.closesAt.getTime() - charge.createdAt.getTime()).toBe(2 * DAY_MS);
    await fixture.environment.sleep(DAY_MS);
    expect(await notify(fixture, await mustPay(fixture, charge))).toBe('PAID');
    expect(await eventsOf(fixture, subscription)).toEqual(['completed', 'renewed']);
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'PAID']);

    await sleepUntil(
      fixture,
      new Date((await subscriptionOf(fixture, subscription)).cycleEndsAt.getTime() + 60_000),
    );
    await eventually(async () =>
      expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'PAID', 'PENDING']),
    );
    expect(await cancelSubscription(fixture, subscription)).toBe('CANCELLED');
  });

  it('counts an expired PIX code as a failed attempt and issues a new one at once', async () => {
    const { subscription, charge } = await secondCycle();
    await sleepUntil(fixture, new Date(charge.closesAt.getTime() + 60_000));
    const second = await eventually(async () => {
      expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'FAILED', 'PENDING']);
      return newestCharge(fixture, subscription);
    });
    expect(second.createdAt.getTime() - charge.closesAt.getTime()).toBeLessThan(60_000);
    const [, failed] = await publishedEventsOf(fixture, subscription);
    expect(failed?.data).toMatchObject({ reason: 'pix_expired', installmentNumber: 2, retryNumber: 1 });
    expect(await notify(fixture, await mustPay(fixture, second))).toBe('PAID');
    expect(await eventsOf(fixture, subscription)).toEqual([
      'completed',
      ...['payment_failed', 'past_due'],
      'renewed',
    ]);
    expect(await cancelSubscription(fixture, subscription)).toBe('CANCELLED');
  });

  it('cancels the subscription after every PIX code of a cycle has expired', async () => {
    const { subscription } = await secondCycle();
    expect(await workflowOf(fixture, subscription).result()).toBe('CANCELLED');
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'FAILED', 'FAILED', 'FAILED']);
    expect(await eventsOf(fixture, subscription)).toEqual([
      'completed',
      ...['payment_failed', 'past_due', 'payment_failed', 'payment_failed'],
      'cancelled',
    ]);
  });
});
