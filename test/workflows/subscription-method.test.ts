import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ActivityDeps } from '../../activities/deps.ts';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import { type Subscription, SubscriptionEntity } from '../../src/database/entities/subscription.ts';
import type { ChargeId } from '../../src/domain/ids.ts';
import { MOST_EXTRA_ATTEMPTS } from '../../src/domain/subscription.ts';
import { providersOfOne } from '../../src/providers/providers.ts';
import { changeToPix } from '../../src/subscriptions/change-to-pix.ts';
import type { CycleCharge } from '../../src/subscriptions/dunning/begin-attempt.ts';
import { type BareFixture, createBareFixture } from '../support/fixtures/bare-fixture.ts';
import { DAY_MS, insertSubscription } from '../support/fixtures/subscriptions.ts';
import { roundsOf } from '../support/jest/thoroughness.ts';

// The method of a subscription changes while a cycle is being charged. Each attempt has one charge, whatever its method.

let shared: BareFixture;
let fixture: BareFixture;
beforeAll(async () => {
  shared = await createBareFixture();
});
beforeEach(async () => {
  fixture = await shared.withNewStore();
});
afterAll(() => shared.close());

const em = () => fixture.database.em.fork();
const rowOf = ({ id }: Subscription) => em().findOneOrFail(SubscriptionEntity, { id });
const chargesOf = ({ checkoutId }: Subscription) =>
  em().find(ChargeEntity, { checkoutId, cycleId: { $ne: null } }, { orderBy: { createdAt: 'asc' } });

/** A subscription by card, whose second cycle is due. */
function dueForCycle(): Promise<Subscription> {
  return insertSubscription(fixture, new Date(Date.now() - 7 * DAY_MS), { cycle: 'WEEKLY', maxRetry: 2 });
}

/** @param whileAsked what happens while the provider is being chosen, before an attempt is stored. */
function worker(whileAsked: () => Promise<unknown> = async () => undefined) {
  const deps: Partial<ActivityDeps> = {
    providers: {
      providersOf: async () => {
        await whileAsked();
        return providersOfOne(fixture.provider);
      },
      issuerOf: async () => fixture.provider,
    },
    startAttempt: async () => {},
    startDelivery: async () => {},
    notifySubscription: async () => {},
  };
  return fixture.newWorker(fixture.deps(deps));
}

const second = ({ id }: Subscription) => ({ subscriptionId: id, number: 2, nowMs: Date.now() });

async function openSecond(subscription: Subscription): Promise<CycleCharge> {
  const cycle = await worker().openCycle(second(subscription));
  if (cycle.status !== 'ACTIVE' || cycle.charge === null) throw new Error('the subscription is charged');
  return cycle.charge;
}

async function fail(subscription: Subscription, chargeId: ChargeId, attempt: number) {
  await em().nativeUpdate(
    ChargeEntity,
    { id: chargeId },
    { status: 'FAILED', failureReason: 'card_declined' },
  );
  return worker().recordFailedAttempt({ ...second(subscription), attempt, chargeId });
}

function payByPix({ id }: Pick<Subscription, 'id'>) {
  const now = new Date();
  const deps = { database: fixture.database, publicUrl: 'https://pay.example.com' };
  return changeToPix(deps, id, { realNow: now, storeNow: now });
}

describe('a subscription by card that changes to PIX', () => {
  it('issues the code of an unpaid cycle at once, as one attempt more', async () => {
    const subscription = await dueForCycle();
    const card = await openSecond(subscription);
    await fail(subscription, card.chargeId, 1);
    expect((await rowOf(subscription)).attemptDueAt?.getTime()).toBeGreaterThan(Date.now());
    const changed = await payByPix(subscription);
    expect(changed.isAttemptDue).toBe(true);
    expect(await rowOf(subscription)).toMatchObject({ method: 'PIX', cardToken: null, extraAttempts: 1 });
    const code = await worker().retryCycle({ ...second(subscription), attempt: 2 });
    expect(code).toMatchObject({ method: 'PIX', status: 'PENDING', amountCents: 5_000 });
    const failed = await fail(subscription, (code as CycleCharge).chargeId, 2);
    expect(failed).toMatchObject({ status: 'ACTIVE', isRecorded: true });
    const last = await worker().retryCycle({ ...second(subscription), attempt: 3 });
    expect(await fail(subscription, (last as CycleCharge).chargeId, 3)).toMatchObject({
      status: 'CANCELLED',
    });
  });

  it('lets the card attempt that is under way end, and then issues a code at once', async () => {
    const subscription = await dueForCycle();
    const card = await openSecond(subscription);
    expect((await payByPix(subscription)).isAttemptDue).toBe(false);
    expect(await openSecond(subscription)).toEqual(card);
    const before = Date.now();
    const failed = await fail(subscription, card.chargeId, 1);
    expect(failed.retryAtMs - before).toBeLessThan(DAY_MS / 2);
    expect(await worker().retryCycle({ ...second(subscription), attempt: 2 })).toMatchObject({
      method: 'PIX',
    });
    expect((await chargesOf(subscription)).map(({ method }) => method)).toEqual(['CARD', 'PIX']);
  });

  it('discards an attempt that was being prepared with the card', async () => {
    const subscription = await dueForCycle();
    await fail(subscription, (await openSecond(subscription)).chargeId, 1);
    const busy = worker(() => payByPix(subscription));
    const begun = await busy.retryCycle({ ...second(subscription), attempt: 2 });
    expect(begun).toMatchObject({ method: 'PIX', status: 'PENDING' });
    expect((await chargesOf(subscription)).map(({ method }) => method)).toEqual(['CARD', 'PIX']);
  });

  it('begins one attempt when the change and several runs of the attempt race', async () => {
    for (let round = 0; round < roundsOf(20); round++) {
      const subscription = await dueForCycle();
      await fail(subscription, (await openSecond(subscription)).chargeId, 1);
      const retry = () =>
        worker()
          .retryCycle({ ...second(subscription), attempt: 2 })
          .catch(() => null);
      const change = payByPix(subscription);
      await Promise.all([retry(), retry(), change, retry()]);
      const begun = await retry();
      const open = (await chargesOf(subscription)).filter(({ status }) => status === 'PENDING');
      expect(open.map(({ id }) => id)).toEqual([(begun as CycleCharge).chargeId]);
    }
  });

  it('changes once, and changes nothing after the end', async () => {
    const subscription = await dueForCycle();
    await Promise.all([payByPix(subscription), payByPix(subscription), payByPix(subscription)]);
    const events = `select count(*)::int as count from events where name = 'subscription.payment_method_changed' and data::text like :id`;
    const [row] = await em().execute<{ count: number }[]>(events, { id: `%${subscription.id}%` });
    expect(row?.count).toBe(1);
    const ended = await dueForCycle();
    await em().nativeUpdate(SubscriptionEntity, { id: ended.id }, { status: 'CANCELLED' });
    await payByPix(ended);
    expect(await rowOf(ended)).toMatchObject({ method: 'CARD' });
  });

  it('grants no more attempts than may be asked for', async () => {
    const subscription = await dueForCycle();
    await fail(subscription, (await openSecond(subscription)).chargeId, 1);
    const most = { extraAttempts: MOST_EXTRA_ATTEMPTS };
    await em().nativeUpdate(SubscriptionEntity, { id: subscription.id }, most);
    await payByPix(subscription);
    expect(await rowOf(subscription)).toMatchObject(most);
  });
});
