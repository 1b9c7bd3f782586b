import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { ChargeId, CustomerId, SavedCardId, StoreId } from '../../domain/ids.ts';

/**
 * A card that may be charged without its payer, as the provider's token (PCI DSS 3.5). The charge that the payer made
 * with it is the agreement: until that one is paid, nothing else may be charged.
 */
export const SavedCardEntity = defineEntity({
  name: 'SavedCard',
  tableName: 'saved_cards',
  properties: {
    id: p.text().$type<SavedCardId>().primary(),
    storeId: p.text().$type<StoreId>(),
    devMode: p.boolean(),
    customerId: p.text().$type<CustomerId>(),
    /** The charge with which the payer, present, agreed to later ones. */
    chargeId: p.text().$type<ChargeId>(),
    /** The account that issued the token; no other can charge it. */
    provider: p.text(),
    token: p.text(),
    brand: p.text(),
    lastFour: p.text(),
    /** The last month in which the card is valid, as `YYYY-MM`; null if the provider does not say. */
    expiryMonth: p.text().strictNullable(),
    createdAt: p.datetime(),
    /** From this instant on it is charged no more. */
    removedAt: p.datetime().strictNullable(),
  },
});
export type SavedCard = InferEntity<typeof SavedCardEntity>;
