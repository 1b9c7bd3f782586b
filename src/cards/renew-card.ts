import { CustomerEntity } from '../database/entities/customer.ts';
import type { DeliveryToStart } from '../database/entities/delivery.ts';
import { type Subscription, SubscriptionEntity } from '../database/entities/subscription.ts';
import type { Database, Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { CardToken } from '../domain/card.ts';
import type { StoreId } from '../domain/ids.ts';
import { writeEvent } from '../events/record.ts';
import { cardUpdatedEventData } from '../events/subscription/card-updated.ts';
import type { CardsPort } from '../providers/ports/cards.ts';
import { isSaved, renewSavedCards } from './saved-cards.ts';

export interface RenewCardDeps {
  readonly database: Database;
  readonly publicUrl: string;
  /** Starts a delivery after the commit. If this process dies first, the sweeper starts it. */
  readonly startDelivery: (delivery: DeliveryToStart) => void;
}

/** The store whose account notifies a card. */
interface CardOwner {
  readonly storeId: StoreId;
  readonly devMode: boolean;
}

/**
 * Takes over what a card's network or issuer has changed: last four digits, expiry, or the token. The notice is only
 * a hint, and the provider is asked, outside of the transaction. A card that no active subscription of the store pays
 * with, and that nobody has saved, is ignored. Notices may come twice, at once and in any order: the rows decide what is new.
 * @throws ProviderError if the provider does not answer; nothing has changed then.
 */
export async function renewCard(
  { database, publicUrl, startDelivery }: RenewCardDeps,
  cards: Pick<CardsPort, 'find'>,
  owner: CardOwner,
  token: string,
  now: Date,
): Promise<void> {
  const paying = await FIND_PAYING(database, { ...owner, token });
  if (paying.length === 0 && !(await isSaved(database, owner, token))) return;
  const card = await cards.find(token);
  if (card === null) return;
  await renewSavedCards(database, owner, token, card);
  const deliveries: DeliveryToStart[] = [];
  for (const { id } of paying)
    deliveries.push(
      ...(await database.em.fork().transactional((em) => renewOne(em, id, { token, card, publicUrl }, now))),
    );
  for (const delivery of deliveries) startDelivery(delivery);
}

const FIND_PAYING = statement<CardOwner & { token: string }, Pick<Subscription, 'id'>>(
  'find subscriptions that a card pays',
  () => `
  select id from subscriptions
  where card_token = :token and status = 'ACTIVE' and store_id = :storeId and dev_mode = :devMode order by id`,
);

const LOCK_PAYING = statement<{ id: string; token: string }, Subscription>(
  'lock a subscription that a card pays',
  (columns) => `
  select ${columns.read(SubscriptionEntity, 'subscription')} from subscriptions subscription
  where id = :id and card_token = :token and status = 'ACTIVE' for no key update`,
);

async function renewOne(
  em: Em,
  id: Subscription['id'],
  {
    token,
    card,
    publicUrl,
  }: { readonly token: string; readonly card: CardToken; readonly publicUrl: string },
  now: Date,
): Promise<readonly DeliveryToStart[]> {
  const [locked] = await LOCK_PAYING(em, { id, token });
  if (locked === undefined || isSame(locked, card)) return [];
  const change = {
    cardToken: card.token,
    cardBrand: card.brand,
    cardLastFour: card.lastFour,
    cardExpiryMonth: card.expiryMonth,
    ...(card.expiryMonth !== locked.cardExpiryMonth && { expiryAnnouncedDays: 0 }),
    updatedAt: now,
  };
  await em.nativeUpdate(SubscriptionEntity, { id }, change);
  const customer = locked.customerId && (await em.findOne(CustomerEntity, { id: locked.customerId }));
  const data = cardUpdatedEventData({ ...locked, ...change }, customer || null, publicUrl);
  // The row decides that this change is new; the instant only tells two changes apart.
  return writeEvent(em, locked, 'subscription.card_updated', `${id}/${now.getTime()}`, data, now);
}

function isSame(
  { cardToken, cardBrand, cardLastFour, cardExpiryMonth }: Subscription,
  card: CardToken,
): boolean {
  return (
    cardToken === card.token &&
    cardBrand === card.brand &&
    cardLastFour === card.lastFour &&
    cardExpiryMonth === card.expiryMonth
  );
}
