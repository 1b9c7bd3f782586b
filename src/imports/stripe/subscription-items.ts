import type { ProductCycle } from '../../domain/cycle.ts';
import { type Fields, fieldsOf, idOf, listOf, numberOf } from '../foreign.ts';
import type { Problem } from '../rows.ts';
import { readPrice } from './prices-and-coupons.ts';

/** A price with its quantity. */
interface StripeItem {
  /** The id of its price, which is a product here; null if it has none. */
  readonly priceId: string | null;
  readonly quantity: number;
  readonly unitCents: number | null;
}

/** What a subscription charges at once. */
interface StripeItems {
  /** The oldest item. */
  readonly plan: StripeItem;
  /** All others, which have the same cycle at Stripe. */
  readonly addOns: readonly StripeItem[];
  readonly cycle: ProductCycle | null;
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
  const [plan, ...addOns] = read.map(({ item }) => item);
  const problems = [...problemsOf(items), ...read.flatMap((each) => each.problems)];
  return {
    plan: plan ?? { priceId: null, quantity: 1, unitCents: null },
    addOns,
    cycle: read[0]?.cycle ?? null,
    cents: totalOf(read.map(({ item }) => item)),
    problems,
  };
}

function readItem(item: Fields) {
  const price = fieldsOf(item.price ?? item.plan);
  const { cycle, unitCents, problems } = readPrice(price);
  return {
    item: { priceId: idOf(price), quantity: numberOf(item.quantity) ?? 1, unitCents },
    cycle,
    problems,
  };
}

/** What concerns the items together. */
function problemsOf(items: readonly Fields[]): Problem[] {
  const problems: Problem[] = [];
  const wrong = (problem: string) => void problems.push({ field: 'items', problem });
  if (items.length === 0) wrong('must be at least one product');
  const prices = items.map((item) => idOf(fieldsOf(item.price ?? item.plan)));
  if (new Set(prices).size < prices.length) wrong('must be different prices, each with its quantity');
  if (new Set(items.map((item) => item.current_period_end ?? null)).size > 1)
    wrong('must be charged at the same time: bring their periods together, or split the subscription');
  if (items.some(({ discounts }) => listOf(discounts).length > 0))
    wrong('must have no discounts of their own: a coupon here discounts the plan with its add-ons');
  return problems;
}

function totalOf(items: readonly StripeItem[]): number | null {
  let cents = 0;
  for (const { unitCents, quantity } of items) {
    if (unitCents === null) return null;
    cents += unitCents * quantity;
  }
  return cents;
}
