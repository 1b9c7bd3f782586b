import { payerColumns } from '../database/charge-payer.ts';
import { type Charge, ChargeEntity, NEW_CHARGE } from '../database/entities/charge.ts';
import { type Checkout, CheckoutEntity, NEW_CHECKOUT } from '../database/entities/checkout.ts';
import type { Coupon } from '../database/entities/coupon.ts';
import { type Cycle, CycleEntity } from '../database/entities/cycle.ts';
import { type Subscription, SubscriptionEntity, UNEVENTFUL } from '../database/entities/subscription.ts';
import type { Em } from '../database/orm.ts';
import { type CycleDiscount, cyclePriceOf, recurringDiscountCentsOf } from '../domain/cycle-price.ts';
import { DEFAULT_RETRY_POLICY } from '../domain/dunning-policy.ts';
import type { ChargeId, CheckoutId, CycleId, SubscriptionId } from '../domain/ids.ts';
import { merchantsCustomer } from '../domain/payer.ts';
import { itemsOfPlan, planCentsOf } from '../domain/subscribed-plan.ts';
import { usageEndsAtOf } from '../domain/usage-cycle.ts';
import { derivedId } from '../ids.ts';
import { NO_PROVIDER } from '../providers/no-provider.ts';
import type { CycleColumns } from './cycle-dates.ts';
import { importedIdOf } from './import-ids.ts';
import type { ImportJob } from './job.ts';
import type { SubscriptionRow } from './rows.ts';
import type { SubscriptionParts } from './subscription-parts.ts';

/** The rows of an imported subscription. */
export interface SubscriptionRows {
  readonly checkout: Checkout;
  readonly charge: Charge;
  readonly subscription: Subscription;
  /** Null in a trial. */
  readonly cycle: Cycle | null;
}

export function rowsOf(
  job: ImportJob,
  foreignId: string,
  row: SubscriptionRow,
  { customer, cycle, plan, coupon, dates, card }: SubscriptionParts,
  now: Date,
): SubscriptionRows {
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
export async function writeRows(
  tx: Em,
  { checkout, charge, subscription, cycle }: SubscriptionRows,
): Promise<null> {
  await tx.insert(CheckoutEntity, checkout);
  await tx.insert(ChargeEntity, charge);
  await tx.nativeUpdate(CheckoutEntity, { id: checkout.id }, { paidByChargeId: charge.id });
  await tx.insert(SubscriptionEntity, subscription);
  if (cycle !== null) await tx.insert(CycleEntity, cycle);
  return null;
}
