import type { Checkout } from '../../database/entities/checkout.ts';
import { type CivilDate, saoPauloDateOf } from '../../domain/civil-date.ts';
import { cyclePeriod, type ProductCycle } from '../../domain/cycle.ts';
import { type CycleDiscount, cyclePriceOf } from '../../domain/cycle-price.ts';
import type { UsageCycle } from '../../domain/usage-cycle.ts';
import { say, sayDay, sayDays } from '../frame/language.ts';
import type { MessageKey } from '../i18n/catalogs.ts';
import { sayAmount } from '../i18n/money.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** The shortest month, so later days do not exist in every month. */
const SHORTEST_MONTH_DAYS = 28;

/** The terms of a subscription if its payer accepts them now (contract section 6). */
export interface SubscriptionPlan {
  readonly cycle: ProductCycle;
  /** The price of every cycle after the first payment, without usage. */
  readonly amountCents: number;
  readonly trialDays: number | null;
  /** When the first charge after today's is due; with a trial, the very first charge. */
  readonly nextChargeOn: CivilDate;
  /** How often usage is charged by itself; null if the plan is charged as often. */
  readonly usageCycle: UsageCycle | null;
  /** What the applied coupon takes off; null without one. */
  readonly discount: CycleDiscount | null;
}

/** The amount of the first charge after today's. */
export function nextChargeCentsOf({ trialDays, amountCents, discount }: SubscriptionPlan): number {
  const next = { number: trialDays === null ? 2 : 1, planCents: amountCents, usageCents: 0, discount };
  return cyclePriceOf(next).amountCents;
}

/** Null if the checkout sells no subscription. */
export function planOf(
  checkout: Checkout,
  now: Date,
  discount: CycleDiscount | null = null,
): SubscriptionPlan | null {
  const { frequency, cycle, trialDays, amountCents } = checkout;
  if (frequency !== 'SUBSCRIPTION' || cycle === null) return null;
  const nextChargeAt =
    trialDays === null ? cyclePeriod(now, cycle, 0).endsAt : new Date(now.getTime() + trialDays * DAY_MS);
  const usageCycle = checkout.items[0]?.usageCycle ?? null;
  return { cycle, amountCents, trialDays, nextChargeOn: saoPauloDateOf(nextChargeAt), usageCycle, discount };
}

const PER_CYCLE: Readonly<Record<ProductCycle, MessageKey>> = {
  WEEKLY: 'checkout.aWeek',
  MONTHLY: 'checkout.aMonth',
  QUARTERLY: 'checkout.aQuarter',
  SEMIANNUALLY: 'checkout.everySixMonths',
  ANNUALLY: 'checkout.aYear',
};

const EVERY_CYCLE: Readonly<Record<ProductCycle, MessageKey>> = {
  WEEKLY: 'checkout.everyWeek',
  MONTHLY: 'checkout.everyMonth',
  QUARTERLY: 'checkout.everyThreeMonths',
  SEMIANNUALLY: 'checkout.everySixMonths2',
  ANNUALLY: 'checkout.everyYear',
};

/** `por mês`. */
export function perCycle(cycle: ProductCycle): string {
  return say(PER_CYCLE[cycle]);
}

/** `R$ 49,00 por mês`. */
export function cyclePriceText({
  amountCents,
  cycle,
}: Pick<SubscriptionPlan, 'amountCents' | 'cycle'>): string {
  return `${sayAmount(amountCents)} ${perCycle(cycle)}`;
}

/** `toda semana`. */
export function everyCycle(cycle: ProductCycle): string {
  return say(EVERY_CYCLE[cycle]);
}

/** `todo mês, no mesmo dia`, and what happens in months without that day. */
export function sameDayText({ cycle, nextChargeOn }: SubscriptionPlan): string {
  const text = say('checkout.onTheSameDay', { cycle: everyCycle(cycle) });
  const isInEveryMonth = cycle === 'WEEKLY' || Number(nextChargeOn.slice(-2)) <= SHORTEST_MONTH_DAYS;
  return isInEveryMonth ? text : `${text} ${say('checkout.orOnTheLastOne')}`;
}

/** `7 dias grátis`; null without a trial. */
export function trialText({ trialDays }: Pick<SubscriptionPlan, 'trialDays'>): string | null {
  return trialDays === null ? null : say('checkout.free', { days: sayDays(trialDays) });
}

/** `depois R$ 49,00 por mês a partir de 28/11/2026`. */
export function afterwardsText(plan: SubscriptionPlan): string {
  return say('checkout.thenFromOn', {
    price: cyclePriceText(plan),
    date: sayDay(plan.nextChargeOn),
  });
}
