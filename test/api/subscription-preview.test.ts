import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ShownPreview } from '../../src/api/subscriptions/preview-view.ts';
import { CheckoutEntity } from '../../src/database/entities/checkout.ts';
import { CycleEntity } from '../../src/database/entities/cycle.ts';
import { SubscriptionEntity } from '../../src/database/entities/subscription.ts';
import type { CycleId } from '../../src/domain/ids.ts';
import { mintId } from '../../src/ids.ts';
import { dataOf } from '../support/api/api-client.ts';
import { createTestApp, type TestApp } from '../support/api/app.ts';
import { buildCoupon, buildProduct } from '../support/rows/catalog.ts';
import { insertCharge, NOON, paid } from '../support/rows/checkout-rows.ts';
import { insertSubscription } from '../support/rows/subscribed-rows.ts';

/** Half of the month that `insertSubscription` begins at noon has passed. */
const NOW = new Date((NOON.getTime() + Date.parse('2027-01-02T15:00:00.000Z')) / 2);

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ clock: () => NOW });
});
afterAll(() => app.close());

const shop = () => ({ database: app.database, storeId: app.storeId });
const ask = (body: object) => app.api.post('/v2/subscriptions/preview', body);
const preview = async (body: object) => dataOf<ShownPreview>(await ask(body));
const product = (given: object) => buildProduct(app.api, { cycle: 'MONTHLY', ...given });

/** A subscription that has paid the month of which half has passed. */
async function halfway() {
  const subscription = await insertSubscription(shop());
  const { id, amountCents, cycleStartsAt, cycleEndsAt } = subscription;
  const em = app.database.em.fork();
  const checkout = await em.findOneOrFail(CheckoutEntity, { id: subscription.checkoutId });
  const first = await insertCharge(shop(), checkout, 'CARD', paid(amountCents));
  await em.insert(CycleEntity, {
    id: mintId<CycleId>('cycle', NOON),
    subscriptionId: id,
    number: 1,
    status: 'PAID',
    amountCents,
    usageCents: 0,
    part: null,
    startsAt: cycleStartsAt,
    endsAt: cycleEndsAt,
    paidByChargeId: first.id,
    createdAt: NOON,
  });
  return subscription;
}

describe('a preview', () => {
  it('shows the next charge of a subscription as it is', async () => {
    const { id, amountCents, cycleEndsAt } = await insertSubscription(shop());
    const { charges, credit } = await preview({ id });
    expect(charges).toMatchObject([
      { amount: amountCents, at: cycleEndsAt.toISOString(), lines: [{ type: 'plan', amount: amountCents }] },
    ]);
    expect(credit).toBe(0);
  });

  it('shows what a change of plan now is charged, line by line', async () => {
    const { id, amountCents } = await halfway();
    const { id: productId } = await product({ price: amountCents * 3 });
    const { charges } = await preview({ id, changePlan: { productId, quantity: 1, when: 'now' } });
    expect(charges.map(({ amount }) => amount)).toEqual([amountCents, amountCents * 3]);
    for (const { amount, lines } of charges)
      expect(lines.reduce((sum, line) => sum + line.amount, 0)).toBe(amount);
  });

  it('shows the credit that a cheaper plan leaves', async () => {
    const { id, amountCents } = await halfway();
    const { id: productId } = await product({ price: 1_000 });
    const { charges, credit } = await preview({ id, changePlan: { productId, quantity: 1, when: 'now' } });
    expect(credit).toBe((amountCents - 1_000) / 2);
    expect(charges.map(({ amount }) => amount)).toEqual([0, Math.max(0, 1_000 - credit)]);
  });

  it('shows another quantity from the next cycle on', async () => {
    const { id, plan } = await insertSubscription(shop());
    const { charges } = await preview({ id, update: { quantity: 4 } });
    expect(charges).toMatchObject([{ amount: plan.unitPriceCents * 4 }]);
  });

  it('shows no charge after a cancellation, and one after it is undone', async () => {
    const { id, amountCents, cycleEndsAt } = await insertSubscription(shop());
    expect((await preview({ id, cancel: {} })).charges).toEqual([]);
    expect((await preview({ id, cancel: { atPeriodEnd: true } })).charges).toEqual([]);
    await app.database.em.fork().nativeUpdate(SubscriptionEntity, { id }, { cancelAt: cycleEndsAt });
    expect((await preview({ id })).charges).toEqual([]);
    expect((await preview({ id, resume: {} })).charges).toMatchObject([{ amount: amountCents }]);
  });

  it('shows the first charges of a new subscription with a coupon and a trial', async () => {
    const { id: productId } = await product({ price: 4_900, trialDays: 7 });
    const { id: coupon } = await buildCoupon(app.api, { discountKind: 'PERCENTAGE', discount: 10 });
    const { charges } = await preview({ create: { productId, quantity: 2, coupon } });
    expect(charges).toMatchObject([
      {
        installmentNumber: 1,
        amount: 8_820,
        lines: [
          { type: 'plan', amount: 9_800 },
          { type: 'discount', amount: -980 },
        ],
      },
    ]);
  });

  it('stores nothing', async () => {
    const { id } = await halfway();
    const { id: productId } = await product({ price: 9_900 });
    const rows = () =>
      app.database.em.fork().execute(
        `select (select count(*) from installments) as cycles, (select count(*) from plan_updates) as updates,
             (select row_to_json(subscriptions)::text from subscriptions where id = ?) as subscription`,
        [id],
      );
    const before = await rows();
    await preview({ id, changePlan: { productId, quantity: 1, when: 'now', proration: 'full' } });
    expect(await rows()).toEqual(before);
  });

  it.each([
    [{ id: 'subs_x', create: { productId: 'prod_x', quantity: 1 } }, 'either id or create'],
    [{}, 'either id or create'],
    [{ id: 'subs_x', cancel: {}, resume: {} }, 'at most one of'],
    [
      { id: 'subs_x', changePlan: { productId: 'prod_x', quantity: 1, proration: 'full' } },
      'only for when: now',
    ],
  ])('returns 400 for %j', async (body, error) => {
    const answer = await ask(body);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(error);
  });

  it("returns 404 for another store's subscription", async () => {
    const other = await app.clientWith({ devMode: false });
    const { id } = await insertSubscription(shop());
    expect((await other.post('/v2/subscriptions/preview', { id })).status).toBe(404);
  });
});

describe('a change of plan now', () => {
  const change = (body: object) => app.api.post('/v2/subscriptions/change-plan', body);

  it.each([
    ['attemptDueAt', { attemptDueAt: new Date() }],
    ['pausedAt', { pausedAt: new Date() }],
    ['cancelAt', { cancelAt: new Date() }],
  ])('returns CHANGE_NOT_POSSIBLE_NOW with %s', async (_, changes) => {
    const { id } = await insertSubscription(shop(), changes);
    const { id: productId } = await product({ price: 9_900 });
    const answer = await change({ id, productId, quantity: 1, when: 'now' });
    expect(answer).toMatchObject({ status: 422, json: { rule: 'CHANGE_NOT_POSSIBLE_NOW' } });
  });

  it('returns PRORATION_NEEDS_SAME_CYCLE for the difference to a yearly plan', async () => {
    const { id } = await insertSubscription(shop());
    const { id: productId } = await product({ price: 9_900, cycle: 'ANNUALLY' });
    const answer = await change({ id, productId, quantity: 1, when: 'now' });
    expect(answer).toMatchObject({ status: 422, json: { rule: 'PRORATION_NEEDS_SAME_CYCLE' } });
  });
});
