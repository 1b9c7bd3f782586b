import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eraseCustomer } from '../../src/api/customers/erase-customer.ts';
import { eraseDueCards } from '../../src/cards/erase-due-cards.ts';
import { recordCustomer } from '../../src/customers/record-customer.ts';
import { openAttention } from '../../src/database/attention.ts';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import { CustomerEntity } from '../../src/database/entities/customer.ts';
import { SavedCardEntity } from '../../src/database/entities/saved-card.ts';
import { type Subscription, SubscriptionEntity } from '../../src/database/entities/subscription.ts';
import type { CustomerId } from '../../src/domain/ids.ts';
import { cancelNow } from '../../src/subscriptions/cancel-subscription.ts';
import { type BareFixture, createBareFixture } from '../support/fixtures/bare-fixture.ts';
import { insertSubscription, subscriptionOf } from '../support/fixtures/subscriptions.ts';
import { insertSavedCard } from '../support/rows/card-tokens.ts';

let shared: BareFixture;
let fixture: BareFixture;
beforeAll(async () => {
  shared = await createBareFixture();
});
beforeEach(async () => {
  fixture = await shared.withNewStore();
  fixture.provider.failNext('forgetCard', 0);
  fixture.provider.forgotten.length = 0;
});
afterAll(() => shared.close());

const deps = () => fixture.deps({ startDelivery: async () => {}, cancelCharge: async () => 'CANCELLED' });
const ANCHOR = new Date('2026-12-01T15:00:00.000Z');
const day = (number: number) => new Date(ANCHOR.getTime() + number * 24 * 60 * 60 * 1_000);

/** An active subscription of Ana's, whose card has a token of its own. */
async function subscribed(customerId: CustomerId, cardToken: string = randomUUID()): Promise<Subscription> {
  const { id, checkoutId } = await insertSubscription(fixture, ANCHOR, { customerId });
  const em = fixture.database.em.fork();
  await em.nativeUpdate(SubscriptionEntity, { id }, { cardToken, customerId });
  await em.nativeUpdate(ChargeEntity, { checkoutId }, { cardToken, customerId });
  return subscriptionOf(fixture, { id });
}

async function newCustomer(): Promise<CustomerId> {
  const ana = { name: 'Ana Souza', taxId: null, email: 'ana@example.com', cellphone: null };
  const owner = { storeId: fixture.storeId, devMode: true };
  return (await recordCustomer(fixture.database.em.fork(), owner, ana, ANCHOR)).id;
}

const saveCard = (customerId: CustomerId, token: string) =>
  insertSavedCard(fixture.database, { storeId: fixture.storeId, customerId, token });

async function erase(customerId: CustomerId, now: Date): Promise<void> {
  await fixture.database.em.fork().transactional(async (em) => {
    await em.nativeUpdate(CustomerEntity, { id: customerId }, { deletedAt: now });
    await eraseCustomer(em, { storeId: fixture.storeId, devMode: true } as never, customerId, now);
  });
}

async function tokensOf({ id, checkoutId }: Subscription): Promise<(string | null)[]> {
  const charges = await fixture.database.em.fork().find(ChargeEntity, { checkoutId });
  const { cardToken } = await subscriptionOf(fixture, { id });
  return [cardToken, ...charges.map((charge) => charge.cardToken)];
}

describe('stored cards that nothing needs any more', () => {
  it('erases the card of an ended subscription after a month, and forgets its token', async () => {
    const subscription = await subscribed(await newCustomer());
    await cancelNow(deps(), subscription.id, day(1));
    expect(await eraseDueCards(deps(), day(30))).toBe(0);
    expect(await tokensOf(subscription)).toEqual([subscription.cardToken, subscription.cardToken]);
    expect(await eraseDueCards(deps(), day(31))).toBe(1);
    expect(await eraseDueCards(deps(), day(32))).toBe(0);
    expect(shared.provider.forgotten).toEqual([subscription.cardToken]);
    expect(await tokensOf(subscription)).toEqual([null, null]);
  });

  it('erases the cards of an erased customer at once', async () => {
    const customerId = await newCustomer();
    const subscription = await subscribed(customerId);
    await cancelNow(deps(), subscription.id, day(1));
    await erase(customerId, day(2));
    expect(await tokensOf(subscription)).toEqual([null, null]);
    expect(await eraseDueCards(deps(), day(2))).toBe(1);
    expect(shared.provider.forgotten).toEqual([subscription.cardToken]);
  });

  it('keeps the card of an active subscription of an erased customer until it ends', async () => {
    const customerId = await newCustomer();
    const subscription = await subscribed(customerId);
    await erase(customerId, day(2));
    expect(await eraseDueCards(deps(), day(3))).toBe(0);
    expect(await tokensOf(subscription)).toEqual([subscription.cardToken, subscription.cardToken]);
    await cancelNow(deps(), subscription.id, day(4));
    expect(await eraseDueCards(deps(), day(4))).toBe(1);
  });

  it('erases a saved card of an erased customer, and deletes its row', async () => {
    const customerId = await newCustomer();
    await saveCard(customerId, 'saved');
    await erase(customerId, day(2));
    expect(await eraseDueCards(deps(), day(2))).toBe(1);
    expect(shared.provider.forgotten).toEqual(['saved']);
    expect(await fixture.database.em.fork().count(SavedCardEntity, { customerId })).toBe(0);
  });

  it('keeps a card that its payer has saved for later', async () => {
    const customerId = await newCustomer();
    const subscription = await subscribed(customerId, 'saved for later');
    await saveCard(customerId, 'saved for later');
    await cancelNow(deps(), subscription.id, day(1));
    expect(await eraseDueCards(deps(), day(31))).toBe(0);
    expect(shared.provider.forgotten).toEqual([]);
  });

  it('keeps a card that another active subscription pays with', async () => {
    const customerId = await newCustomer();
    const [one, other] = [await subscribed(customerId, 'shared'), await subscribed(customerId, 'shared')];
    await cancelNow(deps(), one.id, day(1));
    expect(await eraseDueCards(deps(), day(31))).toBe(0);
    await cancelNow(deps(), other.id, day(40));
    expect(await eraseDueCards(deps(), day(71))).toBe(1);
    expect(shared.provider.forgotten).toEqual(['shared']);
  });

  it('erases each of many cards with two processes at once', async () => {
    const customerId = await newCustomer();
    const all = [];
    for (let count = 0; count < 60; count += 1) all.push(await subscribed(customerId));
    for (const { id } of all) await cancelNow(deps(), id, day(1));
    const erased = await Promise.all([eraseDueCards(deps(), day(31)), eraseDueCards(deps(), day(31))]);
    expect(erased[0] + erased[1]).toBe(60);
    expect(new Set(shared.provider.forgotten).size).toBe(60);
    expect(shared.provider.forgotten).toHaveLength(60);
  });
});

describe('a provider that does not erase cards', () => {
  it('retries for days, asks a person after three, and closes the note', async () => {
    const subscription = await subscribed(await newCustomer());
    await cancelNow(deps(), subscription.id, day(0));
    fixture.provider.failNext('forgetCard', Infinity);
    for (let hour = 0; hour < 75; hour += 1) await eraseDueCards(deps(), day(30 + hour / 24));
    const notes = async () =>
      (await openAttention(fixture.database, 100)).filter(({ storeId }) => storeId === fixture.storeId);
    expect(await notes()).toMatchObject([{ kind: 'CARD_NOT_ERASED', since: day(30) }]);
    fixture.provider.failNext('forgetCard', 0);
    expect(await eraseDueCards(deps(), day(35))).toBe(1);
    expect(await notes()).toEqual([]);
  });

  it('stops after three failures of a round, and postpones the other cards', async () => {
    const customerId = await newCustomer();
    const all = [];
    for (let count = 0; count < 20; count += 1) all.push(await subscribed(customerId));
    for (const { id } of all) await cancelNow(deps(), id, day(0));
    const failures: unknown[] = [];
    fixture.provider.failNext('forgetCard', Infinity);
    const counting = fixture.deps({
      log: { warn: (failure: unknown) => failures.push(failure) } as never,
    });
    expect(await eraseDueCards(counting, day(30))).toBe(0);
    // Calls that were under way at the third failure end too.
    expect(failures.length).toBeLessThanOrEqual(6);
    fixture.provider.failNext('forgetCard', 0);
    expect(await eraseDueCards(deps(), day(31))).toBe(20);
  });

  it('erases a card once more if its answer was lost', async () => {
    const subscription = await subscribed(await newCustomer());
    await cancelNow(deps(), subscription.id, day(0));
    fixture.provider.afterNextAnswer('forgetCard', () => Promise.reject(new Error('connection reset')));
    expect(await eraseDueCards(deps(), day(30))).toBe(0);
    expect(await eraseDueCards(deps(), day(31))).toBe(1);
    expect(await tokensOf(subscription)).toEqual([null, null]);
  });
});
