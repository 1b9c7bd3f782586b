import type { Coupon } from '../database/entities/coupon.ts';
import type { Customer } from '../database/entities/customer.ts';
import type { Product } from '../database/entities/product.ts';
import type { CardToken } from '../domain/card.ts';
import { type CheckoutItem, itemOf } from '../domain/checkout.ts';
import type { ProductCycle } from '../domain/cycle.ts';
import { MAX_AMOUNT_CENTS } from '../domain/money.ts';
import { planCentsOf, type SubscribedPlan, withAddOns } from '../domain/subscribed-plan.ts';
import { type CycleColumns, cycleColumnsOf } from './cycle-dates.ts';
import { type ImportJob, Refused } from './job.ts';
import type { References } from './references.ts';
import type { Problem, SubscriptionRow } from './rows.ts';

/** What a subscription consists of, as found in the store. */
export interface SubscriptionParts {
  readonly customer: Customer;
  readonly cycle: ProductCycle;
  readonly plan: SubscribedPlan;
  readonly coupon: Coupon | null;
  readonly dates: CycleColumns;
  readonly card: CardToken | null;
}

/** @throws Refused with everything that is wrong. */
export async function partsOf(job: ImportJob, row: SubscriptionRow, now: Date) {
  const { references } = job;
  const problems: Problem[] = [];
  const wrong = (field: string, problem: string) => void problems.push({ field, problem });
  const customer = await references.find('customer', row.customer);
  if (customer === null) wrong('customer', 'must be the id of a customer of this import');
  const product = await references.product(row.product);
  if (product === null) wrong('product', 'must be the id of a product of this import or the store');
  else if (product.cycle === null)
    wrong('product', 'must be a product with a cycle: this one is sold once, not every month or year');
  const coupon = row.coupon === null ? null : await references.coupon(row.coupon);
  if (row.coupon !== null && coupon === null)
    wrong('coupon', 'must be the id of a coupon of this import, or a code of the store');
  if (coupon !== null && coupon.duration !== 'FOREVER' && row.couponCyclesLeft === null)
    wrong(
      'couponCyclesLeft',
      `must say how many of the next charges this ${coupon.duration} coupon discounts`,
    );
  if (row.coupon === null && row.couponCyclesLeft !== null)
    wrong('couponCyclesLeft', 'must be left out without a coupon');
  const addOns = await addOnsOf(references, row, product, wrong);
  const plan = product && withAddOns(soldItem(product, row), addOns);
  if (plan !== null && planCentsOf(plan) > MAX_AMOUNT_CENTS)
    wrong('quantity', `must cost at most ${MAX_AMOUNT_CENTS} cents per cycle, with all add-ons`);
  if (row.card !== null && row.method === 'PIX') wrong('card', 'must be left out for PIX');
  if (row.pausedUntil !== null && !row.paused) wrong('pausedUntil', 'must be left out unless it is paused');
  if (row.pausedUntil !== null && row.pausedUntil <= now)
    wrong('pausedUntil', 'must be in the future; leave paused out if the pause is over');
  if (row.paused && row.cancelAtPeriodEnd)
    wrong('cancelAtPeriodEnd', 'must be left out for a paused subscription: cancel it after the import');
  const cannot = await job.methodProblem(row.method);
  if (cannot !== null) wrong('method', cannot);
  const cycle = product?.cycle ?? null;
  const dates = cycle && cycleColumnsOf({ ...row, cycle, isTrial: row.trial, isPaused: row.paused }, now);
  if (dates !== null && 'problem' in dates) wrong(dates.field, dates.problem);
  if (problems.length > 0) throw new Refused(problems);
  const found = row.method === 'CARD' ? await job.findCard(row.card) : { card: null, problem: null };
  if (customer === null || plan === null || cycle === null || dates === null || 'problem' in dates)
    throw new Error('what is missing was refused');
  const parts: SubscriptionParts = { customer, cycle, plan, coupon, dates, card: found.card };
  return { parts, cardProblem: 'problem' in found ? found.problem : null };
}

/** The add-ons of a row that can be charged; `wrong` takes a line for each other one. */
async function addOnsOf(
  references: References,
  { addOns }: SubscriptionRow,
  plan: Product | null,
  wrong: (field: string, problem: string) => void,
): Promise<CheckoutItem[]> {
  const sold: CheckoutItem[] = [];
  for (const [index, addOn] of addOns.entries()) {
    const field = `addOns[${index}].product`;
    const product = await references.product(addOn.product);
    if (product === null) wrong(field, 'must be the id of a product of this import or the store');
    else if (plan !== null && plan.cycle !== null && product.cycle !== plan.cycle)
      wrong(field, `must have the cycle of the plan, which is ${plan.cycle}, and has ${product.cycle}`);
    else if (product.id === plan?.id || sold.some(({ productId }) => productId === product.id))
      wrong(field, 'must be another product than the plan and the other add-ons');
    else sold.push(soldItem(product, addOn));
  }
  return sold;
}

/** A product as the payer has it: at the price of the row, if it says one. */
function soldItem(
  product: Product,
  { quantity, unitPrice }: Pick<SubscriptionRow, 'quantity' | 'unitPrice'>,
): CheckoutItem {
  const item = itemOf(product, quantity);
  return { ...item, unitPriceCents: unitPrice ?? item.unitPriceCents };
}
