import type { Em } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import type { CustomerId } from '../../domain/ids.ts';

/** A card that is kept for a customer's subscriptions or upsells, by a token of its issuer. */
export interface KeptCard {
  readonly brand: string | null;
  readonly lastFour: string;
  /** `YYYY-MM`, of its newest use; null if unknown. */
  readonly expiryMonth: string | null;
  readonly lastUsedAt: Date;
  /** Whether an active subscription is charged to it. */
  readonly paysSubscription: boolean;
}

/** So many of the newest payments and subscriptions are read. */
const MOST_READ = 100;

const READ = statement<{ customerId: CustomerId }, KeptCard>(
  'read cards kept for a customer',
  () => `
  select brand, last_four as "lastFour", (array_agg(expiry_month order by at desc) filter (where expiry_month is not null))[1] as "expiryMonth",
    max(at) as "lastUsedAt", bool_or(is_active) as "paysSubscription"
  from (
    (select card_brand as brand, card_last_four as last_four, card_expiry_month as expiry_month, created_at as at, false as is_active from charges
      where customer_id = :customerId and card_token is not null and status in ('PAID', 'REFUNDED', 'UNDER_DISPUTE')
      order by created_at desc, id desc limit ${MOST_READ})
    union all
    (select card_brand, card_last_four, card_expiry_month, cycle_starts_at, status = 'ACTIVE' from subscriptions
      where customer_id = :customerId and card_token is not null order by created_at desc, id desc limit ${MOST_READ})
  ) card
  where last_four is not null
  group by brand, last_four order by "lastUsedAt" desc limit 10`,
);

/** The cards kept for a customer of the caller, the last used first. */
export function cardsKeptFor(em: Em, customerId: CustomerId): Promise<KeptCard[]> {
  return READ(em, { customerId });
}
