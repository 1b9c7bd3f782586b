import type { Charge } from '../database/entities/charge.ts';
import type { Checkout } from '../database/entities/checkout.ts';
import type { Customer } from '../database/entities/customer.ts';
import type { Cycle } from '../database/entities/cycle.ts';
import { type Subscription, SubscriptionEntity, UNEVENTFUL } from '../database/entities/subscription.ts';
import type { Em } from '../database/orm.ts';
import type { CheckoutItem } from '../domain/checkout.ts';
import { cyclePeriod, type ProductCycle } from '../domain/cycle.ts';
import { DEFAULT_RETRY_POLICY, RETRIES_EXCEEDED } from '../domain/dunning-policy.ts';
import type { ChargeId, CycleId, SubscriptionId } from '../domain/ids.ts';
import { mintId } from '../ids.ts';
import { isLucky } from './people-and-goods.ts';
import { newSale, paid, type Shop } from './sales.ts';

const HOUR_MS = 60 * 60 * 1_000;

/** A plan that the shop sells. */
export interface Plan {
  readonly item: CheckoutItem;
  readonly cycle: ProductCycle;
}

/** A subscription with all its charges. */
export interface Member {
  /** As it was created. */
  readonly began: Subscription;
  /** Its state after each change of plan or cancellation, and its current state. */
  readonly changes: readonly Partial<Subscription>[];
  readonly cycles: readonly Cycle[];
  readonly charges: readonly Charge[];
}

/** @param checkout PAID by the first of these charges. @param better the plan to which some subscribers change. */
export function newMember(
  shop: Shop,
  {
    customer,
    checkout,
    plan,
    better,
  }: { customer: Customer; checkout: Checkout; plan: Plan; better: Plan | null },
): Member {
  const startsAt = checkout.createdAt;
  const id = mintId<SubscriptionId>('subscription', startsAt);
  const charges: Charge[] = [];
  const cycles: Cycle[] = [];
  const changes: Partial<Subscription>[] = [];
  let current = plan;
  let now: Partial<Subscription> = {};
  for (let number = 1; ; number += 1) {
    const period = cyclePeriod(startsAt, plan.cycle, number - 1);
    if (period.startsAt > shop.now) break;
    if (better && number > 2 && current === plan && isLucky(0.04)) {
      current = better;
      changes.push({
        plan: better.item,
        amountCents: better.item.unitPriceCents,
        updatedAt: period.startsAt,
      });
    }
    const isLeft = number > 1 && isLucky(plan.cycle === 'MONTHLY' ? 0.035 : 0.2);
    const isFailing = number > 1 && isLucky(0.03);
    if (isLeft || isFailing) {
      const at = new Date(period.startsAt.getTime() + (isLeft ? 1 : 72) * HOUR_MS);
      if (at < shop.now) {
        const why = isLeft ? null : RETRIES_EXCEEDED;
        changes.push({
          status: 'CANCELLED',
          canceledAt: at,
          cancelPolicy: 'NOW',
          cancelledDueTo: why,
          updatedAt: at,
        });
        break;
      }
    }
    const cycleId = mintId<CycleId>('cycle', period.startsAt);
    const sale = { customer, items: [current.item], method: 'CARD' as const, checkout, at: period.startsAt };
    const due = { ...newSale(shop, sale), ...(number > 1 && { cycleId, submissionKey: null }) };
    const paidAt = new Date(period.startsAt.getTime() + 2_000);
    // Some cards have insufficient funds at first.
    const isLate =
      number > 1 && isLucky(0.05) && period.startsAt.getTime() + 25 * HOUR_MS < shop.now.getTime();
    if (isLate)
      charges.push({ ...due, status: 'FAILED', failureReason: 'insufficient_funds', updatedAt: paidAt });
    const paidCharge = isLate ? paidLater(shop, due) : paid(shop, due, paidAt);
    charges.push(paidCharge);
    cycles.push({
      id: cycleId,
      subscriptionId: id,
      number,
      status: 'PAID',
      amountCents: due.amountCents,
      discountCents: 0,
      usageCents: 0,
      creditCents: 0,
      part: null,
      isUsage: false,
      ...period,
      paidByChargeId: paidCharge.id,
      createdAt: period.startsAt,
    });
    now = {
      cycleNumber: number,
      cycleStartsAt: period.startsAt,
      cycleEndsAt: period.endsAt,
      updatedAt: paidAt,
    };
  }
  const first = cyclePeriod(startsAt, plan.cycle, 0);
  const [firstCharge] = charges;
  const began: Subscription = {
    id,
    storeId: shop.storeId,
    devMode: true,
    checkoutId: checkout.id,
    customerId: customer.id,
    customerNamedBy: 'MERCHANT',
    externalId: null,
    metadata: {},
    coupons: [],
    status: 'ACTIVE',
    method: 'CARD',
    cardToken: firstCharge?.cardToken ?? null,
    cardBrand: 'visa',
    cardLastFour: '4242',
    cardExpiryMonth: firstCharge?.cardExpiryMonth ?? null,
    plan: plan.item,
    amountCents: plan.item.unitPriceCents,
    cycle: plan.cycle,
    trialDays: null,
    trialEndsAt: null,
    maxRetry: DEFAULT_RETRY_POLICY.maxRetry,
    retryEveryDays: DEFAULT_RETRY_POLICY.retryEvery,
    anchorAt: startsAt,
    anchorNumber: 1,
    cycleNumber: 1,
    cycleStartsAt: first.startsAt,
    cycleEndsAt: first.endsAt,
    ...UNEVENTFUL,
    createdAt: startsAt,
    updatedAt: startsAt,
    workflowStartedAt: startsAt,
  };
  const isOver = changes.some(({ status }) => status === 'CANCELLED');
  // The sweeper starts the workflow of an active subscription, which charges it when the next cycle starts.
  const last = isOver ? [] : [{ workflowStartedAt: null }];
  const [ends, others] = [changes.filter(({ status }) => status), changes.filter(({ status }) => !status)];
  return { began, changes: [...others, now, ...ends, ...last], cycles, charges };
}

function paidLater(shop: Shop, due: Charge): Charge {
  const at = new Date(due.createdAt.getTime() + 24 * HOUR_MS);
  const id = mintId<ChargeId>('cardCharge', at);
  const again = { ...due, id, providerReference: id, createdAt: at, updatedAt: at };
  return paid(shop, again, new Date(at.getTime() + 2_000));
}

/** Replays the subscriptions' changes, so that the triggers count them at the time they happened. */
export async function writeChanges(em: Em, members: readonly Member[]): Promise<void> {
  for (const { began, changes } of members)
    for (const change of changes) await em.nativeUpdate(SubscriptionEntity, { id: began.id }, change);
}
