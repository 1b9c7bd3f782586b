import { payerColumns } from '../database/charge-payer.ts';
import { type Charge, ChargeEntity, NEW_CHARGE } from '../database/entities/charge.ts';
import { type Checkout, CheckoutEntity, NEW_CHECKOUT } from '../database/entities/checkout.ts';
import type { Coupon } from '../database/entities/coupon.ts';
import type { Customer } from '../database/entities/customer.ts';
import { type Cycle, CycleEntity } from '../database/entities/cycle.ts';
import type { Product } from '../database/entities/product.ts';
import { type Subscription, SubscriptionEntity, UNEVENTFUL } from '../database/entities/subscription.ts';
import type { Em } from '../database/orm.ts';
import type { CardToken } from '../domain/card.ts';
import { type CheckoutItem, itemOf } from '../domain/checkout.ts';
import type { ProductCycle } from '../domain/cycle.ts';
import { type CycleDiscount, cyclePriceOf, recurringDiscountCentsOf } from '../domain/cycle-price.ts';
import { DEFAULT_RETRY_POLICY } from '../domain/dunning-policy.ts';
import type { ChargeId, CheckoutId, CycleId, SubscriptionId } from '../domain/ids.ts';
import { MAX_AMOUNT_CENTS } from '../domain/money.ts';
import { merchantsCustomer } from '../domain/payer.ts';
import { itemsOfPlan, planCentsOf, type SubscribedPlan, withAddOns } from '../domain/subscribed-plan.ts';
import { usageEndsAtOf } from '../domain/usage-cycle.ts';
import { derivedId } from '../ids.ts';
import { NO_PROVIDER } from '../providers/no-provider.ts';
import { type CycleColumns, cycleColumnsOf } from './cycle-dates.ts';
import { importedIdOf } from './import-ids.ts';
import { type ImportJob, type Planned, Refused } from './job.ts';
import type { References } from './references.ts';
import type { Problem, SubscriptionRow } from './rows.ts';

function asksForCard({ publicUrl }: ImportJob, customer: Customer, problem: string | null): string {
  const link = `${publicUrl}/portal/${customer.id}`;
  const asks = `its payer must enter a card before the next charge, at ${link}`;
  return problem === null ? asks : `${problem}: ${asks}`;
}

/** What a subscription consists of, as found in the store. */
interface Parts {
  readonly customer: Customer;
  readonly cycle: ProductCycle;
  readonly plan: SubscribedPlan;
  readonly coupon: Coupon | null;
  readonly dates: CycleColumns;
  readonly card: CardToken | null;
}

/**
 * A running subscription. It continues here with its next charge: nothing of the past is charged, announced or published.
 * Its workflow starts like that of any other row whose start is not known yet.
 */
export async function planSubscription(
  _em: Em,
  job: ImportJob,
  foreignId: string,
  row: SubscriptionRow,
  now: Date,
): Promise<Planned> {
  const { parts, cardProblem } = await partsOf(job, row, now);
  const rows = rowsOf(job, foreignId, row, parts, now);
  const asks = row.method === 'CARD' && parts.card === null;
  return {
    rowId: rows.subscription.id,
    outcome: 'MADE',
    note: asks ? asksForCard(job, parts.customer, cardProblem) : null,
    uniqueBy: null,
    value: rows.subscription,
    write: (tx) => write(tx, rows),
  };
}

/** @throws Refused with everything that is wrong. */
async function partsOf(job: ImportJob, row: SubscriptionRow, now: Date) {
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
  const parts: Parts = { customer, cycle, plan, coupon, dates, card: found.card };
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

interface Rows {
  readonly checkout: Checkout;
  readonly charge: Charge;
  readonly subscription: Subscription;
  /** Null in a trial. */
  readonly cycle: Cycle | null;
}

function rowsOf(
  job: ImportJob,
  foreignId: string,
  row: SubscriptionRow,
  { customer, cycle, plan, coupon, dates, card }: Parts,
  now: Date,
): Rows {
  const { storeId, devMode } = job;
  const owner = { storeId, devMode, ...merchantsCustomer(customer.id) };
  const amountCents = planCentsOf(plan);
  const items = itemsOfPlan(plan);
  const metadata = { ...row.metadata, importedFrom: job.source, importedId: foreignId };
  const coupons = coupon === null ? [] : [coupon.code];
  const sold = { metadata, coupons, externalId: row.externalId ?? foreignId };
  const retries = {
    maxRetry: DEFAULT_RETRY_POLICY.maxRetry,
    retryEveryDays: DEFAULT_RETRY_POLICY.retryEvery,
  };
  const id = importedIdOf<SubscriptionId>(job, 'subscription', foreignId);
  const checkoutId = importedIdOf<CheckoutId>(job, 'checkout', foreignId);
  const chargeId = importedIdOf<ChargeId>(job, 'freeCharge', foreignId);
  const made = { createdAt: now, updatedAt: now };
  const discount = discountOf(coupon, row.couponCyclesLeft, dates);
  const cardColumns = {
    cardToken: card?.token ?? null,
    cardBrand: card?.brand ?? null,
    cardLastFour: card?.lastFour ?? null,
    cardExpiryMonth: card?.expiryMonth ?? null,
  };
  const checkout: Checkout = {
    ...NEW_CHECKOUT,
    ...owner,
    ...sold,
    ...retries,
    ...made,
    id: checkoutId,
    frequency: 'SUBSCRIPTION',
    status: 'PAID',
    amountCents,
    paidAmountCents: 0,
    items,
    methods: [row.method],
    allowCoupons: coupons.length > 0,
    cycle,
    trialDays: dates.trialDays,
    subscriptionId: id,
    paidByChargeId: null,
    expiresAt: null,
    workflowStartedAt: now,
  };
  // A payment of nothing, as a trial starts with one: it names the payer of later charges, and the card.
  const charge: Charge = {
    ...NEW_CHARGE,
    ...owner,
    ...payerColumns(customer),
    ...cardColumns,
    ...made,
    id: chargeId,
    method: 'FREE',
    status: 'PAID',
    amountCents: 0,
    paidAmountCents: 0,
    platformFeeCents: 0,
    description: `Imported from ${job.source}`,
    provider: NO_PROVIDER,
    providerReference: chargeId,
    expiresAt: now,
    closesAt: now,
    paidAt: now,
    settlesAt: now,
    settledAt: now,
    checkoutId,
    submissionKey: chargeId,
    items,
    workflowStartedAt: now,
  };
  const subscription: Subscription = {
    ...owner,
    ...sold,
    ...retries,
    ...made,
    id,
    checkoutId,
    status: 'ACTIVE',
    method: row.method,
    ...cardColumns,
    plan,
    amountCents,
    cycle,
    ...dates,
    ...UNEVENTFUL,
    usageEndsAt: dates.cycleNumber === 0 ? null : usageEndsAtOf({ ...dates, plan }, now),
    discount,
    recurringDiscountCents: recurringDiscountCentsOf({
      number: Math.max(1, dates.cycleNumber),
      planCents: amountCents,
      discount,
    }),
    cancelAt: row.cancelAtPeriodEnd ? dates.cycleEndsAt : null,
    pausedAt: row.paused ? now : null,
    resumesAt: row.pausedUntil,
    workflowStartedAt: null,
  };
  return { checkout, charge, subscription, cycle: currentCycleOf(subscription, chargeId, row, now) };
}

/** The coupon counts on: its last cycle is so many after the current one. */
function discountOf(
  coupon: Coupon | null,
  cyclesLeft: number | null,
  { cycleNumber }: CycleColumns,
): CycleDiscount | null {
  if (coupon === null || cyclesLeft === 0) return null;
  const { code, discountKind, discountValue } = coupon;
  return {
    code,
    discountKind,
    discountValue,
    lastNumber: cyclesLeft === null ? null : cycleNumber + cyclesLeft,
  };
}

/** The current cycle was paid elsewhere. Its row lets a change of plan within it count what was paid. */
function currentCycleOf(
  { id, cycleNumber: number, cycleStartsAt, cycleEndsAt, amountCents: planCents, discount }: Subscription,
  paidByChargeId: ChargeId,
  { currentCyclePaid }: SubscriptionRow,
  now: Date,
): Cycle | null {
  if (number === 0) return null;
  const price = cyclePriceOf({ number, planCents, usageCents: 0, discount });
  const amountCents = Math.min(currentCyclePaid ?? price.amountCents, planCents);
  return {
    id: derivedId<CycleId>('cycle', cycleStartsAt, `${id}/${number}`),
    subscriptionId: id,
    number,
    status: 'PAID',
    amountCents,
    discountCents: planCents - amountCents,
    usageCents: 0,
    creditCents: 0,
    part: null,
    isUsage: false,
    startsAt: cycleStartsAt,
    endsAt: cycleEndsAt,
    paidByChargeId,
    createdAt: now,
  };
}

/** The checkout and its payment refer to each other, so the second one is named last. */
async function write(tx: Em, { checkout, charge, subscription, cycle }: Rows): Promise<null> {
  await tx.insert(CheckoutEntity, checkout);
  await tx.insert(ChargeEntity, charge);
  await tx.nativeUpdate(CheckoutEntity, { id: checkout.id }, { paidByChargeId: charge.id });
  await tx.insert(SubscriptionEntity, subscription);
  if (cycle !== null) await tx.insert(CycleEntity, cycle);
  return null;
}
