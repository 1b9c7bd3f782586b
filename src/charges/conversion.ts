import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import {
  CHARGE_STATUSES,
  type ChargeStatus,
  PAYMENT_METHODS,
  type PaymentMethod,
  wasPaid,
} from '../domain/charge.ts';
import type { CheckoutStatus } from '../domain/checkout.ts';
import type { StoreEnvironment } from '../domain/store-environment.ts';

/** How many started payments were paid. */
export interface Conversion {
  readonly begun: number;
  readonly paid: number;
}

/** Conversion of what was created since an instant. */
export interface Conversions {
  readonly methods: readonly (Conversion & { readonly method: PaymentMethod })[];
  /** By `utm.source` and `utm.campaign`, those with the most started payments first. */
  readonly campaigns: readonly (Conversion & { readonly source: string; readonly campaign: string | null })[];
  /** Hosted checkouts: created, with a started payment, and paid. Payment links are not counted, as they are paid many times. */
  readonly checkouts: Conversion & { readonly created: number };
}

/** How many are shown. Most campaigns have a handful of payments. */
const SHOWN_CAMPAIGNS = 8;

interface ChargeRow {
  readonly method: PaymentMethod;
  readonly status: ChargeStatus;
  readonly source: string | null;
  readonly campaign: string | null;
  readonly count: number;
}

/** Created at `since` or later, and before `until`. */
type Created = StoreEnvironment & { readonly since: Date; readonly until: Date };

/** Each method and status is a range of the index `charges_by_method`. */
const CHARGES = statement<Created & { methods: readonly string[]; statuses: readonly string[] }, ChargeRow>(
  'read conversion of charges',
  () => `
  select charge.method, charge.status, charge.utm->>'source' as source, charge.utm->>'campaign' as campaign, count(*) as count
  from unnest(:methods::text[]) as method (name), unnest(:statuses::text[]) as status (name), lateral (
    select method, status, utm from charges
    where store_id = :storeId and dev_mode = :devMode and method = method.name and status = status.name
      and created_at >= :since::timestamptz and created_at < :until::timestamptz
  ) charge group by 1, 2, 3, 4`,
);

/** Limits the lookup to one charge per checkout: for `exists` Postgres might read all charges. */
const CHECKOUTS = statement<Created, { status: CheckoutStatus; begun: boolean; count: number }>(
  'read conversion of checkouts',
  () => `
  select checkouts.status, charge.id is not null as begun, count(*) as count from checkouts
    left join lateral (select id from charges where checkout_id = checkouts.id limit 1) charge on true
  where store_id = :storeId and dev_mode = :devMode and frequency = any ('{ONE_TIME,SUBSCRIPTION}')
    and created_at >= :since::timestamptz and created_at < :until::timestamptz
  group by 1, 2`,
);

/** Counts what the index knows, without reading the charges themselves. */
const COUNT = statement<
  Created & { methods: readonly string[]; statuses: readonly string[] },
  { readonly status: ChargeStatus; readonly count: number }
>(
  'count charges by status',
  () => `
  select status.name as status, sum(counted.count)::bigint as count
  from unnest(:methods::text[]) as method (name), unnest(:statuses::text[]) as status (name), lateral (
    select count(*) as count from charges
    where store_id = :storeId and dev_mode = :devMode and method = method.name and status = status.name
      and created_at >= :since::timestamptz and created_at < :until::timestamptz
  ) counted group by 1`,
);

/** How many charges were created, and how many of them were paid. */
export async function conversionIn(
  em: Em,
  { storeId, devMode }: StoreEnvironment,
  since: Date,
  until: Date,
): Promise<Conversion> {
  const ranges = { methods: PAYMENT_METHODS, statuses: CHARGE_STATUSES };
  return ofCharges(await COUNT(em, { storeId, devMode, since, until, ...ranges }));
}

/** The conversion by method and campaign of what was created: see {@link windowOf}. */
export async function conversionsIn(
  em: Em,
  { storeId, devMode }: StoreEnvironment,
  since: Date,
  until: Date,
): Promise<Conversions> {
  const ranges = { methods: PAYMENT_METHODS, statuses: CHARGE_STATUSES };
  const [charges, checkouts] = await Promise.all([
    CHARGES(em, { storeId, devMode, since, until, ...ranges }),
    CHECKOUTS(em, { storeId, devMode, since, until }),
  ]);
  const created = conversionOf(checkouts, ({ status }) => status === 'PAID' || status === 'REFUNDED');
  return {
    methods: PAYMENT_METHODS.map((method) => ({
      method,
      ...ofCharges(charges.filter((row) => row.method === method)),
    })),
    campaigns: campaignsOf(charges),
    checkouts: {
      created: created.begun,
      begun: conversionOf(checkouts.filter(({ begun }) => begun)).begun,
      paid: created.paid,
    },
  };
}

function campaignsOf(rows: readonly ChargeRow[]): Conversions['campaigns'] {
  const known = rows.filter(({ source }) => source !== null);
  const groups = Map.groupBy(known, ({ source, campaign }) => JSON.stringify([source, campaign]));
  return [...groups.values()]
    .map((group) => ({
      source: group[0]?.source ?? '',
      campaign: group[0]?.campaign ?? null,
      ...ofCharges(group),
    }))
    .sort((one, other) => other.begun - one.begun)
    .slice(0, SHOWN_CAMPAIGNS);
}

function ofCharges(rows: readonly Pick<ChargeRow, 'status' | 'count'>[]): Conversion {
  return conversionOf(rows, ({ status }) => wasPaid(status));
}

function conversionOf<Row extends { readonly count: number }>(
  rows: readonly Row[],
  isPaid: (row: Row) => boolean = () => false,
): Conversion {
  const sum = (counted: readonly Row[]) => counted.reduce((total, { count }) => total + count, 0);
  return { begun: sum(rows), paid: sum(rows.filter(isPaid)) };
}

/** Postgres reads this many payments in some hundredths of a second. */
const MOST_PAYMENTS = 10_000;

/**
 * How many days conversion covers: a whole period, or fewer for a store with so many payments that reading all of them would be
 * slow.
 * @param paidPerDay the days of the period, the last day last.
 */
export function windowOf(paidPerDay: readonly number[]): number {
  const paidIn = (days: number) => paidPerDay.slice(-days).reduce((total, paid) => total + paid, 0);
  const fits = [paidPerDay.length, 30, 7].find(
    (days) => days <= paidPerDay.length && paidIn(days) <= MOST_PAYMENTS,
  );
  return fits ?? 1;
}
