import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ProductView } from '../../src/api/products/schema.ts';
import type { ShownPreview } from '../../src/api/subscriptions/preview-view.ts';
import { CheckoutEntity } from '../../src/database/entities/checkout.ts';
import { type Debit, DebitEntity } from '../../src/database/entities/debit.ts';
import { type Subscription, SubscriptionEntity } from '../../src/database/entities/subscription.ts';
import { itemOf } from '../../src/domain/checkout.ts';
import type { CheckoutId, ProductId } from '../../src/domain/ids.ts';
import { planCentsOf, withAddOns } from '../../src/domain/subscribed-plan.ts';
import { planDebits } from '../../src/mandates/plan-debits.ts';
import { changePlan } from '../../src/subscriptions/change-plan.ts';
import type { ShownSubscriptionCheckout } from '../../src/wire/checkout.ts';
import type { ShownPlanUpdate } from '../../src/wire/subscription/plan-update.ts';
import type { ShownSubscription } from '../../src/wire/subscription/schema.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { createTestApp, createTestStore, type TestApp } from '../support/api/app.ts';
import { buildProduct } from '../support/rows/catalog.ts';
import { NOON } from '../support/rows/checkout-rows.ts';
import { insertMandate } from '../support/rows/mandates.ts';
import { insertSubscription } from '../support/rows/subscribed-rows.ts';
import { SILENT_LOG } from '../support/servers/silent-temporal.ts';

const NOW = new Date(NOON.getTime() + 24 * 60 * 60 * 1_000);

/** Nothing else is asked of the workflow here. */
const UNASKED = async (): Promise<never> => {
  throw new Error('only changes of the plan are asked for');
};

let app: TestApp;
let elsewhere: ApiClient;
beforeAll(async () => {
  app = await createTestApp({
    clock: () => NOW,
    subscriptionUpdates: {
      ...{ cancel: UNASKED, scheduleCancellation: UNASKED, pause: UNASKED, resume: UNASKED },
      ...{ attemptNow: UNASKED, changeTrial: UNASKED, pay: UNASKED },
      // What the activity of the workflow does.
      async changePlan({ id: subscriptionId }, change) {
        const effects = {
          publicUrl: app.deps.publicUrl,
          startDelivery: async () => {},
          wakeDebit: () => undefined,
        };
        const deps = { database: app.database, ...effects } as unknown as Parameters<typeof changePlan>[0];
        return (await changePlan(deps, { subscriptionId, ...change }, NOW)).status;
      },
    },
  });
  elsewhere = await app.clientWith({ storeId: (await createTestStore(app.database)).id });
});
afterAll(() => app.close());

const shop = () => ({ database: app.database, storeId: app.storeId });
const post = (path: string, body: object, api = app.api) => api.post(`/v2/subscriptions/${path}`, body);
const product = (given: object = {}, api = app.api) => buildProduct(api, { cycle: 'MONTHLY', ...given });
const archived = async () => {
  const made = await product();
  await app.api.post(`/v2/products/archive?id=${made.id}`);
  return made;
};
type NamedIssue = { readonly path: string; readonly rule?: string };
const issuesOf = ({ json }: Awaited<ReturnType<typeof post>>) =>
  ((json.issues ?? []) as readonly NamedIssue[]).map(({ path, rule }) => [path, rule]);
const rowOf = ({ id }: Pick<Subscription, 'id'>) =>
  app.database.em.fork().findOneOrFail(SubscriptionEntity, { id });
const refreshed = async ({ id }: { readonly id: string }) =>
  dataOf<ShownSubscription>(await app.api.get(`/v2/subscriptions/get?id=${id}`));

/** R$ 50.00 a month, with one of each product as add-on. */
async function subscribed(...products: readonly ProductView[]): Promise<Subscription> {
  const subscription = await insertSubscription(shop());
  const addOns = products.map(({ id, name, price }) =>
    itemOf({ id: id as ProductId, name, imageUrl: null, priceCents: price, usageCycle: null }),
  );
  const plan = withAddOns(subscription.plan, addOns);
  const changes = { plan, amountCents: planCentsOf(plan) };
  await app.database.em.fork().nativeUpdate(SubscriptionEntity, { id: subscription.id }, changes);
  return { ...subscription, ...changes };
}

describe('a subscription with add-ons', () => {
  it('costs the plan and its add-ons at their present prices', async () => {
    const [plan, support, seats] = [
      await product({ price: 4_900, trialDays: 7 }),
      await product({ price: 2_000 }),
      await product({ price: 990 }),
    ];
    const answer = await post('create', {
      items: [{ id: plan.id }],
      addOns: [{ id: support.externalId }, { id: seats.id, quantity: 3 }],
    });
    const checkout = dataOf<ShownSubscriptionCheckout>(answer);
    expect(checkout).toMatchObject({
      amount: 4_900 + 2_000 + 2_970,
      items: [{ id: plan.id, quantity: 1 }],
      addOns: [
        { id: support.id, quantity: 1 },
        { id: seats.id, quantity: 3 },
      ],
    });
    const { items, trialDays } = await app.database.em
      .fork()
      .findOneOrFail(CheckoutEntity, { id: checkout.id as CheckoutId });
    expect(trialDays).toBe(7);
    expect(items).toMatchObject([
      { productId: plan.id, unitPriceCents: 4_900 },
      { productId: support.id, unitPriceCents: 2_000 },
      { productId: seats.id, unitPriceCents: 990, quantity: 3 },
    ]);
    const { charges } = dataOf<ShownPreview>(
      await post('preview', {
        create: {
          productId: plan.id,
          quantity: 1,
          addOns: [{ id: support.id }, { id: seats.id, quantity: 3 }],
        },
      }),
    );
    expect(charges[0]).toMatchObject({ amount: checkout.amount });
    expect(charges[0]?.lines.map(({ type, amount }) => [type, amount])).toEqual([
      ['plan', 4_900],
      ['add_on', 2_000],
      ['add_on', 2_970],
    ]);
  });

  it('names every add-on that cannot be sold, and stores nothing', async () => {
    const plan = await product();
    const [once, twice] = [await product(), await product()];
    const wrong: (readonly [string, string])[] = [
      [(await product({ cycle: 'ANNUALLY' })).id, 'ADD_ON_NEEDS_SAME_CYCLE'],
      [(await buildProduct(app.api)).id, 'ADD_ON_NEEDS_SAME_CYCLE'],
      [plan.id, 'ADD_ON_IS_PLAN'],
      [(await archived()).id, 'PRODUCT_ARCHIVED'],
      [(await product({}, elsewhere)).id, 'UNKNOWN_PRODUCT'],
      ['prod_0', 'UNKNOWN_PRODUCT'],
      [twice.externalId, 'ADD_ON_TWICE'],
    ];
    const addOns = [once.id, twice.id, ...wrong.map(([id]) => id)].map((id) => ({ id }));
    const before = await app.database.em.fork().count(CheckoutEntity);
    const answer = await post('create', { items: [{ id: plan.id }], addOns });
    expect(answer.status).toBe(422);
    expect(issuesOf(answer)).toEqual(wrong.map(([, rule], index) => [`addOns[${index + 2}].id`, rule]));
    expect(answer.json.issues?.[0]?.message).toBe(
      'has the cycle ANNUALLY; an add-on needs that of the plan, MONTHLY',
    );
    const ofUnknown = await post('create', { items: [{ id: 'prod_0' }], addOns: [{ id: 'prod_1' }] });
    expect(issuesOf(ofUnknown).map(([path]) => path)).toEqual(['items[0].id', 'addOns[0].id']);
    expect(await app.database.em.fork().count(CheckoutEntity)).toBe(before);
  });

  it('returns 400 for 21 add-ons, and names unknown products with wrong fields', async () => {
    const addOns = Array.from({ length: 21 }, (_, nth) => ({ id: `prod_${nth}` }));
    const items = [{ id: (await product()).id }];
    expect((await post('create', { items, addOns })).json.issues?.[0]?.path).toBe('addOns');
    const answer = await post('create', { items, addOns: [{ id: 'prod_0', quantity: 0 }, { id: 'prod_1' }] });
    expect(answer.status).toBe(400);
    expect(answer.json.issues?.map(({ path }) => path)).toEqual([
      'addOns[0].quantity',
      'addOns[0].id',
      'addOns[1].id',
    ]);
  });

  it('returns 422 for a sum that no charge can have', async () => {
    const [plan, dear] = [await product(), await product({ price: 9_999_999_999 })];
    const answer = await post('create', { items: [{ id: plan.id }], addOns: [{ id: dear.id, quantity: 2 }] });
    expect(answer).toMatchObject({ status: 422, json: { rule: 'TOTAL_TOO_LARGE' } });
    const { id } = await subscribed();
    const update = await post('update', { id, addOns: [{ id: dear.id, quantity: 2 }] });
    expect(update).toMatchObject({
      status: 422,
      json: { rule: 'TOTAL_TOO_LARGE', issues: [{ path: 'addOns' }] },
    });
  });
});

describe('other add-ons of a subscription', () => {
  it('waits for the next cycle, and keeps the price of kept ones', async () => {
    const [support, backup] = [await product({ price: 2_000 }), await product({ price: 500 })];
    const { id } = await subscribed(support);
    await app.api.post('/v2/products/update', { id: support.id, price: 9_999 });
    const addOns = [
      { id: support.id, quantity: 2 },
      { id: backup.id, quantity: 1 },
    ];
    const shown = dataOf<ShownSubscription>(await post('update', { id, addOns }));
    expect(shown).toMatchObject({ amount: 7_000, addOns: [{ id: support.id, quantity: 1 }] });
    expect(shown.pendingUpdate).toMatchObject({ newAmount: 5_000 + 4_000 + 500, addOns });
    // Another quantity keeps them, and other add-ons keep the quantity.
    const more = dataOf<ShownSubscription>(await post('update', { id, quantity: 3 }));
    expect(more.pendingUpdate).toMatchObject({ quantity: 3, newAmount: 15_000 + 4_500, addOns });
    const less = dataOf<ShownSubscription>(await post('update', { id, addOns: [] }));
    expect(less.pendingUpdate).toMatchObject({ quantity: 3, newAmount: 15_000, addOns: [] });
  });

  it('changes add-ons and quantity at once, as the preview says', async () => {
    const support = await product({ price: 2_000 });
    const { id } = await subscribed();
    const change = { quantity: 2, addOns: [{ id: support.id }], when: 'now', proration: 'none' };
    const { charges } = dataOf<ShownPreview>(await post('preview', { id, update: change }));
    expect(charges).toMatchObject([
      {
        amount: 12_000,
        lines: [
          { type: 'plan', amount: 10_000 },
          { type: 'add_on', amount: 2_000 },
        ],
      },
    ]);
    expect(dataOf(await post('update', { id, ...change }))).toMatchObject({
      amount: 12_000,
      items: [{ quantity: 2 }],
      addOns: [{ id: support.id, quantity: 1 }],
      pendingUpdate: null,
    });
  });

  it('keeps add-ons whose product was archived or deleted', async () => {
    const [gone, support] = [await product(), await product()];
    const { id } = await subscribed(gone, support);
    await app.api.post(`/v2/products/archive?id=${support.id}`);
    await app.api.post(`/v2/products/delete?id=${gone.id}`);
    const addOns = [
      { id: gone.id, quantity: 4 },
      { id: support.id, quantity: 2 },
    ];
    const { pendingUpdate } = dataOf<ShownSubscription>(await post('update', { id, addOns }));
    expect(pendingUpdate).toMatchObject({ addOns, newAmount: 5_000 + 4 * 2_500 + 2 * 2_500 });
  });

  it('refuses others by the same rules, and other stores by a 404', async () => {
    const { id, plan } = await subscribed();
    const foreign = await product({}, elsewhere);
    const yearly = await product({ cycle: 'ANNUALLY' });
    const addOns = [
      { id: plan.productId },
      { id: foreign.id },
      { id: yearly.id },
      { id: (await archived()).id },
    ];
    for (const answer of [
      await post('update', { id, addOns }),
      await post('preview', { id, update: { addOns } }),
    ]) {
      expect(answer.status).toBe(422);
      expect(issuesOf(answer)).toEqual([
        ['addOns[0].id', 'ADD_ON_IS_PLAN'],
        ['addOns[1].id', 'UNKNOWN_PRODUCT'],
        ['addOns[2].id', 'ADD_ON_NEEDS_SAME_CYCLE'],
        ['addOns[3].id', 'PRODUCT_ARCHIVED'],
      ]);
    }
    const theirs = await post('update', { id, addOns: [{ id: foreign.id }] }, elsewhere);
    expect(theirs.status).toBe(404);
    expect((await refreshed({ id })).pendingUpdate).toBeNull();
  });

  it('refuses a change now while a cycle is unpaid', async () => {
    const { id } = await subscribed();
    await app.database.em.fork().nativeUpdate(SubscriptionEntity, { id }, { attemptDueAt: NOW });
    const answer = await post('update', { id, addOns: [], when: 'now' });
    expect(answer).toMatchObject({ status: 422, json: { rule: 'CHANGE_NOT_POSSIBLE_NOW' } });
  });

  it.each([
    [{ addOns: [], metadata: {} }, 'card'],
    [{ addOns: [], proration: 'full' }, 'proration'],
  ])('returns 400 for %j', async (body, path) => {
    const { id } = await subscribed();
    expect(await post('update', { id, ...body })).toMatchObject({
      status: 400,
      json: { issues: [{ path }] },
    });
  });
});

it('debits the sum, and plans no debit of a sum that nobody authorized', async () => {
  const { id, cycleEndsAt } = await subscribed(await product({ price: 2_000 }));
  await insertMandate(app.database, await rowOf({ id }), { amountCents: 7_000 });
  const debits: Debit[] = [];
  const effects = { startDebit: async (debit: Debit) => void debits.push(debit) };
  // Without a provider nothing is ordered at once: the workflow of the debit orders it.
  const deps = { database: app.database, log: SILENT_LOG, ...effects } as unknown as Parameters<
    typeof planDebits
  >[0];
  const now = new Date(cycleEndsAt.getTime() - 5 * 24 * 60 * 60 * 1_000);
  const owner = { storeId: app.storeId, devMode: true };
  expect(await planDebits(deps, { now, owner })).toBe(1);
  expect(debits).toMatchObject([{ amountCents: 7_000 }]);
  expect((await post('update', { id, addOns: [] })).status).toBe(200);
  const dropped = await app.database.em.fork().findOneOrFail(DebitEntity, { subscriptionId: id });
  expect(dropped.status).toBe('DROPPING');
  expect(await planDebits(deps, { now, owner })).toBe(0);
});

describe('another plan of a subscription with add-ons', () => {
  it('keeps them at their price if it has the same cycle', async () => {
    const support = await product({ price: 2_000 });
    const { id } = await subscribed(support);
    await app.api.post('/v2/products/update', { id: support.id, price: 9_999 });
    const bigger = await product({ price: 8_000 });
    const wanted = { productId: bigger.id, quantity: 1 };
    expect(dataOf<ShownPlanUpdate>(await post('change-plan', { id, ...wanted }))).toMatchObject({
      newAmount: 10_000,
      addOns: [{ id: support.id, quantity: 1 }],
    });
    const { charges } = dataOf<ShownPreview>(await post('preview', { id }));
    expect(charges).toMatchObject([{ amount: 10_000 }]);
  });

  it('needs to name add-ons of its own cycle, or none', async () => {
    const support = await product();
    const { id } = await subscribed(support);
    const [yearly, yearlySupport] = [
      await product({ price: 50_000, cycle: 'ANNUALLY' }),
      await product({ price: 20_000, cycle: 'ANNUALLY' }),
    ];
    const wanted = { productId: yearly.id, quantity: 1 };
    for (const answer of [
      await post('change-plan', { id, ...wanted }),
      await post('preview', { id, changePlan: wanted }),
    ])
      expect(answer).toMatchObject({
        status: 422,
        json: { rule: 'ADD_ONS_OF_OTHER_CYCLE', issues: [{ path: 'addOns' }] },
      });
    const old = await post('change-plan', { id, ...wanted, addOns: [{ id: support.id }] });
    expect(issuesOf(old)).toEqual([['addOns[0].id', 'ADD_ON_NEEDS_SAME_CYCLE']]);
    const none = dataOf<ShownPlanUpdate>(await post('change-plan', { id, ...wanted, addOns: [] }));
    expect(none).toMatchObject({ newAmount: 50_000, addOns: [] });
    const addOns = [{ id: yearlySupport.id, quantity: 2 }];
    const both = dataOf<ShownPlanUpdate>(await post('change-plan', { id, ...wanted, addOns }));
    expect(both).toMatchObject({ newAmount: 90_000, addOns });
    expect(await rowOf({ id })).toMatchObject({ amountCents: 7_500, cycle: 'MONTHLY' });
  });

  it('accepts an add-on as the plan only if the request names the others', async () => {
    const [support, backup] = [await product({ price: 2_000 }), await product({ price: 500 })];
    const { id } = await subscribed(support, backup);
    const wanted = { productId: support.id, quantity: 1 };
    expect(await post('change-plan', { id, ...wanted })).toMatchObject({
      status: 422,
      json: { rule: 'ADD_ON_IS_PLAN', issues: [{ path: 'addOns' }] },
    });
    const answer = await post('change-plan', { id, ...wanted, addOns: [{ id: backup.id }] });
    expect(dataOf<ShownPlanUpdate>(answer)).toMatchObject({ productId: support.id, newAmount: 2_500 });
  });

  it('names an unknown product together with wrong add-ons', async () => {
    const { id } = await subscribed();
    const answer = await post('change-plan', {
      ...{ id, productId: 'prod_0', quantity: 1, addOns: [{ id: 'prod_1' }] },
    });
    expect(issuesOf(answer)).toEqual([
      ['productId', 'UNKNOWN_PRODUCT'],
      ['addOns[0].id', 'UNKNOWN_PRODUCT'],
    ]);
  });
});
