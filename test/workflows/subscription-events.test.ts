import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Charge } from '../../src/database/entities/charge.ts';
import { CheckoutEntity } from '../../src/database/entities/checkout.ts';
import type { Customer } from '../../src/database/entities/customer.ts';
import { CycleEntity } from '../../src/database/entities/cycle.ts';
import { EventEntity } from '../../src/database/entities/event.ts';
import { PlanUpdateEntity } from '../../src/database/entities/plan-update.ts';
import type { Subscription } from '../../src/database/entities/subscription.ts';
import { maskTaxId } from '../../src/domain/tax-id.ts';
import { publishedSubscriptionCheckout } from '../../src/wire/checkout.ts';
import { beginPayment } from '../support/fixtures/checkouts.ts';
import { refund } from '../support/fixtures/money.ts';
import {
  cancelSubscription,
  changePlan,
  DAY_MS,
  openSubscriptionCheckout,
  publishedEventsOf,
  sleepUntil,
  subscriptionOf,
} from '../support/fixtures/subscriptions.ts';
import { createWorkflowFixture, type WorkflowFixture } from '../support/fixtures/workflow-fixture.ts';
import { chargesOf, insertCustomer } from '../support/rows/checkout-rows.ts';
import { eventually } from '../support/waiting/eventually.ts';

let fixture: WorkflowFixture;
let ana: Customer;
beforeAll(async () => {
  fixture = await createWorkflowFixture();
});
beforeEach(async () => {
  ana = await insertCustomer(fixture);
});
afterAll(() => fixture.close());

/** Ana's subscription by card, with the external id `plan-7`. */
async function subscribed(terms: { readonly trialDays?: number } = {}) {
  const { id } = await openSubscriptionCheckout(fixture, {
    ...terms,
    customerId: ana.id,
    externalId: 'plan-7',
    metadata: { seat: 4 },
    retryEveryDays: 2,
  });
  await beginPayment(fixture, { id }, { method: 'CARD' });
  return subscriptionOf(fixture, { checkoutId: id });
}

/** The `data` of its newest event, which must have this name. */
async function newest(subscription: Subscription, name: string, count: number) {
  return eventually(async () => {
    const all = await publishedEventsOf(fixture, subscription);
    const published = all.filter((event) => event.name !== 'subscription.past_due');
    expect(published).toHaveLength(count);
    expect(published.at(-1)?.name).toBe(name);
    return published.at(-1)?.data;
  });
}

const iso = (instant: Date | null | undefined) => instant?.toISOString() ?? null;

/** The `subscription` of every event, by its current row. */
function subscriptionPart(row: Subscription) {
  return {
    id: row.id,
    devMode: true,
    externalId: 'plan-7',
    amount: 5_000,
    addOns: [],
    currency: 'BRL',
    method: 'CARD',
    status: 'ACTIVE',
    state: 'ACTIVE',
    frequency: 'MONTHLY',
    discount: null,
    retryPolicy: { maxRetry: 3, retryEvery: 2 },
    currentCycle: { number: row.cycleNumber, startsAt: iso(row.cycleStartsAt), endsAt: iso(row.cycleEndsAt) },
    metadata: { seat: 4 },
    createdAt: iso(row.createdAt),
    updatedAt: expect.stringMatching(/Z$/),
    pausedAt: null,
    pausedDueTo: null,
    resumesAt: null,
    cancelAt: null,
    canceledAt: null,
    cancelPolicy: null,
    cancelledDueTo: null,
    finalUsage: null,
    portalUrl: `https://recebe.test/portal/${ana.id}`,
  };
}

function customerPart() {
  const taxId = maskTaxId(ana.taxId ?? '');
  return { id: ana.id, devMode: true, name: 'Ana Souza', email: 'ana@example.com', taxId };
}

function paymentPart(charge: Charge | undefined) {
  return {
    id: charge?.id,
    devMode: true,
    externalId: null,
    amount: 5_000,
    paidAmount: 5_000,
    platformFee: charge?.platformFeeCents,
    status: 'PAID',
    methods: ['CARD'],
    receiptUrl: `https://recebe.test/receipt/${charge?.id}`,
    metadata: {},
    createdAt: iso(charge?.createdAt),
    updatedAt: iso(charge?.updatedAt),
  };
}

const PAYER = { method: 'CARD', CARD: { number: '4242', brand: 'visa' } };

/** The full checkout in its current state, with its frequency. */
async function checkoutPart({ checkoutId }: Subscription) {
  const checkout = await fixture.database.em.fork().findOneOrFail(CheckoutEntity, { id: checkoutId });
  const shown = publishedSubscriptionCheckout(checkout, 'https://recebe.test');
  expect(shown).toMatchObject({
    externalId: 'plan-7',
    status: 'PAID',
    customerId: ana.id,
    paidAmount: 5_000,
  });
  return { ...shown, frequency: 'SUBSCRIPTION' };
}

/** A cycle of the subscription without a debit, as its events name it. */
async function cyclePart({ id: subscriptionId }: Subscription, number: number) {
  const { id } = await fixture.database.em.fork().findOneOrFail(CycleEntity, { subscriptionId, number });
  return { installmentId: id, installmentNumber: number, installmentKind: 'PLAN' as const, debit: null };
}

/** Skips to the second cycle. */
async function secondCycle(subscription: Subscription): Promise<void> {
  await sleepUntil(fixture, new Date(subscription.cycleEndsAt.getTime() + 60_000));
}

describe('the data of a subscription event', () => {
  it('describes the first payment in subscription.completed', async () => {
    const subscription = await subscribed();
    const data = await newest(subscription, 'subscription.completed', 1);
    const [first] = await chargesOf(fixture, subscription.checkoutId);
    expect(data).toEqual({
      subscription: subscriptionPart(subscription),
      customer: customerPart(),
      payment: paymentPart(first),
      payerInformation: PAYER,
      checkout: await checkoutPart(subscription),
      ...(await cyclePart(subscription, 1)),
    });
    await cancelSubscription(fixture, subscription);
  });

  it('states the end of the trial in subscription.trial_started', async () => {
    const subscription = await subscribed({ trialDays: 7 });
    const trial = { trialDays: 7, trialEndsAt: iso(subscription.trialEndsAt) };
    expect(await newest(subscription, 'subscription.trial_started', 1)).toEqual({
      subscription: { ...subscriptionPart(subscription), state: 'TRIALING', ...trial },
      customer: customerPart(),
      installmentNumber: 0,
    });
    expect(subscription.cycleNumber).toBe(0);
    await cancelSubscription(fixture, subscription);
  });

  it('publishes subscription.completed when the first charge after a trial is paid', async () => {
    const subscription = await subscribed({ trialDays: 7 });
    await secondCycle(subscription);
    const data = await newest(subscription, 'subscription.completed', 2);
    const row = await subscriptionOf(fixture, { id: subscription.id });
    expect(row.cycleNumber).toBe(1);
    const [, first] = await chargesOf(fixture, subscription.checkoutId);
    const { checkout, ...rest } = data as { readonly checkout: object };
    expect(rest).toEqual({
      subscription: { ...subscriptionPart(row), trialDays: 7, trialEndsAt: iso(row.trialEndsAt) },
      customer: customerPart(),
      payment: paymentPart(first),
      payerInformation: PAYER,
      ...(await cyclePart(row, 1)),
    });
    // The trial was started without a payment.
    expect(checkout).toMatchObject({ status: 'PAID', paidAmount: 0, subscriptionId: row.id });
    await secondCycle(row);
    expect(await newest(row, 'subscription.renewed', 3)).toMatchObject({ subscription: { id: row.id } });
    await cancelSubscription(fixture, row);
  });

  it('describes the new cycle and its payment in subscription.renewed', async () => {
    const subscription = await subscribed();
    await secondCycle(subscription);
    const data = await newest(subscription, 'subscription.renewed', 2);
    const row = await subscriptionOf(fixture, { id: subscription.id });
    expect(row.cycleNumber).toBe(2);
    const [, second] = await chargesOf(fixture, subscription.checkoutId);
    expect(data).toEqual({
      subscription: subscriptionPart(row),
      customer: customerPart(),
      payment: paymentPart(second),
      payerInformation: PAYER,
      checkout: await checkoutPart(subscription),
      ...(await cyclePart(row, 2)),
    });
    await cancelSubscription(fixture, subscription);
  });

  it('states reason, cycle and attempt in subscription.payment_failed', async () => {
    const subscription = await subscribed();
    fixture.provider.declineNext('insufficient_funds');
    await secondCycle(subscription);
    const data = await newest(subscription, 'subscription.payment_failed', 2);
    const row = await subscriptionOf(fixture, { id: subscription.id });
    const [, failed] = await chargesOf(fixture, subscription.checkoutId);
    expect(data).toEqual({
      subscription: { ...subscriptionPart(row), state: 'PAST_DUE' },
      customer: customerPart(),
      payment: { ...paymentPart(failed), paidAmount: null, status: 'FAILED', receiptUrl: null },
      reason: 'insufficient_funds',
      ...(await cyclePart(row, 2)),
      retryNumber: 1,
      nextAttemptAt: iso(row.attemptDueAt),
    });
    expect(row.attemptDueAt).not.toBeNull();
    await cancelSubscription(fixture, subscription);
  });

  it('shows the future plan and the pending change in subscription.plan_changed', async () => {
    const subscription = await subscribed();
    const to = { priceCents: 1_500, cycle: 'WEEKLY' } as const;
    const { planUpdateId, product } = await changePlan(fixture, subscription, to, 2);
    const data = await newest(subscription, 'subscription.plan_changed', 2);
    const { requestedAt } = await fixture.database.em
      .fork()
      .findOneOrFail(PlanUpdateEntity, { id: planUpdateId });
    expect(data).toEqual({
      subscription: { ...subscriptionPart(subscription), amount: 3_000, frequency: 'WEEKLY' },
      customer: customerPart(),
      update: {
        id: planUpdateId,
        devMode: true,
        subscriptionId: subscription.id,
        status: 'PENDING',
        productId: product.id,
        quantity: 2,
        addOns: [],
        newAmount: 3_000,
        when: 'next_cycle',
        proration: null,
        requestedAt: iso(requestedAt),
      },
    });
    await cancelSubscription(fixture, subscription);
  });

  it('states the time of the end and the last payment in subscription.cancelled', async () => {
    const subscription = await subscribed();
    await fixture.environment.sleep(DAY_MS);
    await cancelSubscription(fixture, subscription);
    const data = await newest(subscription, 'subscription.cancelled', 2);
    const row = await subscriptionOf(fixture, { id: subscription.id });
    const [first] = await chargesOf(fixture, subscription.checkoutId);
    expect(row.canceledAt).not.toBeNull();
    expect(data).toEqual({
      subscription: {
        ...subscriptionPart(row),
        status: 'CANCELLED',
        state: 'CANCELLED',
        canceledAt: iso(row.canceledAt),
        cancelPolicy: 'NOW',
      },
      customer: customerPart(),
      payment: paymentPart(first),
      payerInformation: PAYER,
      checkout: await checkoutPart(subscription),
      ...(await cyclePart(row, 1)),
    });
  });

  it('calls a subscription ACTIVE again when a retry is paid', async () => {
    const subscription = await subscribed();
    fixture.provider.declineNext('insufficient_funds');
    await secondCycle(subscription);
    const failed = await newest(subscription, 'subscription.payment_failed', 2);
    expect(failed).toMatchObject({ subscription: { state: 'PAST_DUE' } });
    await fixture.environment.sleep(3 * DAY_MS);
    expect(await newest(subscription, 'subscription.renewed', 3)).toMatchObject({
      subscription: { state: 'ACTIVE' },
      installmentNumber: 2,
      installmentKind: 'PLAN',
    });
    await cancelSubscription(fixture, subscription);
  });

  it('announces no further attempt after the last failure', async () => {
    const subscription = await subscribed();
    for (let attempt = 1; attempt <= subscription.maxRetry; attempt++)
      fixture.provider.declineNext('insufficient_funds');
    await secondCycle(subscription);
    await fixture.environment.sleep(10 * DAY_MS);
    await newest(subscription, 'subscription.cancelled', 2 + subscription.maxRetry);
    const published = await publishedEventsOf(fixture, subscription);
    const attempts = published.filter(({ name }) => name === 'subscription.payment_failed');
    expect(attempts.map(({ data }) => (data as { nextAttemptAt: string | null }).nextAttemptAt)).toEqual([
      expect.stringMatching(/Z$/),
      expect.stringMatching(/Z$/),
      null,
    ]);
  });

  it.each([1, 2])('names cycle %d of a refunded payment', async (number) => {
    const subscription = await subscribed();
    await secondCycle(subscription);
    await newest(subscription, 'subscription.renewed', 2);
    const charges = await chargesOf(fixture, subscription.checkoutId);
    await refund(fixture, charges[number - 1] as Charge);
    const about = { name: 'checkout.refunded' as const, checkoutId: subscription.checkoutId };
    const { data } = await eventually(() => fixture.database.em.fork().findOneOrFail(EventEntity, about));
    const { installmentId, installmentNumber } = await cyclePart(subscription, number);
    expect(JSON.parse(data)).toMatchObject({ payment: { installmentId, installmentNumber } });
    await cancelSubscription(fixture, subscription);
  });
});
