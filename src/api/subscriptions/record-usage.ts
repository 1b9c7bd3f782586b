import type { ProductId, SubscriptionId, UsageRecordId } from '../../domain/ids.ts';
import { MAX_AMOUNT_CENTS } from '../../domain/money.ts';
import { MAX_UNITS, type UsagePrice } from '../../domain/usage-price.ts';
import { mintId } from '../../ids.ts';
import { brokenRule } from '../frame/errors.ts';
import type { ApiRequest } from '../frame/request.ts';
import { notActive } from './queries.ts';
import { recordPricedUsage, type UsageRefusal } from './record-priced-usage.ts';
import type { RecordUsageBody, ShownUsage } from './usage-schema.ts';

/**
 * One statement, so that a record costs one round trip, and is its own transaction if the request has none.
 *
 * The statement locks the subscription's row, so that the next cycle opens before or after it, and records
 * follow each other. With a shared lock, a stream of records could block the opening of a cycle forever. A
 * volatile function reads the sum, so that it sees rows committed while the statement waited for the lock.
 *
 * Amounts are compared as numeric, because units times price may exceed a bigint.
 */
const RECORD = `
  with given as (
    select :id::text as id, :subscriptionId::text as subscription_id, :productId::text as product_id,
      :storeId::text as store_id, :devMode::boolean as dev_mode,
      :action::text as action, :units::bigint as units, :now::timestamptz as recorded_at
  ), held as materialized (
    select subscriptions.id, cycle_number + 1 as number, amount_cents
    from given join subscriptions on subscriptions.id = given.subscription_id
      and subscriptions.store_id = given.store_id and subscriptions.dev_mode = given.dev_mode
    where status = 'ACTIVE'
    for no key update of subscriptions
  ), sold as materialized (
    select products.id, price_cents, usage_price, units::numeric * price_cents as cents
    from given join products on products.id = given.product_id
      and products.store_id = given.store_id and products.dev_mode = given.dev_mode
    where cycle is null and deleted_at is null
  ), charged as materialized (
    select held.id, number, usage_cents(held.id, number) + greatest(held.amount_cents, waiting.amount_cents) as cents
    from held left join plan_updates waiting on waiting.subscription_id = held.id and waiting.status = 'PENDING'
  ), added as (
    insert into usage_totals (subscription_id, installment_number, product_id, units, amount_cents)
    select charged.id, number, sold.id, units, sold.cents::bigint
    from given, charged, sold
    where action = 'add' and usage_price is null and charged.cents + sold.cents <= :maxAmountCents
    on conflict (subscription_id, installment_number, product_id) do update set
      units = usage_totals.units + excluded.units,
      amount_cents = usage_totals.amount_cents + excluded.amount_cents
    returning 1
  ), subtracted as (
    update usage_totals set
      units = usage_totals.units - given.units,
      amount_cents = usage_totals.amount_cents - sold.cents::bigint
    from given, held, sold
    where action = 'subtract' and usage_price is null and usage_totals.subscription_id = held.id
      and usage_totals.installment_number = held.number and usage_totals.product_id = sold.id
      and usage_totals.units >= given.units and usage_totals.amount_cents >= sold.cents
    returning 1
  ), recorded as (
    insert into usage_records
      (id, subscription_id, product_id, installment_number, action, units, unit_price_cents, recorded_at)
    select given.id, held.id, sold.id, number, action, units, price_cents, recorded_at
    from given, held, sold, (select from added union all select from subtracted) as counted
    returning 1
  )
  select number, price_cents::text as price_cents, usage_price, exists (select from recorded) as is_recorded
  from held left join sold on true`;

interface Outcome {
  readonly number: number;
  /** Null if the product cannot be used. */
  readonly price_cents: string | null;
  /** Null if each unit costs the product's price. */
  readonly usage_price: UsagePrice | null;
  readonly is_recorded: boolean;
}

/**
 * Records units for the next cycle's charge, at their current price. Needs no workflow: the sum is read when
 * that cycle opens. Units of a product with a usage price take more round trips ({@link recordPricedUsage}).
 * @throws ApiError 404 if the subscription is not active, 422 if the product cannot be used, the sum would
 * become negative, or the charge would exceed the maximum.
 */
export async function recordUsage({
  em,
  key,
  body,
  now,
}: Pick<ApiRequest<unknown, RecordUsageBody>, 'em' | 'key' | 'body' | 'now'>): Promise<ShownUsage> {
  const { id: subscriptionId, productId, units, action } = body;
  const id = mintId<UsageRecordId>('usageRecord', now);
  const { storeId, devMode } = key;
  const given = { id, subscriptionId, productId, storeId, devMode, action, units, now };
  const [outcome] = await em.execute<Outcome[]>(RECORD, { ...given, maxAmountCents: MAX_AMOUNT_CENTS });
  if (outcome === undefined) throw notActive();
  if (outcome.price_cents === null) {
    throw brokenRule(
      'NO_ONE_OFF_PRODUCT',
      'productId',
      'is not a product without a cycle of this store and environment',
    );
  }
  const productCents = Number(outcome.price_cents);
  const { usage_price: usagePrice } = outcome;
  const number =
    usagePrice === null
      ? outcome.is_recorded
        ? outcome.number
        : REFUSED[action]
      : await recordPricedUsage(em, {
          ...{ id, subscriptionId: subscriptionId as SubscriptionId, productId: productId as ProductId },
          ...{ productCents, usagePrice, action, units, now },
        });
  if (typeof number === 'string') throw brokenRule(number, 'units', REFUSALS[number]);
  return {
    id,
    devMode: key.devMode,
    subscriptionId,
    productId,
    units,
    unitPrice: usagePrice === null ? productCents : null,
    action,
    installmentNumber: number,
    recordedAt: now.toISOString(),
  };
}

/** Why a record at a price per unit is refused. */
const REFUSED = { add: 'USAGE_TOO_LARGE', subtract: 'USAGE_BELOW_ZERO' } as const;

const REFUSALS: Readonly<Record<UsageRefusal, string>> = {
  USAGE_TOO_LARGE: `would bring the next charge over ${MAX_AMOUNT_CENTS} cents, or the cycle over ${MAX_UNITS} units`,
  USAGE_BELOW_ZERO: "would bring the cycle's usage below zero",
};
