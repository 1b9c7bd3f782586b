import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { DeclineReason } from '../../domain/card.ts';
import type { CardChangeId, StoreId, SubscriptionId } from '../../domain/ids.ts';

/**
 * A card with which a payer wants to replace the one of a subscription. PENDING until its issuer has verified it, which may need
 * the payer (3-D Secure). It ends once, by a conditional update: DONE in the transaction that replaces the card, DECLINED, or
 * ABANDONED because it took too long or the subscription ended.
 */
export const CardChangeEntity = defineEntity({
  name: 'CardChange',
  tableName: 'card_changes',
  properties: {
    /** Also the provider's reference of the verification. */
    id: p.text().$type<CardChangeId>().primary(),
    storeId: p.text().$type<StoreId>(),
    devMode: p.boolean(),
    subscriptionId: p.text().$type<SubscriptionId>(),
    /** Unique for a subscription, so that a form sent twice is one change. */
    submission: p.text(),
    /** The account that issued the token. */
    provider: p.text(),
    /** The new card; null once the change has ended. */
    cardToken: p.text().strictNullable(),
    cardBrand: p.text(),
    cardLastFour: p.text(),
    cardExpiryMonth: p.text().strictNullable(),
    status: p.text().$type<'PENDING' | 'DONE' | 'DECLINED' | 'ABANDONED'>(),
    declineReason: p.text().$type<DeclineReason>().strictNullable(),
    /** Where the payer confirms the card at their bank. Null unless a PENDING change waits for it. */
    actionUrl: p.text().strictNullable(),
    /** The unpaid cycle that gets one more attempt because of this change; null if there was none. */
    grantedCycle: p.integer().strictNullable(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
    endedAt: p.datetime().strictNullable(),
  },
});
export type CardChange = InferEntity<typeof CardChangeEntity>;
