import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { CardChangeId, CardTokenId, ChargeId, StoreId } from '../../domain/ids.ts';

/** A card as a payer has just typed it into the provider's fields on a shop's page. It pays one charge, within a minute. */
export const CardTokenEntity = defineEntity({
  name: 'CardToken',
  tableName: 'card_tokens',
  properties: {
    id: p.text().$type<CardTokenId>().primary(),
    storeId: p.text().$type<StoreId>(),
    devMode: p.boolean(),
    provider: p.text(),
    /** What the provider's fields returned, unproven until the charge; of the sandbox, the card's stored form. */
    token: p.text(),
    /** Null until the provider is asked about the token. */
    brand: p.text().strictNullable(),
    lastFour: p.text().strictNullable(),
    expiryMonth: p.text().strictNullable(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
    /** Set together with the charge that used it. */
    usedAt: p.datetime().strictNullable(),
    chargeId: p.text().$type<ChargeId | CardChangeId>().strictNullable(),
  },
});
export type EnteredCardToken = InferEntity<typeof CardTokenEntity>;
