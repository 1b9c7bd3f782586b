import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AppDeps } from '../../../src/api/frame/deps.ts';
import { AuditLineEntity } from '../../../src/database/entities/audit-line.ts';
import { CycleEntity } from '../../../src/database/entities/cycle.ts';
import { SubscriptionEntity } from '../../../src/database/entities/subscription.ts';
import { cyclePeriod } from '../../../src/domain/cycle.ts';
import type { PlanChange } from '../../../src/subscriptions/change-plan.ts';
import { changePlan } from '../../../src/subscriptions/change-plan.ts';
import { sayAmount } from '../../../src/web/i18n/money.ts';
import type { ChangePlanInput } from '../../../workflows/subscription.contract.ts';
import { createTestApp, type TestApp } from '../../support/api/app.ts';
import { type DashboardUser, signedIn } from '../../support/dashboard/dashboard-user.ts';
import { activityDeps } from '../../support/fixtures/activity-deps.ts';
import { insertProduct } from '../../support/rows/checkout-rows.ts';
import { insertSubscribed } from '../../support/rows/subscriber-rows.ts';

const WEEK_MS = 7 * 24 * 60 * 60 * 1_000;

let app: TestApp;
let owner: DashboardUser;
let asked: ChangePlanInput[] = [];
beforeAll(async () => {
  const nobody = () => Promise.reject(new Error('only the plan changes here'));
  const subscriptionUpdates: AppDeps['subscriptionUpdates'] = {
    ...{ cancel: nobody, scheduleCancellation: nobody, pause: nobody, resume: nobody },
    ...{ pay: nobody, changeTrial: nobody, attemptNow: nobody },
    async changePlan({ id: subscriptionId }, change) {
      asked.push(change);
      const deps = activityDeps({
        database: app.database,
        providers: app.deps.providers,
        dispatcher: app.deps.dispatcher,
        startDelivery: async () => undefined,
        cancelCharge: async () => 'CANCELLED',
      });
      const changed: PlanChange = await changePlan(deps, { subscriptionId, ...change }, new Date());
      return changed.status;
    },
  };
  app = await createTestApp({
    starter: { startSoon: () => undefined },
    subscriptionUpdates,
  });
  owner = await signedIn({ ...app, url: app.api.url }, app.storeId, 'owner');
});
afterAll(() => app.close());
beforeEach(() => {
  asked = [];
});

const rowOf = (id: string) =>
  app.database.em.fork().findOneOrFail(SubscriptionEntity, { id: id as never }, { disableIdentityMap: true });

/** A subscription, a dearer product, and the page that changes the plan. */
async function subscribed() {
  const { subscription } = await insertSubscribed(app, 'CARD');
  const anchorAt = new Date(Date.now() - WEEK_MS);
  const { startsAt, endsAt } = cyclePeriod(anchorAt, 'MONTHLY', 0);
  const em = app.database.em.fork();
  const dates = { anchorAt, cycleStartsAt: startsAt, cycleEndsAt: endsAt };
  await em.nativeUpdate(SubscriptionEntity, { id: subscription.id }, dates);
  await em.nativeUpdate(CycleEntity, { subscriptionId: subscription.id }, { startsAt, endsAt });
  const { id: productId } = await insertProduct(app, {
    cycle: 'MONTHLY',
    priceCents: subscription.amountCents * 3,
  });
  const page = `/dashboard/${app.storeId}/dev/subscriptions/${subscription.id}`;
  const change = (planStart: string) =>
    owner.submit(page, `${page}/plan`, { productId, quantity: '1', planStart });
  return { subscription, page, productId, change };
}

describe('the dialog that changes a plan', () => {
  it('waits for the next cycle unless something else is chosen', async () => {
    const { subscription, change } = await subscribed();
    await change('next_cycle');
    expect(asked.map(({ proration }) => proration)).toEqual([undefined]);
    expect(await rowOf(subscription.id)).toMatchObject({
      cycleNumber: 1,
      amountCents: subscription.amountCents,
    });
  });

  it.each([
    ['difference', 'DIFFERENCE', 2],
    ['full', 'FULL', 2],
    ['none', 'NONE', 1],
  ])('starts the plan now with %s', async (planStart, proration, cycleNumber) => {
    const { subscription, change } = await subscribed();
    await change(planStart);
    expect(asked.map((change) => change.proration)).toEqual([proration]);
    const changed = { cycleNumber, amountCents: subscription.amountCents * 3 };
    expect(await rowOf(subscription.id)).toMatchObject(changed);
  });

  it('offers no start now while the subscription ends', async () => {
    const { subscription, page } = await subscribed();
    expect((await owner.get(page)).html).toContain('name="planStart"');
    const ends = { cancelAt: subscription.cycleEndsAt };
    await app.database.em.fork().nativeUpdate(SubscriptionEntity, { id: subscription.id }, ends);
    expect((await owner.get(page)).html).not.toContain('name="planStart"');
  });

  it('changes quantity and add-ons, and shows every product that fits the plan', async () => {
    const { subscription, page } = await subscribed();
    const { id: support } = await insertProduct(app, { cycle: 'MONTHLY', priceCents: 500, name: 'Suporte' });
    const { id: yearly } = await insertProduct(app, { cycle: 'ANNUALLY', priceCents: 700 });
    const shown = (await owner.get(page)).html;
    expect(shown).toContain(`name="addOn-${support}"`);
    expect(shown).not.toContain(`name="addOn-${yearly}"`);
    const change = (fields: Record<string, string>) =>
      owner.submit(page, `${page}/quantity`, { planQuantity: '2', planStart: 'none', ...fields });
    const wrong = await change({ [`addOn-${support}`]: 'two', planQuantity: '0' });
    expect([wrong.status, wrong.text.split('Um número inteiro').length]).toEqual([422, 3]);
    expect(asked).toEqual([]);
    expect(await change({ [`addOn-${support}`]: '3' })).toMatchObject({ status: 303 });
    expect(await rowOf(subscription.id)).toMatchObject({
      amountCents: subscription.amountCents * 2 + 1_500,
      plan: { quantity: 2, addOns: [{ productId: support, quantity: 3 }] },
    });
    expect((await owner.get(page)).html).toContain('value="keep"');
    await change({ [`addOn-${support}`]: '', planQuantity: '1' });
    expect((await rowOf(subscription.id)).plan).not.toHaveProperty('addOns');
  });

  it('changes to a plan of another cycle without the add-ons that do not fit it', async () => {
    const { subscription, page } = await subscribed();
    const { id: support } = await insertProduct(app, { cycle: 'MONTHLY', priceCents: 500 });
    const { id: productId } = await insertProduct(app, { cycle: 'ANNUALLY', priceCents: 70_000 });
    const fields = { planQuantity: '1', planStart: 'none', [`addOn-${support}`]: '1' };
    await owner.submit(page, `${page}/quantity`, fields);
    const change = (planAddOns: string) =>
      owner.submit(page, `${page}/plan`, { productId, quantity: '1', planStart: 'none', planAddOns });
    expect((await change('keep')).status).toBe(422);
    expect(await change('remove')).toMatchObject({ status: 303 });
    const { plan, cycle } = await rowOf(subscription.id);
    expect([plan.productId, cycle, plan.addOns]).toEqual([productId, 'ANNUALLY', undefined]);
  });

  it('shows the credit, and takes it off the next charge', async () => {
    const { subscription, page } = await subscribed();
    const credit = { creditCents: 1_234 };
    await app.database.em.fork().nativeUpdate(SubscriptionEntity, { id: subscription.id }, credit);
    const { text } = await owner.get(page);
    expect(text).toContain('Crédito');
    expect(text).toMatch(/12,34/);
  });
});

describe('the preview in a dialog', () => {
  /** What the page shows after the second button of a dialog. */
  async function previewed(form: string, fields: Record<string, string>) {
    const { subscription, page, productId } = await subscribed();
    const { status, html } = await owner.submit(page, `${page}/${form}/preview`, { productId, ...fields });
    return { status, html, subscription, shown: /data-preview>(.*?)<\/section>/s.exec(html)?.[1] ?? '' };
  }

  it('shows the charges of a new plan and keeps what was typed', async () => {
    const { status, html, shown, subscription } = await previewed('plan', {
      quantity: '2',
      planStart: 'full',
    });
    expect(status).toBe(200);
    expect(shown).toContain(sayAmount(subscription.amountCents * 6));
    expect(html).toMatch(/<dialog[^>]* id="plan"[^>]* open>/);
    expect(html).toMatch(/name="quantity"[^>]* value="2"/);
    expect(html).toContain('<option value="full" selected>');
  });

  it('changes nothing and leaves no line in the audit log', async () => {
    const { subscription } = await previewed('plan', { quantity: '2', planStart: 'full' });
    expect(asked).toEqual([]);
    expect(await rowOf(subscription.id)).toMatchObject({
      cycleNumber: 1,
      amountCents: subscription.amountCents,
    });
    const lines = await app.database.em.fork().count(AuditLineEntity, { subjectId: subscription.id });
    expect(lines).toBe(0);
  });

  it('shows the charges of another quantity', async () => {
    const { shown, subscription } = await previewed('quantity', {
      planQuantity: '3',
      planStart: 'next_cycle',
    });
    expect(shown).toContain(sayAmount(subscription.amountCents * 3));
  });

  it('shows that a cancellation charges nothing more', async () => {
    expect((await previewed('cancel', { cancelWhen: 'period' })).shown).toContain('Nada mais será cobrado');
  });

  it('names the wrong field, as the change itself would', async () => {
    const { status, html, shown } = await previewed('plan', { quantity: '0', planStart: 'full' });
    expect([status, shown]).toEqual([422, '']);
    expect(html).toMatch(/name="quantity"[^>]*aria-invalid="true"/);
  });
});
