import type { Em } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import type { ProductId, SubscriptionId, UsageRecordId } from '../../domain/ids.ts';
import { MAX_AMOUNT_CENTS } from '../../domain/money.ts';
import { MAX_UNITS, type UsagePrice, usageCents } from '../../domain/usage-price.ts';
import { notActive } from './queries.ts';

/** Why usage is not recorded. */
export type UsageRefusal = 'USAGE_BELOW_ZERO' | 'USAGE_TOO_LARGE';

/** Units of a product with a usage price. The subscription and the product are the caller's. */
export interface PricedRecord {
  readonly id: UsageRecordId;
  readonly subscriptionId: SubscriptionId;
  readonly productId: ProductId;
  readonly productCents: number;
  readonly usagePrice: UsagePrice;
  readonly action: 'add' | 'subtract';
  readonly units: number;
  readonly now: Date;
}

/** The next cycle with what it charges so far. */
interface Charged {
  /** Units of the product, and what they cost. */
  readonly units: number;
  readonly amountCents: number;
  readonly carriedUnits: number;
  readonly carriedCents: number;
  /** All usage of the cycle. */
  readonly usageCents: number;
  /** The plan of the cycle, or the dearer one that may replace it. */
  readonly planCents: number;
}

/**
 * Records units whose price depends on how many there are in the cycle, and prices the whole cycle again. A record therefore reads
 * before it writes: it locks the subscription's row, as a record at a price per unit does, so the next cycle opens before or after it, and
 * records follow each other.
 * @returns the cycle that charges them, or why they cannot be recorded.
 * @throws ApiError 404 if the subscription is no longer active.
 */
export function recordPricedUsage(em: Em, record: PricedRecord): Promise<number | UsageRefusal> {
  return em.transactional(async (tx) => {
    const [held] = await HOLD(tx, { id: record.subscriptionId });
    if (held === undefined) throw notActive();
    const { number } = held;
    const [charged] = await CHARGED(tx, { ...record, number });
    if (charged === undefined) throw new Error('an active subscription has one row');
    const total = totalAfter(charged, record);
    if (typeof total === 'string') return total;
    const changeCents = total.amountCents - charged.amountCents;
    await WRITE(tx, { record, total, number, changeCents });
    return number;
  });
}

/** The product's units and amount after the record, or why it is not possible. What was carried keeps what it cost. */
function totalAfter(
  charged: Charged,
  { action, units, usagePrice, productCents }: PricedRecord,
): Pick<Charged, 'units' | 'amountCents'> | UsageRefusal {
  const { carriedUnits, carriedCents } = charged;
  const own = charged.units - carriedUnits + (action === 'add' ? units : -units);
  if (own < 0) return 'USAGE_BELOW_ZERO';
  if (own > MAX_UNITS) return 'USAGE_TOO_LARGE';
  const amountCents = BigInt(carriedCents) + usageCents(usagePrice, productCents, own);
  const others = charged.usageCents - charged.amountCents + charged.planCents;
  // Fewer units of a volume price may cost more.
  const isDearer = amountCents > charged.amountCents;
  if (isDearer && amountCents + BigInt(others) > BigInt(MAX_AMOUNT_CENTS)) return 'USAGE_TOO_LARGE';
  return { units: carriedUnits + own, amountCents: Number(amountCents) };
}

const HOLD = statement<{ id: SubscriptionId }, { number: number }>(
  'hold a subscription for usage',
  () => `
  select cycle_number + 1 as number from subscriptions where id = :id and status = 'ACTIVE' for no key update`,
);

/** A statement of its own, so that it sees the records that were committed while the first one waited. */
const CHARGED = statement<{ subscriptionId: SubscriptionId; productId: ProductId; number: number }, Charged>(
  'usage of a product in a cycle',
  () => `
  select coalesce(total.units, 0) as units, coalesce(total.amount_cents, 0) as "amountCents",
    coalesce(total.carried_units, 0) as "carriedUnits", coalesce(total.carried_cents, 0) as "carriedCents",
    usage_cents(subscription.id, :number) as "usageCents",
    greatest(subscription.amount_cents, waiting.amount_cents) as "planCents"
  from subscriptions subscription
    left join usage_totals total on total.subscription_id = subscription.id
      and total.installment_number = :number and total.product_id = :productId
    left join plan_updates waiting on waiting.subscription_id = subscription.id and waiting.status = 'PENDING'
  where subscription.id = :subscriptionId`,
);

interface Written {
  readonly record: PricedRecord;
  readonly total: Pick<Charged, 'units' | 'amountCents'>;
  readonly number: number;
  readonly changeCents: number;
}

const WRITE = statement<Written>(
  'record usage with a price of its own',
  () => `
  with total as (
    insert into usage_totals (subscription_id, installment_number, product_id, units, amount_cents)
    values (:record.subscriptionId, :number, :record.productId, :total.units, :total.amountCents)
    on conflict (subscription_id, installment_number, product_id) do update set
      units = excluded.units, amount_cents = excluded.amount_cents
  )
  insert into usage_records
    (id, subscription_id, product_id, installment_number, action, units, unit_price_cents, amount_cents, recorded_at)
  values (:record.id, :record.subscriptionId, :record.productId, :number, :record.action, :record.units,
    :record.productCents, :changeCents, :record.now)`,
);
