import type { ProductCycle } from '../../domain/cycle.ts';
import { type Fields, fieldsOf, idOf, listOf, numberOf } from '../foreign.ts';
import type { Problem } from '../rows.ts';
import { readPrice } from './prices-and-coupons.ts';

/** A price with its quantity, in the fields of a row. */
interface StripeItem {
  /** The id of its price, which is a product here; empty if it has none. */
  readonly product: string;
  readonly quantity: number;
  readonly unitPrice: number | null;
}

/** What a subscription charges at once. */
interface StripeItems {
  /** The oldest item. */
  readonly plan: StripeItem;
  /** All others, which have the same cycle at Stripe. */
  readonly addOns: readonly StripeItem[];
  readonly cycle: ProductCycle | null;
  /** When the current period ends, in seconds since 1970: newer versions of the API have it at each item. */
  readonly periodEndsAt: unknown;
  /** The price of a whole cycle; null if a price is refused. */
  readonly cents: number | null;
  readonly problems: readonly Problem[];
}

/** Reads the items of a subscription. Stripe does not say which one is the plan: the payer has had the oldest one longest. */
export function readItems(subscription: Fields): StripeItems {
  const listed = listOf(fieldsOf(subscription.items).data).map(fieldsOf);
  const items = listed
    .filter(({ quantity }) => listed.length === 1 || quantity !== 0)
    .toSorted((a, b) => (numberOf(a.created) ?? 0) - (numberOf(b.created) ?? 0));
  const read = items.map(readItem);
  const charged = read.map(({ item }) => item);
  const [plan = { product: '', quantity: 1, unitPrice: null }, ...addOns] = charged;
  return {
    plan,
    addOns,
    cycle: read[0]?.cycle ?? null,
    periodEndsAt: items[0]?.current_period_end,
    cents: totalOf(charged),
    problems: [...problemsOf(items, charged), ...read.flatMap(({ problems }) => problems)],
  };
}

function readItem({ price, plan, quantity }: Fields) {
  const of = fieldsOf(price ?? plan);
  const { cycle, unitCents, problems } = readPrice(of);
  const item = { product: idOf(of) ?? '', quantity: numberOf(quantity) ?? 1, unitPrice: unitCents };
  return { item, cycle, problems };
}

/** What concerns the items together. */
function problemsOf(items: readonly Fields[], charged: readonly StripeItem[]): Problem[] {
  const problems: Problem[] = [];
  const wrong = (problem: string) => void problems.push({ field: 'items', problem });
  if (items.length === 0) wrong('must be at least one product');
  if (new Set(charged.map(({ product }) => product)).size < charged.length)
    wrong('must be different prices, each with its quantity');
  if (new Set(items.map((item) => item.current_period_end ?? null)).size > 1)
    wrong('must be charged at the same time: bring their periods together, or split the subscription');
  if (items.some(({ discounts }) => listOf(discounts).length > 0))
    wrong('must have no discounts of their own: a coupon here discounts the plan with its add-ons');
  return problems;
}

function totalOf(items: readonly StripeItem[]): number | null {
  let cents = 0;
  for (const { unitPrice, quantity } of items) {
    if (unitPrice === null) return null;
    cents += unitPrice * quantity;
  }
  return cents;
}
