import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CycleEntity } from '../../src/database/entities/cycle.ts';
import type { Debit } from '../../src/database/entities/debit.ts';
import { InvoiceEntity } from '../../src/database/entities/invoice.ts';
import { ProductEntity } from '../../src/database/entities/product.ts';
import type { Subscription } from '../../src/database/entities/subscription.ts';
import { cyclePeriod } from '../../src/domain/cycle.ts';
import { subscriptionStateOf } from '../../src/domain/subscription.ts';
import { nextCycleAtOf } from '../../src/domain/usage-cycle.ts';
import { planDebits } from '../../src/mandates/plan-debits.ts';
import { type Intention, previewCharges } from '../../src/subscriptions/preview-charges.ts';
import { mustPay, notify } from '../support/fixtures/charges.ts';
import { beginPayment } from '../support/fixtures/checkouts.ts';
import {
  addUsage,
  amountsOf,
  cancelSubscription,
  changePlan,
  DAY_MS,
  eventsOf,
  newestCharge,
  nextCycle,
  openSubscriptionCheckout,
  outcomesOf,
  pauseSubscription,
  publishedEventsOf,
  resumeSubscription,
  scheduleCancellation,
  sleepUntil,
  subscribe,
  subscriptionOf,
} from '../support/fixtures/subscriptions.ts';
import { createWorkflowFixture, type WorkflowFixture } from '../support/fixtures/workflow-fixture.ts';
import { insertCoupon, insertProduct } from '../support/rows/checkout-rows.ts';
import { insertMandate } from '../support/rows/mandates.ts';
import { SILENT_LOG } from '../support/servers/silent-temporal.ts';
import { eventually } from '../support/waiting/eventually.ts';

let fixture: WorkflowFixture;
beforeAll(async () => {
  fixture = await createWorkflowFixture();
});
afterAll(() => fixture.close());

const em = () => fixture.database.em.fork();
/** R$ 50.00 every three months, whose usage is charged every month. */
const quarterly = { cycle: 'QUARTERLY', usageCycle: 'MONTHLY' } as const;
const rowOf = ({ id }: Pick<Subscription, 'id'>) => subscriptionOf(fixture, { id });
const cycleOf = ({ id }: Subscription, number: number) =>
  em().findOneOrFail(CycleEntity, { subscriptionId: id, number });

/** The cycles that a preview names now: number and cents. */
async function previewed(subscription: Subscription, intention: Intention = { kind: 'NOTHING' }) {
  const row = await rowOf(subscription);
  const { charges } = await previewCharges(em(), row, intention, await fixture.now());
  return charges.map(({ cycle }) => [cycle.number, cycle.amountCents]);
}

/** Lets a month without usage pass, in which nothing is charged. */
async function quietMonth(subscription: Subscription): Promise<Subscription> {
  const { usageEndsAt, cycleNumber } = await rowOf(subscription);
  if (usageEndsAt === null) throw new Error('the next cycle is the plan');
  await sleepUntil(fixture, new Date(usageEndsAt.getTime() + 60_000));
  return eventually(async () => {
    const row = await rowOf(subscription);
    expect(row).toMatchObject({ cycleNumber: cycleNumber + 1, attemptDueAt: null });
    return row;
  });
}

describe('usage that is charged more often than its plan', () => {
  it('charges each month by itself, and the last one with the plan', async () => {
    const subscription = await subscribe(fixture, quarterly);
    const { anchorAt } = subscription;
    const month = (index: number) => cyclePeriod(anchorAt, 'MONTHLY', index);
    const quarter = cyclePeriod(anchorAt, 'QUARTERLY', 0);
    const message = await insertProduct(fixture, { name: 'Mensagem', priceCents: 25 });
    await addUsage(fixture, subscription, 48, message);
    expect(await previewed(subscription)).toEqual([
      [2, 1_200],
      [4, 5_000],
    ]);
    const first = await nextCycle(fixture, subscription);
    expect(first).toMatchObject({
      cycleStartsAt: quarter.startsAt,
      cycleEndsAt: quarter.endsAt,
      usageEndsAt: month(1).endsAt,
    });
    await addUsage(fixture, subscription, 700);
    const second = await nextCycle(fixture, subscription);
    expect(second).toMatchObject({ cycleEndsAt: quarter.endsAt, usageEndsAt: null });
    await addUsage(fixture, subscription, 300);
    expect(await previewed(subscription)).toEqual([[4, 5_300]]);
    const third = await nextCycle(fixture, subscription);
    expect(third).toMatchObject({ cycleStartsAt: quarter.endsAt, usageEndsAt: month(3).endsAt });
    expect(third.cycleEndsAt).toEqual(cyclePeriod(anchorAt, 'QUARTERLY', 1).endsAt);
    expect(await amountsOf(fixture, subscription)).toEqual([5_000, 1_200, 700, 5_300]);
    expect(await cycleOf(subscription, 2)).toMatchObject({ isUsage: true, ...month(0) });
    await cancelSubscription(fixture, subscription);
  });

  it('names what was used on the charge and the invoice, and its kind in the event', async () => {
    const subscription = await subscribe(fixture, quarterly);
    const message = await insertProduct(fixture, { name: 'Mensagem', priceCents: 25 });
    await addUsage(fixture, subscription, 48, message);
    await nextCycle(fixture, subscription);
    const { id: chargeId, items } = await newestCharge(fixture, subscription);
    expect(items).toMatchObject([{ name: 'Mensagem', quantity: 48, unitPriceCents: 25 }]);
    const invoice = await em().findOneOrFail(InvoiceEntity, { chargeId });
    expect(invoice.lines).toMatchObject([{ type: 'usage', description: 'Mensagem', amountCents: 1_200 }]);
    const { startsAt, endsAt } = cyclePeriod(subscription.anchorAt, 'MONTHLY', 0);
    expect(invoice.period).toMatchObject({
      startsAt: startsAt.toISOString(),
      endsAt: endsAt.toISOString(),
    });
    const events = await publishedEventsOf(fixture, subscription);
    expect(events.map(({ data }) => data)).toMatchObject([
      { installmentKind: 'PLAN' },
      {
        installmentKind: 'USAGE',
        subscription: { currentCycle: { endsAt: subscription.cycleEndsAt.toISOString() } },
      },
    ]);
    await cancelSubscription(fixture, subscription);
  });

  it('charges and sends nothing for a month without usage', async () => {
    const subscription = await subscribe(fixture, quarterly);
    await quietMonth(subscription);
    const second = await quietMonth(subscription);
    expect(second.usageEndsAt).toBeNull();
    expect(await outcomesOf(fixture, subscription)).toEqual(['PAID']);
    expect(await eventsOf(fixture, subscription)).toEqual(['completed']);
    expect(await em().count(InvoiceEntity, { subscriptionId: subscription.id })).toBe(1);
    await nextCycle(fixture, subscription);
    expect(await amountsOf(fixture, subscription)).toEqual([5_000, 0, 0, 5_000]);
    expect(await eventsOf(fixture, subscription)).toEqual(['completed', 'renewed']);
    await cancelSubscription(fixture, subscription);
  });

  it('counts free units from zero in each month', async () => {
    const subscription = await subscribe(fixture, quarterly);
    const usagePrice = { model: 'PER_UNIT', includedUnits: 100 } as const;
    const message = await insertProduct(fixture, { priceCents: 25, usagePrice });
    await addUsage(fixture, subscription, 80, message);
    await quietMonth(subscription);
    await addUsage(fixture, subscription, 140, message);
    await nextCycle(fixture, subscription);
    expect(await amountsOf(fixture, subscription)).toEqual([5_000, 0, 1_000]);
    await cancelSubscription(fixture, subscription);
  });

  it('retries a declined month, and carries it into the next one after a pause', async () => {
    const subscription = await subscribe(fixture, quarterly);
    await addUsage(fixture, subscription, 900);
    fixture.provider.declineNext('insufficient_funds');
    const failed = await nextCycle(fixture, subscription);
    expect(subscriptionStateOf(failed)).toBe('PAST_DUE');
    const failure = (await publishedEventsOf(fixture, subscription)).find(({ name }) =>
      name.endsWith('payment_failed'),
    );
    expect(failure?.data).toMatchObject({ installmentKind: 'USAGE', installmentNumber: 2 });
    await pauseSubscription(fixture, subscription);
    await resumeSubscription(fixture, subscription);
    const resumed = await rowOf(subscription);
    expect(resumed).toMatchObject({ cycleEndsAt: subscription.cycleEndsAt, attemptDueAt: null });
    expect(resumed.usageEndsAt).toEqual(cyclePeriod(subscription.anchorAt, 'MONTHLY', 1).endsAt);
    await addUsage(fixture, subscription, 50);
    expect(await previewed(subscription)).toEqual([
      [3, 950],
      [4, 5_000],
    ]);
    await nextCycle(fixture, subscription);
    expect(await amountsOf(fixture, subscription)).toEqual([5_000, 900, 950]);
    await cancelSubscription(fixture, subscription);
  });

  it('charges usage until a cancelled period ends, and the last of it then', async () => {
    const subscription = await subscribe(fixture, quarterly);
    const { productId } = subscription.plan;
    await em().nativeUpdate(ProductEntity, { id: productId }, { billsFinalUsage: true });
    await scheduleCancellation(fixture, subscription);
    expect((await rowOf(subscription)).cancelAt).toEqual(subscription.cycleEndsAt);
    await addUsage(fixture, subscription, 800);
    await nextCycle(fixture, subscription);
    await quietMonth(subscription);
    await addUsage(fixture, subscription, 400);
    expect(await previewed(subscription)).toEqual([[4, 400]]);
    await sleepUntil(fixture, new Date(subscription.cycleEndsAt.getTime() + 60_000));
    const ended = await eventually(async () => {
      const row = await rowOf(subscription);
      expect(row).toMatchObject({ status: 'CANCELLED', cancelPolicy: 'AT_PERIOD_END' });
      return row;
    });
    expect(ended.finalUsage).toMatchObject({ amountCents: 400 });
    expect(await amountsOf(fixture, subscription)).toEqual([5_000, 800, 0]);
  });

  it('continues the paid quarter, month by month, after a pause without dates', async () => {
    const subscription = await subscribe(fixture, quarterly);
    await sleepUntil(fixture, new Date(subscription.anchorAt.getTime() + 45 * DAY_MS));
    await eventually(async () => expect((await rowOf(subscription)).cycleNumber).toBe(2));
    await pauseSubscription(fixture, subscription, { keepsAnchor: false });
    await sleepUntil(fixture, new Date((await fixture.now()).getTime() + 100 * DAY_MS));
    await resumeSubscription(fixture, subscription);
    const { anchorAt, cycleEndsAt, usageEndsAt } = await rowOf(subscription);
    const movedMs = cycleEndsAt.getTime() - subscription.cycleEndsAt.getTime();
    expect(Math.abs(movedMs - 100 * DAY_MS)).toBeLessThan(60_000);
    expect(anchorAt).toEqual(cycleEndsAt);
    expect(usageEndsAt).toEqual(cyclePeriod(anchorAt, 'MONTHLY', -1).startsAt);
    await quietMonth(subscription);
    await nextCycle(fixture, subscription);
    expect(await amountsOf(fixture, subscription)).toEqual([5_000, 0, 0, 5_000]);
    await cancelSubscription(fixture, subscription);
  });

  it('starts a new plan with the next cycle of the plan, not of usage', async () => {
    const subscription = await subscribe(fixture, quarterly);
    await changePlan(fixture, subscription, { cycle: 'QUARTERLY', priceCents: 9_000 });
    await addUsage(fixture, subscription, 600);
    expect(await previewed(subscription)).toEqual([
      [2, 600],
      [4, 9_000],
    ]);
    await nextCycle(fixture, subscription);
    expect((await rowOf(subscription)).amountCents).toBe(5_000);
    await quietMonth(subscription);
    const changed = await nextCycle(fixture, subscription);
    expect(changed).toMatchObject({ amountCents: 9_000, usageEndsAt: null });
    expect(await amountsOf(fixture, subscription)).toEqual([5_000, 600, 0, 9_000]);
    await cancelSubscription(fixture, subscription);
  });

  it('discounts two quarters by a coupon for two payments', async () => {
    const coupon = await insertCoupon(fixture, {
      ...{ discountKind: 'PERCENTAGE', discountValue: 5_000 },
      ...{ duration: 'REPEATING', durationCycles: 2 },
    });
    const checkout = await openSubscriptionCheckout(fixture, { ...quarterly, coupons: [coupon.code] });
    await beginPayment(fixture, checkout, { method: 'CARD', couponCode: coupon.code });
    const subscription = await subscriptionOf(fixture, { checkoutId: checkout.id });
    await addUsage(fixture, subscription, 1_000);
    await nextCycle(fixture, subscription);
    await quietMonth(subscription);
    await nextCycle(fixture, subscription);
    await quietMonth(subscription);
    await quietMonth(subscription);
    await nextCycle(fixture, subscription);
    expect(await amountsOf(fixture, subscription)).toEqual([2_500, 1_000, 0, 2_500, 0, 0, 5_000]);
    await cancelSubscription(fixture, subscription);
  });

  it('asks for usage by a PIX code', async () => {
    const subscription = await subscribe(fixture, { ...quarterly, methods: ['PIX'] });
    await addUsage(fixture, subscription, 600);
    await sleepUntil(fixture, new Date((subscription.usageEndsAt?.getTime() ?? 0) + 60_000));
    await eventually(async () =>
      expect(await newestCharge(fixture, subscription)).toMatchObject({
        method: 'PIX',
        status: 'PENDING',
        amountCents: 600,
      }),
    );
    await cancelSubscription(fixture, subscription);
  });

  it('debits the plan under a mandate, and asks for usage by a code', async () => {
    const subscription = await subscribe(fixture, { ...quarterly, methods: ['PIX'] });
    const { storeId } = fixture;
    await insertMandate(fixture.database, subscription);
    const debits: Debit[] = [];
    const effects = { startDebit: async (debit: Debit) => void debits.push(debit) };
    const plan = async (beforeMs: number) => {
      const now = new Date(nextCycleAtOf(await rowOf(subscription)).getTime() - beforeMs);
      // Without a provider nothing is ordered at once: the workflow of the debit orders it.
      const deps = { database: fixture.database, log: SILENT_LOG, ...effects } as unknown as Parameters<
        typeof planDebits
      >[0];
      return planDebits(deps, { now, owner: { storeId, devMode: true } });
    };
    await addUsage(fixture, subscription, 600);
    expect(await plan(5 * DAY_MS)).toBe(0);
    await sleepUntil(fixture, new Date((subscription.usageEndsAt?.getTime() ?? 0) + 60_000));
    const code = await eventually(async () => {
      const charge = await newestCharge(fixture, subscription);
      expect(charge).toMatchObject({ method: 'PIX', amountCents: 600, mandateId: null });
      return charge;
    });
    await notify(fixture, await mustPay(fixture, code));
    await eventually(async () => expect((await rowOf(subscription)).attemptDueAt).toBeNull());
    expect(await plan(5 * DAY_MS)).toBe(0);
    await quietMonth(subscription);
    expect(await plan(5 * DAY_MS)).toBe(1);
    expect(debits).toMatchObject([{ number: 4, amountCents: 5_000 }]);
  });
});
