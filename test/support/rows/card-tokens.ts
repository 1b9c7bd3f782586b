import { insertCardToken } from '../../../src/cards/card-tokens.ts';
import { type SavedCard, SavedCardEntity } from '../../../src/database/entities/saved-card.ts';
import type { Database } from '../../../src/database/orm.ts';
import type { ChargeId, SavedCardId, StoreId } from '../../../src/domain/ids.ts';
import { mintId } from '../../../src/ids.ts';
import { sandboxToken } from '../../../src/providers/sandbox/sandbox-cards.ts';

/** A test card as a payer has just typed it on the page of a store. @returns the token's id. */
export async function typeCard(
  database: Database,
  storeId: StoreId,
  number = '4242424242424242',
  now = new Date(),
): Promise<string> {
  const card = sandboxToken({ number, holderName: 'ANA SOUZA', expiry: '12/40', cvv: '123' });
  if (card === null) throw new Error(`${number} is no test card`);
  const token = await insertCardToken(database, { storeId, devMode: true }, 'sandbox', { card }, now);
  return token.id;
}

const SAVED_AT = new Date('2026-12-01T15:00:00.000Z');

/** A card that a payer of the sandbox has saved. */
export async function insertSavedCard(
  database: Database,
  saved: Pick<SavedCard, 'storeId' | 'customerId' | 'token'>,
): Promise<SavedCard> {
  const card: SavedCard = {
    ...saved,
    id: mintId<SavedCardId>('savedCard', SAVED_AT),
    devMode: true,
    chargeId: mintId<ChargeId>('cardCharge', SAVED_AT),
    provider: 'sandbox',
    brand: 'visa',
    lastFour: '4242',
    expiryMonth: '2040-12',
    createdAt: SAVED_AT,
    removedAt: null,
  };
  await database.em.fork().insert(SavedCardEntity, card);
  return card;
}
