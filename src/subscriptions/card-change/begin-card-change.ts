import type { CardChange } from '../../database/entities/card-change.ts';
import { CardChangeEntity } from '../../database/entities/card-change.ts';
import type { Subscription } from '../../database/entities/subscription.ts';
import type { Database, Em } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import type { CardToken } from '../../domain/card.ts';
import type { CardChangeId, SubscriptionId } from '../../domain/ids.ts';
import { mintId } from '../../ids.ts';

/** A payer has so long to confirm a card at their bank. Providers repeat a verification for longer. */
const CONFIRMED_WITHIN_MS = 60 * 60_000;

/** Cards that may be tried for one subscription within an hour, so that nobody tries out stolen cards on it. */
export const MOST_CARDS_IN_HOUR = 10;

const COUNT = statement<{ subscriptionId: SubscriptionId; since: Date }, { count: number }>(
  'count the new cards of a subscription',
  () => `
  select count(*) as count from card_changes
  where subscription_id = :subscriptionId and created_at > :since`,
);

/** Whether too many cards have been tried for the subscription within an hour. */
export async function hasTriedTooManyCards(
  on: Em | Database,
  { id: subscriptionId }: Pick<Subscription, 'id'>,
  now: Date,
): Promise<boolean> {
  const since = new Date(now.getTime() - CONFIRMED_WITHIN_MS);
  const [tried] = await COUNT(on, { subscriptionId, since });
  return Number(tried?.count ?? 0) >= MOST_CARDS_IN_HOUR;
}

/** The change that an earlier submission of the same form has begun; null if there is none. */
export function findCardChangeOfForm(
  em: Em,
  subscriptionId: SubscriptionId,
  submission: string,
): Promise<CardChange | null> {
  return em.findOne(CardChangeEntity, { subscriptionId, submission }, { disableIdentityMap: true });
}

/**
 * Stores a card that its provider has accepted, to replace the one of the subscription once its issuer has verified it. In the
 * caller's transaction. A form that is sent twice violates the unique index of submissions.
 * @param now real time: the payer's bank does not know a store's moved clock.
 */
export async function insertCardChange(
  em: Em,
  subscription: Subscription,
  given: {
    readonly submission: string;
    readonly provider: string;
    readonly card: CardToken;
    readonly now: Date;
  },
): Promise<CardChange> {
  const { submission, provider, card, now } = given;
  const change: CardChange = {
    id: mintId<CardChangeId>('cardChange', now),
    storeId: subscription.storeId,
    devMode: subscription.devMode,
    subscriptionId: subscription.id,
    submission,
    provider,
    cardToken: card.token,
    cardBrand: card.brand,
    cardLastFour: card.lastFour,
    cardExpiryMonth: card.expiryMonth,
    status: 'PENDING',
    declineReason: null,
    actionUrl: null,
    grantedCycle: null,
    createdAt: now,
    expiresAt: new Date(now.getTime() + CONFIRMED_WITHIN_MS),
    endedAt: null,
  };
  await em.insert(CardChangeEntity, change);
  return change;
}
