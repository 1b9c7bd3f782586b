import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AppDeps } from '../../../src/api/frame/deps.ts';
import { verifyAudit } from '../../../src/audit-log/verify-audit.ts';
import { AuditLineEntity } from '../../../src/database/entities/audit-line.ts';
import { type Subscription, SubscriptionEntity } from '../../../src/database/entities/subscription.ts';
import { DEFAULT_PORTAL_SETTINGS, type PortalSettings } from '../../../src/domain/portal-settings.ts';
import { savePortalSettings } from '../../../src/stores/portal-settings.ts';
import { cancelNow } from '../../../src/subscriptions/cancel-subscription.ts';
import { payOpenCycle } from '../../../src/subscriptions/dunning/pay-open-cycle.ts';
import { pauseSubscription } from '../../../src/subscriptions/pause-subscription.ts';
import { resumeSubscription } from '../../../src/subscriptions/resume-subscription.ts';
import { scheduleCancellation } from '../../../src/subscriptions/schedule-cancellation.ts';
import { createTestApp, createTestStore, type TestApp } from '../../support/api/app.ts';
import { activityDeps } from '../../support/fixtures/activity-deps.ts';
import { insertCustomer, NOON } from '../../support/rows/checkout-rows.ts';
import { insertSubscribed } from '../../support/rows/subscriber-rows.ts';
import { csrfOf, PortalReader } from '../../support/web/portal-reader.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const HOUR_MS = 60 * 60 * 1_000;

let now = NOON;
let app: TestApp;
/** What reached the subscriptions' workflows. */
let asked: string[] = [];
beforeAll(async () => {
  const run = () =>
    activityDeps({
      database: app.database,
      providers: app.deps.providers,
      dispatcher: app.deps.dispatcher,
      startDelivery: async () => undefined,
      cancelCharge: async () => 'CANCELLED',
    });
  /** What a run does with an update, on the same rows. */
  const subscriptionUpdates: AppDeps['subscriptionUpdates'] = {
    cancel: ({ id }) => noted('cancel', () => cancelNow(run(), id, now)),
    scheduleCancellation: ({ id }) =>
      noted('scheduleCancellation', async () => (await scheduleCancellation(run(), id, now)).status),
    pause: ({ id: subscriptionId }, terms) =>
      noted('pause', async () => (await pauseSubscription(run(), { subscriptionId, ...terms }, now)).status),
    resume: ({ id }) => noted('resume', async () => (await resumeSubscription(run(), id, now)).status),
    pay: ({ id }) => noted('pay', async () => (await payOpenCycle(run(), id, now)).status),
    changeTrial: () => Promise.reject(new Error('nobody changes a trial here')),
    attemptNow: async () => 'ACTIVE',
    changePlan: () => Promise.reject(new Error('nobody changes a plan here')),
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
  asked = [];
});

function noted<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  asked.push(name);
  return work();
}

const em = () => app.database.em.fork();
const rowOf = ({ id }: Subscription) => em().findOneOrFail(SubscriptionEntity, { id });

async function allow(settings: Partial<PortalSettings>, storeId = app.storeId): Promise<void> {
  const all = { ...DEFAULT_PORTAL_SETTINGS, ...settings };
  await em().transactional((tx) => savePortalSettings(tx, { storeId, devMode: true }, all, now));
}

let subscribers = 0;

/** A customer with a subscription, signed in. */
async function subscriber(shop: Parameters<typeof insertSubscribed>[0] = app) {
  subscribers += 1;
  const email = `ana${subscribers}@example.com`;
  const customer = await insertCustomer(shop, { email });
  const own = { customerId: customer.id };
  const { subscription } = await insertSubscribed(shop, 'CARD', { checkout: own, subscription: own });
  const path = `/portal/${customer.id}`;
  const reader = new PortalReader(app);
  const home = await reader.signIn(path, email);
  return { subscription, reader, path, home, of: `${path}/subscriptions/${subscription.id}` };
}

/** The fields of the form on a page, as a browser would send them. */
function fieldsOf(text: string): Record<string, string> {
  const submission = /name="submission" value="([^"]+)"/.exec(text)?.[1] ?? '';
  return { csrf: csrfOf(text), submission };
}

/** Opens the page of an action and presses its button. */
async function act({ reader, of }: Awaited<ReturnType<typeof subscriber>>, action: string, more = {}) {
  const page = await reader.get(`${of}/${action}`);
  expect(page.status).toBe(200);
  return reader.post(`${of}/${action}`, { ...fieldsOf(page.text), ...more });
}

async function linesAbout({ id }: Subscription) {
  const lines = await em().find(AuditLineEntity, { subjectId: id }, { orderBy: { createdAt: 'asc' } });
  return lines.map(({ actorKind, action, details }) => [actorKind, action, details]);
}

describe('a payer in the portal', () => {
  it('cancels at the end of the period, and undoes it', async () => {
    const ana = await subscriber();
    expect(ana.home.text).toContain('Cancel subscription');
    const page = await ana.reader.get(`${ana.of}/cancel`);
    expect(page.text).toContain('You can use the subscription until');
    const sent = await ana.reader.post(`${ana.of}/cancel`, fieldsOf(page.text));
    expect([sent.status, sent.location]).toEqual([
      303,
      `${ana.path}?done=cancel&subscription=${ana.subscription.id}`,
    ]);
    const { cycleEndsAt, status, cancelAt } = await rowOf(ana.subscription);
    expect([status, cancelAt]).toEqual(['ACTIVE', cycleEndsAt]);
    expect((await ana.reader.get(sent.location)).text).toContain('Your cancellation is scheduled.');
    const undone = await act(ana, 'undo');
    expect((await ana.reader.get(undone.location)).text).toContain('Your subscription continues.');
    expect(await rowOf(ana.subscription)).toMatchObject({ status: 'ACTIVE', cancelAt: null });
    expect(await linesAbout(ana.subscription)).toEqual([
      ['PAYER', 'subscriptions/cancel', '{"atPeriodEnd":true}'],
      ['PAYER', 'subscriptions/resume', null],
    ]);
  });

  it('acts once if a form is sent five times at once', async () => {
    const ana = await subscriber();
    const page = await ana.reader.get(`${ana.of}/cancel`);
    const sent = await Promise.all(
      Array.from({ length: 5 }, () => ana.reader.post(`${ana.of}/cancel`, fieldsOf(page.text))),
    );
    expect(sent.map(({ status }) => status)).toEqual(Array(5).fill(303));
    expect(asked).toEqual(['scheduleCancellation']);
    expect(await linesAbout(ana.subscription)).toHaveLength(1);
    // Also when it is sent again after the cancellation was undone.
    await act(ana, 'undo');
    expect((await ana.reader.post(`${ana.of}/cancel`, fieldsOf(page.text))).status).toBe(303);
    expect(await rowOf(ana.subscription)).toMatchObject({ cancelAt: null });
    expect((await verifyAudit(em(), now, true)).faults).toEqual([]);
  });

  it('takes the forms of several pages that ask for the same at once for one request', async () => {
    await allow({ longestPauseDays: 30 });
    const ana = await subscriber();
    const pages = await Promise.all(Array.from({ length: 5 }, () => ana.reader.get(`${ana.of}/pause`)));
    await Promise.all(
      pages.map(({ text }) => ana.reader.post(`${ana.of}/pause`, { ...fieldsOf(text), days: '7' })),
    );
    expect(asked).toEqual(['pause']);
    expect(await linesAbout(ana.subscription)).toEqual([['PAYER', 'subscriptions/pause', null]]);
    // Another request, and the same one later, are requests of their own.
    await act(ana, 'resume');
    now = new Date(NOON.getTime() + HOUR_MS / 2);
    await act(ana, 'pause', { days: '7' });
    expect(asked).toEqual(['pause', 'resume', 'pause']);
    await allow({});
  });

  it('cancels at once only if the store allows it', async () => {
    const ana = await subscriber();
    expect((await ana.reader.get(`${ana.of}/cancel-now`)).status).toBe(409);
    await allow({ cancellation: 'NOW' });
    const done = await act(ana, 'cancel-now');
    expect((await ana.reader.get(done.location)).text).toContain('Your subscription was cancelled.');
    expect(await rowOf(ana.subscription)).toMatchObject({ status: 'CANCELLED', cancelPolicy: 'NOW' });
    await allow({});
  });

  it('pauses for at most as long as the store allows, and resumes', async () => {
    const ana = await subscriber();
    expect(ana.home.text).not.toContain('Pause subscription');
    await allow({ longestPauseDays: 30 });
    const page = await ana.reader.get(`${ana.of}/pause`);
    expect(page.text.match(/<option value="(\d+)"/g)).toHaveLength(3);
    const tooLong = await ana.reader.post(`${ana.of}/pause`, { ...fieldsOf(page.text), days: '31' });
    expect([tooLong.status, asked]).toEqual([409, []]);
    await act(ana, 'pause', { days: '14' });
    const paused = await rowOf(ana.subscription);
    expect(paused).toMatchObject({ pausedAt: NOON, resumesAt: new Date(NOON.getTime() + 14 * DAY_MS) });
    await act(ana, 'resume');
    expect(await rowOf(ana.subscription)).toMatchObject({ pausedAt: null, resumesAt: null });
    await allow({});
  });

  it('refuses a pause while a payment is open, which a pause would give up', async () => {
    const ana = await subscriber();
    await allow({ longestPauseDays: 30 });
    await em().nativeUpdate(
      SubscriptionEntity,
      { id: ana.subscription.id },
      { attemptDueAt: NOON, failedAttempts: 1 },
    );
    expect((await ana.reader.get(`${ana.of}/pause`)).status).toBe(409);
    await allow({});
  });
});

describe('an overdue cycle', () => {
  it('makes one attempt if the form is sent five times at once', async () => {
    const ana = await subscriber();
    const { id } = ana.subscription;
    const keptPastDue = { failedAttempts: 3, pausedAt: now, pauseCause: 'PAST_DUE' as const };
    await em().nativeUpdate(SubscriptionEntity, { id }, keptPastDue);
    const page = await ana.reader.get(`${ana.of}/pay`);
    expect(page.text).toContain('Pay now');
    const fields = fieldsOf(page.text);
    const sent = await Promise.all(Array.from({ length: 5 }, () => ana.reader.post(`${ana.of}/pay`, fields)));
    expect(sent.map(({ status }) => status)).toEqual(Array(5).fill(303));
    expect(asked).toEqual(['pay']);
    const row = { attemptDueAt: now, extraAttempts: 1, pausedAt: null, pauseCause: null };
    expect(await rowOf(ana.subscription)).toMatchObject(row);
    expect(await linesAbout(ana.subscription)).toEqual([['PAYER', 'subscriptions/pay', null]]);
  });

  it('shows that a declined card was not charged', async () => {
    const ana = await subscriber();
    const declined = { failedAttempts: 1, attemptDueAt: new Date(now.getTime() + DAY_MS) };
    await em().nativeUpdate(SubscriptionEntity, { id: ana.subscription.id }, declined);
    const done = await ana.reader.get(`${ana.path}?done=pay&subscription=${ana.subscription.id}`);
    expect(done.text).toContain('Not paid yet.');
  });

  it('offers no payment while nothing is overdue', async () => {
    const ana = await subscriber();
    expect((await ana.reader.get(`${ana.of}/pay`)).status).toBe(409);
  });
});

describe('an action that is not possible any more', () => {
  it('changes nothing after the store has withdrawn it', async () => {
    const ana = await subscriber();
    const page = await ana.reader.get(`${ana.of}/cancel`);
    await allow({ cancellation: 'NEVER' });
    const sent = await ana.reader.post(`${ana.of}/cancel`, fieldsOf(page.text));
    expect([sent.status, sent.text]).toEqual([409, expect.stringContaining('Nothing was changed.')]);
    expect([asked, await linesAbout(ana.subscription)]).toEqual([[], []]);
    await allow({});
  });

  it('changes nothing after the subscription has ended', async () => {
    const ana = await subscriber();
    const page = await ana.reader.get(`${ana.of}/cancel`);
    await em().nativeUpdate(SubscriptionEntity, { id: ana.subscription.id }, { status: 'CANCELLED' });
    expect((await ana.reader.post(`${ana.of}/cancel`, fieldsOf(page.text))).status).toBe(409);
    expect(asked).toEqual([]);
  });

  it('leads to the sign-in after the session has ended', async () => {
    const ana = await subscriber();
    const page = await ana.reader.get(`${ana.of}/cancel`);
    now = new Date(NOON.getTime() + HOUR_MS + 1);
    const sent = await ana.reader.post(`${ana.of}/cancel`, fieldsOf(page.text));
    expect([sent.status, sent.location, asked]).toEqual([303, ana.path, []]);
  });

  it('rejects the token of another session', async () => {
    const [ana, bia] = [await subscriber(), await subscriber()];
    const { text } = await bia.reader.get(`${bia.of}/cancel`);
    expect((await ana.reader.post(`${ana.of}/cancel`, fieldsOf(text))).status).toBe(403);
    expect(asked).toEqual([]);
  });
});

it('answers the same 404 for every subscription that is not the customer’s own', async () => {
  const stranger = await createTestStore(app.database);
  const shop = { database: app.database, storeId: stranger.id };
  const [ana, bia, eve] = [await subscriber(), await subscriber(), await subscriber(shop)];
  const { text } = await ana.reader.get(`${ana.of}/cancel`);
  const pages = await Promise.all(
    [bia.subscription.id, eve.subscription.id, 'subs_01J9Z3VYK0W6F0S7R2M8QH4T5B', 'x'].flatMap((id) => [
      ana.reader.get(`${ana.path}/subscriptions/${id}/cancel`),
      ana.reader.post(`${ana.path}/subscriptions/${id}/cancel`, fieldsOf(text)),
    ]),
  );
  pages.push(await ana.reader.get(`${ana.of}/steal`));
  expect(new Set(pages.map(({ status, text: page }) => `${status} ${page}`)).size).toBe(1);
  expect([pages[0]?.status, asked]).toEqual([404, []]);
});
