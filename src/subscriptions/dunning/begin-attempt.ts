import { insertCharge } from '../../charges/insert-charge.ts';
import { METHODS } from '../../charges/methods/index.ts';
import { beneficiaryOf, newCharge } from '../../charges/new-charge.ts';
import { payerColumns } from '../../database/charge-payer.ts';
import { type Charge, ChargeEntity } from '../../database/entities/charge.ts';
import { type Cycle, CycleEntity } from '../../database/entities/cycle.ts';
import type { Subscription } from '../../database/entities/subscription.ts';
import type { Em } from '../../database/orm.ts';
import { usageOfCycle } from '../../database/usage-of-cycle.ts';
import type { ChargeMethod, ChargeStatus } from '../../domain/charge.ts';
import { isDebit } from '../../domain/charge.ts';
import { collectedFromCard } from '../../domain/charge-deadlines.ts';
import type { CheckoutItem } from '../../domain/checkout.ts';
import { usageItems } from '../../domain/final-usage.ts';
import type { ChargeId, CustomerId, IdKind, StoreId, SubscriptionId } from '../../domain/ids.ts';
import { itemsOfPlan, planAsItem } from '../../domain/subscribed-plan.ts';
import { providerOrRetry } from '../../providers/serving-provider.ts';
import type { SubscriptionDeps } from '../effects.ts';
import { lockSubscription } from '../lock-subscription.ts';
import type { OpenCycle } from '../planned-cycle.ts';
import { attemptIds, chargesOfAttempt, idAfter, methodOf, mustBeReplaced } from './attempt-generations.ts';
import { isRefusal, noteCodeIssued, refusedCode } from './refused-code.ts';

/** Which attempt at which cycle; both count from 1. */
export interface CycleAttempt {
  readonly number: number;
  readonly attempt: number;
}

/** What a subscription's run knows of a charge. */
export interface CycleCharge {
  readonly chargeId: ChargeId;
  readonly storeId: StoreId;
  readonly devMode: boolean;
  readonly customerId: CustomerId | null;
  /** FREE if a coupon covers the cycle. */
  readonly method: ChargeMethod;
  readonly amountCents: number;
  /** The status when the attempt began, or was resumed. */
  readonly status: ChargeStatus;
  readonly closesAtMs: number;
}

const DAY_SECONDS = 24 * 60 * 60;

/**
 * Inserts the charge of one attempt and starts its workflow. The id is derived from subscription, cycle and
 * attempt, so a repeated step creates no second charge, and the provider gets the same order. A code that died
 * while its provider or Recebe was unavailable is replaced within the same attempt (attempt-generations.ts). An attempt that has
 * a charge keeps it if the method of the subscription changes.
 * @returns the charge that has already paid the cycle, if there is one. Null if the subscription was cancelled: its
 *   cancellation closes every charge that it finds, so none may appear after it.
 */
export async function beginAttempt(
  deps: SubscriptionDeps,
  em: Em,
  { subscription, cycle, payer, attempt, now }: OpenCycle & { readonly attempt: number; readonly now: Date },
): Promise<CycleCharge | null> {
  if (cycle.paidByChargeId !== null) return paidAttempt(em, cycle.paidByChargeId);
  const stored = await chargesOfAttempt(em, subscription, cycle, attempt);
  const newest = stored.at(-1) ?? null;
  if (newest !== null) {
    // The workflow of a debit collects its charge.
    const begun = isDebit(newest) ? known(newest) : await startAttempt(deps, newest, subscription.id, now);
    if (!mustBeReplaced(newest, subscription, attempt, now)) return begun;
  }
  const ids = attemptIds(subscription, cycle, attempt);
  const used = Math.max(...stored.map(({ id }) => ids.indexOf(id)), -1);
  const charge = await issueAttempt(deps, em, { subscription, cycle, payer }, ids.slice(used + 1), now);
  const inserted = await em.transactional(async (tx) => {
    const locked = await lockSubscription(tx, subscription.id);
    if (locked.status !== 'ACTIVE') return null;
    // The method has changed meanwhile: an attempt of each would charge the cycle twice.
    if (locked.method !== subscription.method) return locked;
    const others = await chargesOfAttempt(tx, subscription, cycle, attempt);
    if (others.length > stored.length) return locked;
    // A payment that was made in time may have arrived meanwhile, or a pause: they take the same lock.
    const { paidByChargeId, status } = await tx.findOneOrFail(
      CycleEntity,
      { id: cycle.id },
      { disableIdentityMap: true },
    );
    if (paidByChargeId !== null) return paidByChargeId;
    if (status === 'FAILED') return null;
    await insertCharge(tx, charge);
    return charge.id;
  });
  if (inserted === null) return null;
  if (typeof inserted === 'object')
    return beginAttempt(deps, em, { subscription: inserted, cycle, payer, attempt, now });
  return inserted === charge.id
    ? startAttempt(deps, charge, subscription.id, now)
    : paidAttempt(em, inserted);
}

/** An earlier attempt has paid the cycle after all: nothing must be started. */
async function paidAttempt(em: Em, id: ChargeId): Promise<CycleCharge> {
  return known(await em.findOneOrFail(ChargeEntity, { id }, { disableIdentityMap: true }));
}

/**
 * The charge of a cycle's first attempt, to be inserted with the cycle.
 * @returns null if the provider must issue a code first: no call is made while the subscription is locked.
 */
export async function firstCardCharge(
  deps: SubscriptionDeps,
  em: Em,
  opened: OpenCycle,
  now: Date,
): Promise<Charge | null> {
  const { subscription, cycle } = opened;
  if (METHODS[methodOf(subscription, cycle)].decidedBy === 'PAYER') return null;
  return attemptCharge(deps, em, opened, attemptIds(subscription, cycle, 1), now);
}

/**
 * A bank's refusal does not change by itself, so a person is asked. The payer is not at fault, so the attempt is
 * retried until it works.
 */
async function issueAttempt(
  deps: SubscriptionDeps,
  em: Em,
  opened: OpenCycle,
  ids: readonly ChargeId[],
  now: Date,
): Promise<Charge> {
  const { subscription } = opened;
  try {
    const charge = await attemptCharge(deps, em, opened, ids, now);
    if (!charge.devMode && charge.method !== 'FREE') await noteCodeIssued(deps, subscription, now);
    return charge;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return refusedCode(deps, subscription, error, now);
  }
}

async function attemptCharge(
  deps: SubscriptionDeps,
  em: Em,
  { subscription, cycle, payer }: OpenCycle,
  ids: readonly ChargeId[],
  now: Date,
): Promise<Charge> {
  const { storeId, devMode } = subscription;
  const order = {
    storeId,
    devMode,
    amountCents: cycle.amountCents,
    description: null,
    beneficiary: () => beneficiaryOf(em, storeId),
    payer,
    provider: await providerOrRetry(deps, subscription, subscription.method),
    platformFees: deps.platformFee,
    idOf: (_kind: IdKind, dead: ChargeId | null) => idAfter(ids, dead),
    beyondLimits: () => new Error(`${cycle.id} has no boleto`),
    nobodyToPay: () => new Error(`${cycle.id} is not paid by boleto`),
    now,
  };
  const chargeBy = {
    FREE: () => newCharge({ ...order, method: 'FREE', terms: {} }),
    PIX: () => newCharge({ ...order, method: 'PIX', terms: pixTermsOf(subscription) }),
    CARD: async () => {
      const charge = await newCharge({ ...order, method: 'CARD', terms: cardTermsOf(subscription) });
      return { ...charge, ...collectedFromCard(now) };
    },
  };
  const charge = await chargeBy[methodOf(subscription, cycle)]();
  return {
    ...charge,
    ...payerColumns(payer),
    customerId: subscription.customerId,
    customerNamedBy: subscription.customerNamedBy,
    checkoutId: subscription.checkoutId,
    submissionKey: charge.id,
    cycleId: cycle.id,
    discountCents: cycle.discountCents,
    items: await chargedItemsOf(em, subscription, cycle),
    // The activity that begins the attempt also starts its workflow, and is retried until it has. The sweeper need
    // not.
    workflowStartedAt: now,
  };
}

/** What a cycle charges: the plan with its add-ons, or the products whose usage it charges. */
async function chargedItemsOf(em: Em, subscription: Subscription, cycle: Cycle): Promise<CheckoutItem[]> {
  if (!cycle.isUsage) return planItemsOf(subscription, cycle);
  const used = await usageOfCycle(em, { id: subscription.id, number: cycle.number });
  return usageItems(used, cycle.creditCents);
}

/** The plan and its add-ons; one item for what is left to pay if the cycle covers a part of a period, or credit pays some of it. */
function planItemsOf(
  { plan }: Subscription,
  { part, creditCents, amountCents, usageCents }: Cycle,
): CheckoutItem[] {
  if (part === null && creditCents === 0) return itemsOfPlan(plan);
  return [planAsItem(plan, Math.max(0, amountCents - usageCents))];
}

/** The card is charged in full: each cycle is one payment without installments. */
function cardTermsOf({ cardToken, cardBrand, cardLastFour, cardExpiryMonth }: Subscription) {
  return { cardToken, cardBrand, cardLastFour, cardExpiryMonth, installmentsCount: 1 };
}

/** A PIX code can be paid until the next attempt is due (contract section 6). */
function pixTermsOf({ retryEveryDays }: Subscription) {
  return { expiresInSeconds: retryEveryDays * DAY_SECONDS };
}

/**
 * Runs the workflow of a committed charge, unless it has already ended. Its end may be signalled to the
 * subscription before this returns.
 */
export async function startAttempt(
  deps: SubscriptionDeps,
  charge: Charge,
  subscriptionId: SubscriptionId,
  now: Date,
): Promise<CycleCharge> {
  if (charge.status === 'PENDING') await deps.startAttempt(charge, subscriptionId, now);
  return known(charge);
}

function known(charge: Charge): CycleCharge {
  const { id, storeId, devMode, customerId, method, amountCents, status, closesAt } = charge;
  return {
    chargeId: id,
    storeId,
    devMode,
    customerId,
    method,
    amountCents,
    status,
    closesAtMs: closesAt.getTime(),
  };
}
