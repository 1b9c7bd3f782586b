import { hash } from 'node:crypto';
import type { DeliveryToStart } from '../database/entities/delivery.ts';
import { type Subscription, SubscriptionEntity } from '../database/entities/subscription.ts';
import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import { type ExpiringMonths, expiringMonths } from '../domain/card-expiry.ts';
import { saoPauloDateOf } from '../domain/civil-date.ts';
import { writeEvent } from '../events/record.ts';
import { cardExpiringEventData } from '../events/subscription/announcements.ts';
import {
  type Announcing,
  customersOf,
  type EnvironmentOwner,
  type WrittenAnnouncements,
} from './announcing.ts';
import type { SubscriptionDeps } from './effects.ts';

/**
 * Announces some cards that expire soon and pay an active subscription, in the caller's transaction. The
 * subscription's row records the announcement.
 */
export async function announceExpiringCards(
  { publicUrl }: Pick<SubscriptionDeps, 'publicUrl'>,
  em: Em,
  { owner, now, limit }: Announcing,
): Promise<WrittenAnnouncements> {
  const deliveries: DeliveryToStart[] = [];
  let announced = 0;
  for (const months of expiringMonths(saoPauloDateOf(now))) {
    const due = await FIND(em, { ...owner, ...months, limit: limit - announced });
    const customers = await customersOf(em, due);
    for (const subscription of due) {
      const customer = customers.get(subscription.customerId) ?? null;
      const data = cardExpiringEventData(subscription, customer, months.days, publicUrl);
      deliveries.push(
        ...(await writeEvent(
          em,
          subscription,
          'subscription.card_expiring',
          keyOf(subscription, months.days),
          data,
          now,
        )),
      );
    }
    await MARK(em, { ids: due.map(({ id }) => id), days: months.days });
    announced += due.length;
    if (announced === limit) break;
  }
  return { announced, deliveries };
}

/** The token tells two cards of one month apart. It stays out of the key, which others may read. */
function keyOf({ id, cardToken, cardExpiryMonth }: Subscription, days: number): string {
  const card = hash('sha256', `${cardToken}/${cardExpiryMonth}`).slice(0, 16);
  return `${id}/${card}/${days}`;
}

/** The predicate is an index's (migration 0072). */
const FIND = statement<EnvironmentOwner & ExpiringMonths & { limit: number }, Subscription>(
  'find cards that expire soon',
  (columns) => `
  select ${columns.read(SubscriptionEntity, 'subscription')} from subscriptions subscription
  where store_id = :storeId and dev_mode = :devMode
    and status = 'ACTIVE' and card_expiry_month is not null and expiry_announced_days <> 7
    and (expiry_announced_days = 0 or expiry_announced_days > :days)
    and card_expiry_month > :after and card_expiry_month <= :until
  order by card_expiry_month, id limit :limit
  for no key update skip locked`,
);

const MARK = statement<{ ids: readonly string[]; days: number }>(
  'note that the expiry of cards was announced',
  () => 'update subscriptions set expiry_announced_days = :days where id = any (:ids::text[])',
);
