import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { renewCard } from '../../src/cards/renew-card.ts';
import { recordCustomer } from '../../src/customers/record-customer.ts';
import { EventEntity } from '../../src/database/entities/event.ts';
import { type SavedCard, SavedCardEntity } from '../../src/database/entities/saved-card.ts';
import { type Subscription, SubscriptionEntity } from '../../src/database/entities/subscription.ts';
import type { CardToken } from '../../src/domain/card.ts';
import { cancelNow } from '../../src/subscriptions/cancel-subscription.ts';
import { type BareFixture, createBareFixture } from '../support/fixtures/bare-fixture.ts';
import { insertSubscription, subscriptionOf } from '../support/fixtures/subscriptions.ts';
import { insertSavedCard } from '../support/rows/card-tokens.ts';

const ANCHOR = new Date('2026-12-01T15:00:00.000Z');
const NOW = new Date('2027-01-10T12:00:00.000Z');

let shared: BareFixture;
let fixture: BareFixture;
let started: string[];
beforeAll(async () => {
  shared = await createBareFixture();
});
beforeEach(async () => {
  fixture = await shared.withNewStore();
  fixture.provider.storedCards.clear();
  started = [];
});
afterAll(() => shared.close());

/** An active subscription whose card expires in February, and was announced. */
async function subscribed(cardToken: string = randomUUID()): Promise<Subscription> {
  const { id } = await insertSubscription(fixture, ANCHOR);
  const card = { cardToken, cardExpiryMonth: '2027-02', expiryAnnouncedDays: 30 };
  await fixture.database.em.fork().nativeUpdate(SubscriptionEntity, { id }, card);
  return subscriptionOf(fixture, { id });
}

async function saveCard(): Promise<SavedCard> {
  const { storeId, database } = fixture;
  const owner = { storeId, devMode: true };
  const bia = { name: 'Bia Lima', taxId: null, email: 'bia@example.com', cellphone: null };
  const { id: customerId } = await recordCustomer(database.em.fork(), owner, bia, ANCHOR);
  return insertSavedCard(database, { storeId, customerId, token: randomUUID() });
}

/** The network replaces the card at the provider. */
function replaced(token: string, changes: Partial<CardToken> = {}): void {
  const card = { token, brand: 'visa', lastFour: '1881', expiryMonth: '2030-12', ...changes };
  fixture.provider.storedCards.set(token, card);
}

/** The provider notifies the card. */
function notified(token: string, now = NOW, { storeId } = fixture): Promise<void> {
  const deps = {
    database: fixture.database,
    publicUrl: 'https://recebe.test',
    startDelivery: ({ deliveryId }: { readonly deliveryId: string }) => void started.push(deliveryId),
  };
  const cards = { find: (asked: string) => fixture.provider.findCard(asked) };
  return renewCard(deps, cards, { storeId, devMode: true }, token, now);
}

async function cardsIn({ id }: Subscription): Promise<unknown[]> {
  const where = { subscriptionId: id, name: 'subscription.card_updated' as const };
  const events = await fixture.database.em.fork().find(EventEntity, where, { orderBy: { createdAt: 'asc' } });
  return events.map(({ data }) => JSON.parse(data).card);
}

const NEW_CARD = { brand: 'visa', lastFour: '1881', expiryMonth: 12, expiryYear: 2030 };

describe('a stored card that its network replaces', () => {
  it('renews digits, expiry and announcements of the subscription, with an event', async () => {
    const { id, cardToken } = await subscribed();
    replaced(cardToken ?? '');
    await notified(cardToken ?? '');
    const renewed = await subscriptionOf(fixture, { id });
    expect(renewed).toMatchObject({ cardToken, cardLastFour: '1881', cardExpiryMonth: '2030-12' });
    expect(renewed).toMatchObject({ expiryAnnouncedDays: 0, updatedAt: NOW });
    expect(await cardsIn(renewed)).toEqual([NEW_CARD]);
  });

  it('renews the token of every subscription that it pays', async () => {
    const token = randomUUID();
    const all = [await subscribed(token), await subscribed(token)];
    replaced(token, { token: `${token}-new` });
    await notified(token);
    for (const { id } of all)
      expect(await subscriptionOf(fixture, { id })).toMatchObject({ cardToken: `${token}-new` });
  });

  it('renews a card that its payer has saved, also without a subscription', async () => {
    const saved = await saveCard();
    replaced(saved.token, { token: `${saved.token}-new` });
    await notified(saved.token);
    expect(await fixture.database.em.fork().findOneOrFail(SavedCardEntity, saved.id)).toMatchObject({
      token: `${saved.token}-new`,
      lastFour: '1881',
      expiryMonth: '2030-12',
    });
  });

  it('changes nothing by notices that come again, at once, or without news', async () => {
    const subscription = await subscribed();
    const token = subscription.cardToken ?? '';
    await notified(token);
    replaced(token);
    await Promise.all([notified(token), notified(token), notified(token)]);
    await notified(token, new Date(NOW.getTime() + 1_000));
    expect(await cardsIn(subscription)).toEqual([NEW_CARD]);
  });

  it('follows each of several changes, also back to the first card', async () => {
    const subscription = await subscribed();
    const token = subscription.cardToken ?? '';
    for (const [index, lastFour] of ['1881', '0341', '1881', '0341'].entries()) {
      replaced(token, { lastFour });
      await notified(token, new Date(NOW.getTime() + index));
    }
    expect(await cardsIn(subscription)).toHaveLength(4);
  });

  it('ignores a card that pays no active subscription of the store', async () => {
    const subscription = await subscribed();
    const token = subscription.cardToken ?? '';
    replaced(token);
    const other = await shared.withNewStore();
    await notified(token, NOW, other);
    expect(await cardsIn(subscription)).toEqual([]);
    const deps = fixture.deps({ startDelivery: async () => {}, cancelCharge: async () => 'CANCELLED' });
    await cancelNow(deps, subscription.id, NOW);
    fixture.provider.failNext('findCard', 1);
    await notified(token);
    fixture.provider.failNext('findCard', 0);
    expect(await cardsIn(subscription)).toEqual([]);
  });

  it('leaves everything as it is while the provider does not answer', async () => {
    const subscription = await subscribed();
    const token = subscription.cardToken ?? '';
    replaced(token);
    fixture.provider.failNext('findCard', 1);
    await expect(notified(token)).rejects.toThrow();
    expect(await subscriptionOf(fixture, subscription)).toMatchObject({ cardExpiryMonth: '2027-02' });
    await notified(token);
    expect(await cardsIn(subscription)).toEqual([NEW_CARD]);
  });
});
