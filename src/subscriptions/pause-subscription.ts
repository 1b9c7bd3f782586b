import { CycleEntity } from '../database/entities/cycle.ts';
import type { DeliveryToStart } from '../database/entities/delivery.ts';
import { type Subscription, SubscriptionEntity } from '../database/entities/subscription.ts';
import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { SubscriptionId } from '../domain/ids.ts';
import { isPaused, type SubscriptionStatus } from '../domain/subscription.ts';
import { positionOf, type SubscriptionPosition } from '../domain/subscription-position.ts';
import { voidInvoices } from '../invoices/void-invoices.ts';
import { dropDebits } from './debits/drop-debits.ts';
import type { SubscriptionDeps } from './effects.ts';
import { lockSubscription } from './lock-subscription.ts';
import { writeLifecycleEvent } from './write-lifecycle-event.ts';

/** How somebody wants a subscription to be paused. */
export interface PauseTerms {
  readonly subscriptionId: SubscriptionId;
  /** When the pause ends by itself, in milliseconds since 1970; null if somebody ends it. */
  readonly untilMs: number | null;
  /** Whether cycles keep their dates. */
  readonly keepsAnchor: boolean;
}

/** Where the workflow continues after a change of its row. */
export interface MovedSubscription {
  readonly status: SubscriptionStatus;
  /** Null if the subscription has ended, or nothing has changed. */
  readonly position: SubscriptionPosition | null;
}

/**
 * Pauses a subscription at once, or changes the terms of its pause. From the commit on nothing is charged: no cycle
 * opens, and a payment of an open cycle is returned, because the pause gives that cycle up. Its charges are still to
 * be closed. A repeated call changes nothing.
 */
export async function pauseSubscription(
  deps: SubscriptionDeps,
  terms: PauseTerms,
  now: Date,
): Promise<MovedSubscription> {
  const { deliveries, ...moved } = await deps.database.em
    .fork()
    .transactional((tx) => writePause(deps, tx, terms, now));
  await Promise.all(deliveries.map((delivery) => deps.startDelivery(delivery)));
  return moved;
}

async function writePause(
  deps: SubscriptionDeps,
  tx: Em,
  { subscriptionId: id, untilMs, keepsAnchor }: PauseTerms,
  now: Date,
): Promise<MovedSubscription & { deliveries: DeliveryToStart[] }> {
  const locked = await lockSubscription(tx, id);
  if (locked.status !== 'ACTIVE') return { status: locked.status, position: null, deliveries: [] };
  if (isPausedSo(locked, untilMs, keepsAnchor))
    return { status: 'ACTIVE', position: positionOf(locked), deliveries: [] };
  const terms = { resumesAt: untilMs === null ? null : new Date(untilMs), keepsAnchor, pauseCause: null };
  const { paused, deliveries } = await pauseLocked(deps, tx, locked, terms, now);
  return { status: 'ACTIVE', position: positionOf(paused), deliveries };
}

/**
 * Pauses a locked subscription and gives an unpaid cycle up, with the event, in the caller's transaction.
 * @returns the subscription after it, and the deliveries to start after the commit.
 */
export async function pauseLocked(
  deps: SubscriptionDeps,
  tx: Em,
  locked: Subscription,
  terms: Pick<Subscription, 'resumesAt' | 'keepsAnchor' | 'pauseCause'>,
  now: Date,
): Promise<{ readonly paused: Subscription; readonly deliveries: DeliveryToStart[] }> {
  const { id } = locked;
  const change = {
    ...terms,
    pausedAt: isPaused(locked) ? locked.pausedAt : now,
    failedAttempts: 0,
    lastFailure: null,
    extraAttempts: 0,
    attemptDueAt: null,
    updatedAt: now,
  };
  const unpaid = { subscriptionId: id, status: 'PENDING' as const };
  const givenUp = await tx.findOne(CycleEntity, unpaid, { disableIdentityMap: true });
  await tx.nativeUpdate(CycleEntity, unpaid, { status: 'FAILED' });
  await voidInvoices(tx, locked, now);
  await dropDebits(deps, tx, locked, now);
  if (givenUp !== null && givenUp.usageCents > 0) await CARRY_USAGE(tx, { id, number: givenUp.number });
  // The cycle that is charged after the pause is paid from the same credit.
  const credit = { creditCents: locked.creditCents + (givenUp?.creditCents ?? 0) };
  await tx.nativeUpdate(SubscriptionEntity, { id }, { ...change, ...credit });
  const paused = { ...locked, ...change, ...credit };
  return { paused, deliveries: await writeLifecycleEvent(deps, tx, 'subscription.paused', paused, {}, now) };
}

/**
 * A customer still owes the usage of a cycle that is given up, so the next cycle charges it. It keeps what it cost: included
 * units and tiers of the next cycle count without it.
 */
const CARRY_USAGE = statement<{ id: SubscriptionId; number: number }>(
  'carry usage to the next cycle',
  () => `
  insert into usage_totals
    (subscription_id, installment_number, product_id, units, amount_cents, carried_units, carried_cents)
  select subscription_id, installment_number + 1, product_id, units, amount_cents, units, amount_cents from usage_totals
  where subscription_id = :id and installment_number = :number
  on conflict (subscription_id, installment_number, product_id) do update set
    units = usage_totals.units + excluded.units,
    amount_cents = usage_totals.amount_cents + excluded.amount_cents,
    carried_units = usage_totals.carried_units + excluded.carried_units,
    carried_cents = usage_totals.carried_cents + excluded.carried_cents`,
);

function isPausedSo(paused: Subscription, untilMs: number | null, keepsAnchor: boolean): boolean {
  const isSame = (paused.resumesAt?.getTime() ?? null) === untilMs && paused.keepsAnchor === keepsAnchor;
  return isPaused(paused) && isSame;
}
