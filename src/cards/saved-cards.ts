import { type SavedCard, SavedCardEntity } from '../database/entities/saved-card.ts';
import type { Database, Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { CardToken } from '../domain/card.ts';
import type { CustomerId, SavedCardId } from '../domain/ids.ts';
import { eraseReplacedCard } from './card-erasures.ts';
import type { CardOwner } from './card-tokens.ts';

/**
 * A charge paid by the payer proves that the card is theirs and that they agreed. Before, the card is as good as
 * unknown.
 */
const FIND = statement<CardOwner & { id: string }, SavedCard>(
  'find a saved card',
  (columns) => `
  select ${columns.read(SavedCardEntity, 'card')} from saved_cards card join charges first on first.id = card.charge_id
  where card.id = :id and card.store_id = :storeId and card.dev_mode = :devMode and card.removed_at is null
    and first.paid_at is not null`,
);

/** A card of an owner that may be charged; null if there is none. */
export async function findSavedCard(
  on: Em | Database,
  owner: CardOwner,
  id: string,
): Promise<SavedCard | null> {
  const { storeId, devMode } = owner;
  const [card = null] = await FIND(on, { id, storeId, devMode });
  return card;
}

/** Whether nobody has removed it. Until the transaction ends, nobody can. */
export async function isStillSaved(em: Em, id: SavedCardId): Promise<boolean> {
  return (await HOLD(em, { id })).length > 0;
}

const HOLD = statement<{ id: SavedCardId }, { id: SavedCardId }>(
  'hold a saved card',
  () => 'select id from saved_cards where id = :id and removed_at is null for share',
);

/**
 * Removes a card, in the caller's transaction: it is charged no more, and its provider erases it unless something else needs it.
 * A charge that holds the card comes first.
 * @returns null if there is none.
 */
export async function removeSavedCard(
  em: Em,
  { storeId, devMode }: CardOwner,
  id: string,
  now: Date,
): Promise<SavedCard | null> {
  const [card = null] = await REMOVE(em, { storeId, devMode, id, now });
  if (card !== null) await eraseReplacedCard(em, card, now);
  return card;
}

const REMOVE = statement<CardOwner & { id: string; now: Date }, SavedCard>(
  'remove a saved card',
  (columns) => `
  update saved_cards card set removed_at = :now from charges first
  where first.id = card.charge_id and first.paid_at is not null
    and card.id = :id and card.store_id = :storeId and card.dev_mode = :devMode and card.removed_at is null
  returning ${columns.read(SavedCardEntity, 'card')}`,
);

/** Removes all cards of a customer: none is charged any more. */
export async function removeCardsOf(em: Em, customerId: CustomerId, now: Date): Promise<void> {
  await REMOVE_ALL(em, { customerId, now });
}

const REMOVE_ALL = statement<{ customerId: CustomerId; now: Date }>(
  'remove the saved cards of a customer',
  () => 'update saved_cards set removed_at = :now where customer_id = :customerId and removed_at is null',
);

/** Whether a payer has saved the card with this token. */
export async function isSaved(on: Em | Database, owner: CardOwner, token: string): Promise<boolean> {
  const { storeId, devMode } = owner;
  return (await FIND_SAVED(on, { storeId, devMode, token })).length > 0;
}

const FIND_SAVED = statement<CardOwner & { token: string }, { id: SavedCardId }>(
  'find whether a card is saved',
  () => `
  select id from saved_cards
  where token = :token and store_id = :storeId and dev_mode = :devMode and removed_at is null limit 1`,
);

/** Takes over what a card's network or issuer has changed. */
export async function renewSavedCards(
  on: Em | Database,
  { storeId, devMode }: CardOwner,
  token: string,
  card: CardToken,
): Promise<void> {
  const { token: newToken, brand, lastFour, expiryMonth } = card;
  await RENEW(on, { storeId, devMode, token, newToken, brand, lastFour, expiryMonth });
}

const RENEW = statement<CardOwner & Omit<CardToken, 'token'> & { token: string; newToken: string }>(
  'renew a saved card',
  () => `
  update saved_cards set token = :newToken, brand = :brand, last_four = :lastFour, expiry_month = :expiryMonth
  where token = :token and store_id = :storeId and dev_mode = :devMode and removed_at is null`,
);
