import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { AppDeps } from '../../../src/api/frame/deps.ts';
import { AuditLineEntity } from '../../../src/database/entities/audit-line.ts';
import { CycleEntity } from '../../../src/database/entities/cycle.ts';
import { PlanUpdateEntity } from '../../../src/database/entities/plan-update.ts';
import { type Product, ProductEntity } from '../../../src/database/entities/product.ts';
import { SubscriptionEntity } from '../../../src/database/entities/subscription.ts';
import { DEFAULT_PORTAL_SETTINGS, type PortalSettings } from '../../../src/domain/portal-settings.ts';
import { savePortalSettings } from '../../../src/stores/portal-settings.ts';
import { changePlan } from '../../../src/subscriptions/change-plan.ts';
import { createTestApp, createTestStore, type TestApp } from '../../support/api/app.ts';
import { activityDeps } from '../../support/fixtures/activity-deps.ts';
import { insertCustomer, insertProduct, NOON } from '../../support/rows/checkout-rows.ts';
import { insertSubscribed } from '../../support/rows/subscriber-rows.ts';
import { csrfOf, PortalReader } from '../../support/web/portal-reader.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

let now = NOON;
let app: TestApp;
/** How often a change reached a subscription's workflow. */
let changes = 0;
beforeAll(async () => {
  const run = () =>
    activityDeps({
      database: app.database,
      providers: app.deps.providers,
      dispatcher: app.deps.dispatcher,
      startDelivery: async () => undefined,
      cancelCharge: async () => 'CANCELLED',
    });
  const refuse = () => Promise.reject(new Error('only plans change here'));
  const subscriptionUpdates: AppDeps['subscriptionUpdates'] = {
    cancel: refuse,
    scheduleCancellation: refuse,
    pause: refuse,
    resume: refuse,
    pay: refuse,
    changeTrial: refuse,
    attemptNow: async () => 'ACTIVE',
    /** What a run does with the update, on the same rows. */
    changePlan: async ({ id: subscriptionId }, change) => {
      changes += 1;
      return (await changePlan(run(), { subscriptionId, ...change }, now)).status;
    },
  };
  app = await createTestApp({
    clock: () => now,
    starter: { startSoon: () => undefined },
    subscriptionUpdates,
  });
});
afterAll(() => app.close());
beforeEach(() => {
  now = NOON;
  changes = 0;
});

const em = () => app.database.em.fork();

async function offer(plans: readonly Product[], settings: Partial<PortalSettings> = {}): Promise<void> {
  const all = { ...DEFAULT_PORTAL_SETTINGS, offeredPlanIds: plans.map(({ id }) => id), ...settings };
  await em().transactional((tx) => savePortalSettings(tx, { storeId: app.storeId, devMode: true }, all, now));
}

const plan = (name: string, priceCents: number, changed: Partial<Product> = {}) =>
  insertProduct(app, { name, priceCents, cycle: 'MONTHLY', ...changed });

let subscribers = 0;

/** A customer with a subscription at R$ 49.00 a month, signed in. */
async function subscriber(changed: Parameters<typeof insertSubscribed>[2] = {}) {
  subscribers += 1;
  const email = `bia${subscribers}@example.com`;
  const customer = await insertCustomer(app, { email });
  const own = { customerId: customer.id };
  const { subscription } = await insertSubscribed(app, 'CARD', {
    checkout: { ...own, ...changed.checkout },
    subscription: { ...own, ...changed.subscription },
  });
  const path = `/portal/${customer.id}`;
  const reader = new PortalReader(app);
  await reader.signIn(path, email);
  const to = `${path}/subscriptions/${subscription.id}/plan`;
  return { subscription, reader, path, to, email };
}

type Subscriber = Awaited<ReturnType<typeof subscriber>>;

const rowOf = ({ subscription: { id } }: Subscriber) => em().findOneOrFail(SubscriptionEntity, { id });
const updatesOf = ({ subscription }: Subscriber) =>
  em().find(PlanUpdateEntity, { subscriptionId: subscription.id });

/** Every hidden field of the form on a page, as a browser would send them. */
function fieldsOf(text: string): Record<string, string> {
  const form = text.slice(text.indexOf('name="submission"'));
  const hidden = form.matchAll(/name="(to|startsNow|todayCents|planCents)" value="([^"]*)"/g);
  const submission = /name="submission" value="([^"]+)"/.exec(text)?.[1] ?? '';
  return {
    ...Object.fromEntries([...hidden].map(([, name, value]) => [name, value])),
    csrf: csrfOf(text),
    submission,
  };
}

async function confirmationOf({ reader, to }: Subscriber, { id }: Product) {
  const page = await reader.get(`${to}?to=${id}`);
  expect(page.status).toBe(200);
  return page;
}

it('offers no change of plan until the store does', async () => {
  await offer([]);
  const bia = await subscriber();
  expect((await bia.reader.get(bia.path)).text).not.toContain('Change plan');
  expect((await bia.reader.get(bia.to)).status).toBe(409);
});

it('shows the plans that the store offers, the cheapest first', async () => {
  const [large, small] = [await plan('Large', 9_900), await plan('Small', 2_900)];
  const archived = await plan('Old', 1_900, { archivedAt: NOON });
  const once = await insertProduct(app, { name: 'Mug', priceCents: 3_000 });
  await plan('Hidden', 4_000);
  await offer([large, small, archived, once]);
  const bia = await subscriber();
  expect((await bia.reader.get(bia.path)).text).toContain('Change plan');
  const { text } = await bia.reader.get(bia.to);
  expect(text.indexOf('Small')).toBeGreaterThan(0);
  expect(text.indexOf('Large')).toBeGreaterThan(text.indexOf('Small'));
  for (const name of ['Old', 'Mug', 'Hidden']) expect(text).not.toContain(name);
});

it('changes to a cheaper plan with the next charge', async () => {
  const small = await plan('Small', 2_900);
  await offer([small], { upgradesAtOnce: true });
  const bia = await subscriber();
  const page = await confirmationOf(bia, small);
  expect(page.text).toContain('The new plan starts on 2 Jan 2027');
  const sent = await bia.reader.post(bia.to, fieldsOf(page.text));
  expect([sent.status, sent.location]).toEqual([303, `${bia.path}?plan=${bia.subscription.id}`]);
  const home = (await bia.reader.get(sent.location)).text;
  expect(home).toContain('Your plan changes on 2 Jan 2027.');
  expect(home).toContain('Small, from 2 Jan 2027');
  expect(home).toContain('R$\u00a029,00');
  expect(await updatesOf(bia)).toMatchObject([
    { status: 'PENDING', amountCents: 2_900, starts: 'NEXT_CYCLE' },
  ]);
  expect((await rowOf(bia)).amountCents).toBe(4_900);
});

it('changes to a more expensive plan at once, for the difference', async () => {
  const large = await plan('Large', 9_900);
  await offer([large], { upgradesAtOnce: true });
  const bia = await subscriber();
  now = new Date(bia.subscription.cycleStartsAt.getTime() + 15 * DAY_MS);
  await bia.reader.signIn(bia.path, bia.email);
  const page = await confirmationOf(bia, large);
  const { todayCents } = fieldsOf(page.text);
  await bia.reader.post(bia.to, fieldsOf(page.text));
  const [cycle] = await em().find(CycleEntity, { subscriptionId: bia.subscription.id, number: 2 });
  expect(cycle?.amountCents).toBe(Number(todayCents));
  expect(Number(todayCents)).toBeGreaterThan(2_000);
  expect(Number(todayCents)).toBeLessThan(3_000);
  expect(await rowOf(bia)).toMatchObject({ amountCents: 9_900, plan: { name: 'Large' } });
  const lines = await em().find(AuditLineEntity, { subjectId: bia.subscription.id });
  expect(lines).toMatchObject([
    {
      actorKind: 'PAYER',
      action: 'subscriptions/change-plan',
      details: JSON.stringify({ productId: large.id, startsNow: true }),
    },
  ]);
});

it('waits with an upgrade if the store wants that, or a cycle is unpaid', async () => {
  const large = await plan('Large', 9_900);
  await offer([large]);
  const bia = await subscriber();
  expect((await confirmationOf(bia, large)).text).toContain('The new plan starts on');
  await offer([large], { upgradesAtOnce: true });
  const late = await subscriber({ subscription: { attemptDueAt: NOON, failedAttempts: 1 } });
  expect((await confirmationOf(late, large)).text).toContain('The new plan starts on');
});

it('keeps the quantity of the payer', async () => {
  const small = await plan('Small', 2_900);
  await offer([small]);
  const bia = await subscriber();
  await em().nativeUpdate(
    SubscriptionEntity,
    { id: bia.subscription.id },
    { plan: { ...bia.subscription.plan, quantity: 3 }, amountCents: 14_700 },
  );
  const page = await confirmationOf(bia, small);
  expect(page.text).toContain('3 × Small');
  await bia.reader.post(bia.to, fieldsOf(page.text));
  expect(await updatesOf(bia)).toMatchObject([{ amountCents: 8_700, plan: { quantity: 3 } }]);
});

it('keeps the add-ons of the payer, and offers no change if no plan fits them', async () => {
  const [small, yearly] = [await plan('Small', 2_900), await plan('Yearly', 29_000, { cycle: 'ANNUALLY' })];
  await offer([small, yearly]);
  const bia = await subscriber();
  const seats = await plan('Seats', 1_000);
  const addOn = { ...bia.subscription.plan, productId: seats.id, name: 'Seats', unitPriceCents: 1_000 };
  const change = { plan: { ...bia.subscription.plan, addOns: [addOn] }, amountCents: 5_900 };
  await em().nativeUpdate(SubscriptionEntity, { id: bia.subscription.id }, change);
  const home = await bia.reader.get(bia.path);
  expect(home.text).toContain('Seats');
  expect(home.text).toContain('Change plan');
  await offer([yearly, seats]);
  expect((await bia.reader.get(bia.path)).text).not.toContain('Change plan');
  expect((await bia.reader.get(bia.to)).status).toBe(409);
});

it('goes back to the current plan while a change waits', async () => {
  const small = await plan('Small', 2_900);
  const bia = await subscriber();
  const current = await em().findOneOrFail(ProductEntity, { id: bia.subscription.plan.productId });
  await offer([small, current as Product]);
  await bia.reader.post(bia.to, fieldsOf((await confirmationOf(bia, small)).text));
  const { text } = await bia.reader.get(bia.to);
  expect(text).toContain(`to=${current.id}`);
  expect(text).not.toContain(`to=${small.id}`);
  await bia.reader.post(bia.to, fieldsOf((await confirmationOf(bia, current as Product)).text));
  const updates = await updatesOf(bia);
  expect(updates.map(({ status }) => status).sort()).toEqual(['PENDING', 'REPLACED']);
});

it('changes once if a form is sent five times at once', async () => {
  const small = await plan('Small', 2_900);
  await offer([small]);
  const bia = await subscriber();
  const fields = fieldsOf((await confirmationOf(bia, small)).text);
  const sent = await Promise.all(Array.from({ length: 5 }, () => bia.reader.post(bia.to, fields)));
  expect(sent.map(({ status }) => status)).toEqual(Array(5).fill(303));
  expect([changes, (await updatesOf(bia)).length]).toEqual([1, 1]);
});

it('shows the page again if the plan has become more expensive since', async () => {
  const small = await plan('Small', 2_900);
  await offer([small]);
  const bia = await subscriber();
  const fields = fieldsOf((await confirmationOf(bia, small)).text);
  await em().nativeUpdate(ProductEntity, { id: small.id }, { priceCents: 3_900 });
  const again = await bia.reader.post(bia.to, fields);
  expect([again.status, again.text]).toEqual([409, expect.stringContaining('The amount changed')]);
  expect([changes, await updatesOf(bia)]).toEqual([0, []]);
  expect((await bia.reader.post(bia.to, fieldsOf(again.text))).status).toBe(303);
  expect(await updatesOf(bia)).toMatchObject([{ amountCents: 3_900 }]);
});

it.each(['todayCents', 'planCents', 'startsNow'])('refuses a form without %s', async (name) => {
  const large = await plan('Large', 9_900);
  await offer([large], { upgradesAtOnce: true });
  const bia = await subscriber();
  const { [name]: _left, ...fields } = fieldsOf((await confirmationOf(bia, large)).text);
  expect((await bia.reader.post(bia.to, fields)).status).toBe(409);
  expect((await bia.reader.post(bia.to, { ...fields, [name]: 'NaN' })).status).toBe(409);
  expect(changes).toBe(0);
});

it('refuses a withdrawn plan, one never offered, and one of another store', async () => {
  const [small, hidden] = [await plan('Small', 2_900), await plan('Hidden', 100)];
  const other = { ...app, storeId: (await createTestStore(app.database)).id };
  const foreign = await insertProduct(other, { name: 'Foreign', priceCents: 100, cycle: 'MONTHLY' });
  await offer([small, foreign]);
  const bia = await subscriber();
  const fields = fieldsOf((await confirmationOf(bia, small)).text);
  for (const to of [hidden.id, foreign.id])
    expect((await bia.reader.post(bia.to, { ...fields, to })).status).toBe(409);
  await offer([]);
  expect((await bia.reader.post(bia.to, fields)).status).toBe(409);
  expect(changes).toBe(0);
});

it('answers 404 for the subscription of somebody else', async () => {
  const small = await plan('Small', 2_900);
  await offer([small]);
  const [ana, bia] = [await subscriber(), await subscriber()];
  const fields = fieldsOf((await confirmationOf(bia, small)).text);
  const foreign = `${bia.path}/subscriptions/${ana.subscription.id}/plan`;
  expect((await bia.reader.get(foreign)).status).toBe(404);
  expect((await bia.reader.post(foreign, fields)).status).toBe(404);
  expect(changes).toBe(0);
});

it.each([
  ['a scheduled cancellation', { cancelAt: NOON }],
  ['a pause', { pausedAt: NOON }],
])('offers no change during %s', async (_what, subscription) => {
  await offer([await plan('Small', 2_900)]);
  const bia = await subscriber({ subscription });
  expect((await bia.reader.get(bia.path)).text).not.toContain('Change plan');
  expect((await bia.reader.get(bia.to)).status).toBe(409);
});
