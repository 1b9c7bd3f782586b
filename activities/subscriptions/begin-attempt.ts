import { payerColumns } from '../../src/database/charge-payer.ts';
import { type Charge, ChargeEntity, NEW_CHARGE } from '../../src/database/entities/charge.ts';
import { type Cycle, CycleEntity } from '../../src/database/entities/cycle.ts';
import { StoreEntity } from '../../src/database/entities/store.ts';
import type { Subscription } from '../../src/database/entities/subscription.ts';
import type { Em } from '../../src/database/orm.ts';
import type { ChargeStatus } from '../../src/domain/charge.ts';
import { DECISION_WINDOW_MS } from '../../src/domain/charge-deadlines.ts';
import type { ChargeId, CustomerId, StoreId, SubscriptionId } from '../../src/domain/ids.ts';
import { platformFeeCentsOf } from '../../src/domain/platform-fee.ts';
import { derivedId } from '../../src/ids.ts';
import type { PaymentProvider } from '../../src/providers/provider.ts';
import type { ActivityDeps } from '../deps.ts';
import { requireProvider } from '../require-provider.ts';
import { lockSubscription } from './lock-subscription.ts';
import type { OpenCycle } from './open-cycle.ts';

/** Which try at which cycle; both count from 1. */
export interface Attempt {
  readonly number: number;
  readonly attempt: number;
}

/** What a subscription's run knows of a charge. */
export interface CycleCharge {
  readonly chargeId: ChargeId;
  readonly storeId: StoreId;
  readonly devMode: boolean;
  readonly customerId: CustomerId | null;
  readonly method: 'PIX' | 'CARD';
  readonly amountCents: number;
  /** As it was when the attempt began, or was begun again. */
  readonly status: ChargeStatus;
  readonly closesAtMs: number;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/**
 * Inserts the charge of one attempt and starts its workflow. Its id follows from subscription, cycle and attempt, so that a
 * repeated step makes no second one, and the provider is asked for the same payment.
 * @returns the charge that has paid the cycle, where one has meanwhile; null where the subscription was cancelled: its
 *   cancellation closes every charge that it finds, so none may appear after it.
 */
export async function beginAttempt(
  deps: ActivityDeps,
  em: Em,
  { subscription, cycle, payer, attempt, now }: OpenCycle & { readonly attempt: number; readonly now: Date },
): Promise<CycleCharge | null> {
  if (cycle.paidByChargeId !== null) return paidAttempt(em, cycle.paidByChargeId);
  const id = chargeIdOf(subscription, cycle, attempt);
  const begun = await em.findOne(ChargeEntity, { id }, { disableIdentityMap: true });
  if (begun !== null) return startAttempt(deps, begun, subscription.id, now);
  const provider = requireProvider(deps, subscription.devMode);
  const rail =
    subscription.method === 'CARD'
      ? cardOf(id, now)
      : await pixOf(em, subscription, cycle, id, provider, now);
  const charge = newCharge(deps, { subscription, cycle, payer }, id, provider, rail, now);
  const inserted = await em.transactional(async (tx) => {
    const { status } = await lockSubscription(tx, subscription.id);
    if (status !== 'ACTIVE') return null;
    // A payment that had been made in time may have been heard of meanwhile; it takes the same lock.
    const { paidByChargeId } = await tx.findOneOrFail(
      CycleEntity,
      { id: cycle.id },
      { disableIdentityMap: true },
    );
    if (paidByChargeId !== null) return paidByChargeId;
    await tx.qb(ChargeEntity).insert(charge).onConflict().ignore().execute('run');
    return charge.id;
  });
  if (inserted === null) return null;
  return inserted === charge.id
    ? startAttempt(deps, charge, subscription.id, now)
    : paidAttempt(em, inserted);
}

/** An earlier attempt that has paid the cycle after all: nothing is left to be started. */
async function paidAttempt(em: Em, id: ChargeId): Promise<CycleCharge> {
  return known(await em.findOneOrFail(ChargeEntity, { id }, { disableIdentityMap: true }));
}

/**
 * The charge of a cycle's first attempt, to be inserted with the cycle.
 * @returns null where the provider has to be asked for a code first: no call is made while the subscription is held.
 */
export function firstCardCharge(deps: ActivityDeps, opened: OpenCycle, now: Date): Charge | null {
  const { subscription, cycle } = opened;
  if (subscription.method !== 'CARD') return null;
  const id = chargeIdOf(subscription, cycle, 1);
  const provider = requireProvider(deps, subscription.devMode);
  return newCharge(deps, opened, id, provider, cardOf(id, now), now);
}

function chargeIdOf({ id, method }: Subscription, { startsAt, number }: Cycle, attempt: number) {
  const kind = method === 'CARD' ? 'cardCharge' : 'pixCharge';
  return derivedId<ChargeId>(kind, startsAt, `${id}/${number}/${attempt}`);
}

function cardOf(chargeId: ChargeId, now: Date) {
  return { providerReference: chargeId, ...windowOf(now, DECISION_WINDOW_MS) };
}

/** A PIX code that can be paid until the next attempt is due (contract section 6). */
async function pixOf(
  em: Em,
  { storeId, retryEveryDays }: Subscription,
  { amountCents }: Cycle,
  chargeId: ChargeId,
  provider: PaymentProvider,
  now: Date,
) {
  const { name, city } = await em.findOneOrFail(StoreEntity, { id: storeId });
  const issue = { chargeId, amountCents, description: null, beneficiary: { name, city } };
  const { reference, brCode } = await provider.issuePix(issue);
  return { providerReference: reference, brCode, ...windowOf(now, retryEveryDays * DAY_MS) };
}

function windowOf(now: Date, windowMs: number) {
  const endsAt = new Date(now.getTime() + windowMs);
  return { expiresAt: endsAt, closesAt: endsAt };
}

function newCharge(
  deps: ActivityDeps,
  { subscription, cycle, payer }: OpenCycle,
  id: ChargeId,
  provider: PaymentProvider,
  rail: Pick<Charge, 'providerReference' | 'expiresAt' | 'closesAt'> & Partial<Pick<Charge, 'brCode'>>,
  now: Date,
): Charge {
  return {
    ...NEW_CHARGE,
    ...payerColumns(payer),
    ...rail,
    id,
    storeId: subscription.storeId,
    devMode: subscription.devMode,
    method: subscription.method,
    amountCents: cycle.amountCents,
    platformFeeCents: platformFeeCentsOf(deps.platformFee, subscription.method, cycle.amountCents),
    customerId: subscription.customerId,
    provider: provider.name,
    createdAt: now,
    updatedAt: now,
    checkoutId: subscription.checkoutId,
    attemptKey: id,
    cycleId: cycle.id,
    items: [subscription.plan],
    installmentsCount: subscription.method === 'CARD' ? 1 : null,
    cardToken: subscription.cardToken,
    cardBrand: subscription.cardBrand,
    cardLastFour: subscription.cardLastFour,
    // The activity that begins the attempt starts it, and is repeated until it has; the sweeper need not.
    workflowStartedAt: now,
  };
}

/**
 * Has the workflow of a charge run that has been committed, unless it has ended already. Its end is told to the subscription,
 * maybe before this returns.
 */
export async function startAttempt(
  deps: ActivityDeps,
  charge: Charge,
  subscriptionId: SubscriptionId,
  now: Date,
): Promise<CycleCharge> {
  if (charge.status === 'PENDING') await deps.startCharge(charge, subscriptionId, now);
  return known(charge);
}

function known(charge: Charge): CycleCharge {
  const { id, storeId, devMode, customerId, method, amountCents, status, closesAt } = charge;
  return {
    chargeId: id,
    storeId,
    devMode,
    customerId,
    method: method === 'CARD' ? 'CARD' : 'PIX',
    amountCents,
    status,
    closesAtMs: closesAt.getTime(),
  };
}
