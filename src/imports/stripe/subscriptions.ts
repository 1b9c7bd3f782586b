import { civilDate, saoPauloDateOf, saoPauloMidnight } from '../../domain/civil-date.ts';
import { cyclePeriod, type ProductCycle } from '../../domain/cycle.ts';
import {
  type Fields,
  fieldsOf,
  idOf,
  instantOfSeconds,
  listOf,
  metadataOf,
  numberOf,
  textOf,
} from '../foreign.ts';
import type { HttpReader } from '../http-reader.ts';
import type { Problem } from '../rows.ts';
import type { SourcedRow } from '../source.ts';
import { couponRow } from './prices-and-coupons.ts';
import { readItems } from './subscription-items.ts';

/** What subscriptions refer to, from the lists before them. */
export interface StripeMaps {
  readonly prices: Map<string, Fields>;
  /** A customer's default card. */
  readonly cardOfCustomer: Map<string, string>;
  readonly coupons: Set<string>;
}

/** They charge nothing any more, or never have. */
const ENDED: Readonly<Record<string, string>> = {
  canceled: 'it is cancelled',
  incomplete: 'its first payment was not made',
  incomplete_expired: 'its first payment was not made',
  unpaid: 'Stripe has stopped charging it, because it is unpaid',
  paused: 'its trial ended without a card',
};

const RUNNING = ['active', 'trialing', 'past_due'];
const DAY_MS = 86_400_000;
const MOST_DISCOUNTED = 1_000;

/** A subscription, after the coupon that it still has although it was deleted. */
export async function* subscriptionRow(
  reader: HttpReader,
  listed: Fields,
  maps: StripeMaps,
): AsyncGenerator<SourcedRow> {
  const id = idOf(listed) ?? '';
  const at = { kind: 'subscription' as const, place: 'subscriptions', id };
  const status = textOf(listed.status) ?? '';
  const ended = ENDED[status];
  if (ended !== undefined) {
    yield { ...at, fields: {}, skipped: ended };
    return;
  }
  const problems: Problem[] = [];
  const wrong = (field: string, problem: string) => void problems.push({ field, problem });
  const subscription = await withDiscounts(reader, listed);
  if (!RUNNING.includes(textOf(subscription.status) ?? ''))
    wrong('status', `must be one of ${RUNNING.join(', ')}`);
  const discounts = discountsOf(subscription);
  if (discounts.length > 1) wrong('discounts', 'must be at most one');
  const [discount] = discounts;
  const coupon = discount && couponOf(discount);
  const couponId = idOf(coupon);
  if (couponId !== null && !maps.coupons.has(couponId) && typeof coupon === 'object') {
    maps.coupons.add(couponId);
    yield couponRow(fieldsOf(coupon), true);
  }
  const { plan, addOns, cycle, periodEndsAt, cents, problems: ofItems } = readItems(subscription);
  problems.push(...ofItems);
  if (listOf(subscription.default_tax_rates).length > 0 || numberOf(subscription.tax_percent))
    wrong(
      'default_tax_rates',
      'must be none: add the tax to the price, because Recebe charges the price only',
    );
  const isTrial = status === 'trialing';
  const endsAt = isTrial ? subscription.trial_end : (periodEndsAt ?? subscription.current_period_end);
  const next = dayKept(endsAt);
  const cancelAt = numberOf(subscription.cancel_at);
  const endsWithPeriod = subscription.cancel_at_period_end === true || isSameDay(cancelAt, numberOf(endsAt));
  if (cancelAt !== null && !endsWithPeriod)
    wrong(
      'cancel_at',
      'must be the end of the current period: remove it, and cancel the subscription here in time',
    );
  const customer = idOf(subscription.customer) ?? '';
  const byInvoice = subscription.collection_method === 'send_invoice';
  const card = cardOf(subscription, customer, maps);
  const pause = subscription.pause_collection;
  const isPaused = typeof pause === 'object' && pause !== null;
  const left = discount && next && cycle ? cyclesLeft(discount, next, cycle) : null;
  yield {
    ...at,
    fields: {
      customer,
      ...plan,
      addOns,
      method: byInvoice ? 'PIX' : 'CARD',
      card: byInvoice || card === null ? null : `${customer}:${card}`,
      nextChargeAt: next ?? undefined,
      anchorAt: isTrial ? null : dayKept(subscription.billing_cycle_anchor),
      trial: isTrial,
      startedAt: instantOfSeconds(subscription.start_date),
      coupon: couponId,
      couponCyclesLeft: couponId === null ? null : left,
      cancelAtPeriodEnd: endsWithPeriod,
      paused: isPaused,
      pausedUntil: isPaused ? instantOfSeconds(fieldsOf(pause).resumes_at) : null,
      currentCyclePaid: left === 0 ? lastDiscounted(fieldsOf(coupon), cents) : null,
      metadata: metadataOf(subscription.metadata),
    },
    problems,
    ...(noteOf(status, byInvoice, subscription) ?? {}),
  };
}

/** Lists name discounts by ids, which only a read of the subscription shows. */
async function withDiscounts(reader: HttpReader, subscription: Fields): Promise<Fields> {
  if (!listOf(subscription.discounts).some((each) => typeof each === 'string')) return subscription;
  const id = encodeURIComponent(idOf(subscription) ?? '');
  const expand = 'expand[]=discounts&expand[]=discounts.source.coupon';
  // It may have been deleted since it was listed: the row is refused then.
  return fieldsOf(
    (await reader.find(`/v1/subscriptions/${id}?${expand}`)) ?? { ...subscription, status: '' },
  );
}

function discountsOf({ discounts, discount }: Fields): readonly Fields[] {
  const all = listOf(discounts).length > 0 ? listOf(discounts) : [discount];
  return all.filter((each) => typeof each === 'object' && each !== null).map(fieldsOf);
}

/** Newer versions of the API have it in a source. */
function couponOf({ coupon, source }: Fields): unknown {
  return coupon ?? fieldsOf(source).coupon;
}

/** How many of the next charges Stripe would discount; null for all. */
function cyclesLeft(discount: Fields, next: Date, cycle: ProductCycle): number | null {
  const { duration } = fieldsOf(couponOf(discount));
  const end = numberOf(discount.end);
  if (end === null) return duration === 'once' ? 1 : null;
  const isBefore = (index: number) => cyclePeriod(next, cycle, index).startsAt.getTime() < end * 1_000;
  let left = 0;
  while (left < MOST_DISCOUNTED && isBefore(left)) left += 1;
  return left;
}

/** What a cycle cost whose discount ends with it. @param fullCents without the discount. */
function lastDiscounted(coupon: Fields, fullCents: number | null): number | null {
  if (fullCents === null) return null;
  const percent = numberOf(coupon.percent_off);
  if (percent !== null) return fullCents - Math.round((fullCents * percent) / 100);
  return Math.max(0, fullCents - (numberOf(coupon.amount_off) ?? 0));
}

function cardOf(subscription: Fields, customer: string, maps: StripeMaps): string | null {
  return (
    idOf(subscription.default_payment_method) ??
    idOf(subscription.default_source) ??
    maps.cardOfCustomer.get(customer) ??
    null
  );
}

/**
 * The instant on the day that Stripe counts by, which is a day in UTC. Until 21:00 in São Paulo it is the same day there. Later,
 * the charge moves to the beginning of the next day: otherwise a 31st in UTC would be a 30th here, and other months would differ.
 */
function dayKept(seconds: unknown): Date | null {
  const instant = instantOfSeconds(seconds);
  if (instant === null) return null;
  const day = civilDate(instant.toISOString().slice(0, 10));
  return saoPauloDateOf(instant) === day ? instant : saoPauloMidnight(day);
}

function isSameDay(first: number | null, second: number | null): boolean {
  return first !== null && second !== null && Math.abs(first - second) * 1_000 < DAY_MS;
}

function noteOf(status: string, byInvoice: boolean, { schedule }: Fields): { readonly note: string } | null {
  if (status === 'past_due') return { note: 'its open invoice stays at Stripe: collect or void it there' };
  if (schedule) return { note: 'its schedule at Stripe is not imported: later phases must be set here' };
  if (byInvoice) return { note: 'it was billed by invoice: here its payer gets a PIX code per cycle' };
  return null;
}
