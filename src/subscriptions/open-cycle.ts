import { afterCommit } from '../database/after-commit.ts';
import { type Charge, ChargeEntity } from '../database/entities/charge.ts';
import { type Cycle, CycleEntity } from '../database/entities/cycle.ts';
import type { DeliveryToStart } from '../database/entities/delivery.ts';
import { type Invoice, InvoiceEntity } from '../database/entities/invoice.ts';
import { type PlanUpdate, PlanUpdateEntity } from '../database/entities/plan-update.ts';
import type { Subscription } from '../database/entities/subscription.ts';
import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import { usageOfCycle } from '../database/usage-of-cycle.ts';
import type { SubscriptionId } from '../domain/ids.ts';
import type { Payer } from '../domain/payer.ts';
import { isUsageNext } from '../domain/usage-cycle.ts';
import { invoiceOfCycle } from '../invoices/draft-invoice.ts';
import { countCharge } from '../metrics/counters.ts';
import { endSubscription } from './cancel-subscription.ts';
import { debitCharge, debitToBegin, noteBegun } from './debits/debit-to-begin.ts';
import type { SubscriptionDeps } from './effects.ts';
import { foundOf } from './found-for-opening.ts';
import { lockSubscription } from './lock-subscription.ts';
import { openingOf } from './next-opening.ts';
import {
  type CycleToPlan,
  hasNoCharge,
  type OpenCycle,
  type PlannedCycle,
  plannedCycle,
  plannedUsageCycle,
} from './planned-cycle.ts';

/** A cycle with the charge that was inserted with it; null if the cycle was already open, or its charge comes later. */
export interface CycleWithCharge extends OpenCycle {
  readonly charge: Charge | null;
}

/**
 * Opens a cycle in one transaction, unless it is open: the unique number of its row allows one only. Usage that is
 * recorded afterwards counts for the next cycle. A scheduled cancellation ends the subscription instead, in the
 * same transaction: whichever of it, its undoing and the next cycle locks the row first decides.
 * Within a period of the plan, the cycle charges usage only; without any it has no charge.
 * @param firstCharge the charge to insert in the same transaction, or null if a provider must issue it first.
 * @returns null if the subscription is cancelled or paused: nothing is charged.
 */
export async function openCycle(
  deps: SubscriptionDeps,
  em: Em,
  { subscriptionId, number, now }: { subscriptionId: SubscriptionId; number: number; now: Date },
  firstCharge: (tx: Em, opened: OpenCycle) => Promise<Charge | null>,
): Promise<CycleWithCharge | null> {
  let ended: DeliveryToStart[] = [];
  const opened = await em.transactional(async (tx) => {
    const locked = await lockSubscription(tx, subscriptionId);
    if (locked.status !== 'ACTIVE') return null;
    const found = await foundOf(tx, locked, number);
    const isDue = locked.cancelAt !== null && locked.cancelAt <= now;
    if (locked.pausedAt !== null && !isDue) return null;
    const isUsage = isUsageNext(locked, now);
    if (isDue || (locked.cancelAt !== null && !found.isOpen && !isUsage)) {
      ended = await endSubscription(deps, tx, locked, null, now);
      return null;
    }
    if (found.isOpen) {
      const open = await tx.findOneOrFail(CycleEntity, { subscriptionId, number });
      return { subscription: locked, cycle: open, payer: found.payer, charge: null };
    }
    if (isUsage) {
      const planned = plannedUsageCycle(locked, found.usageCents, now);
      return writeOpening(tx, { subscription: locked, ...planned }, found.payer, now, firstCharge);
    }
    const waiting = found.hasWaitingPlan ? await applyWaitingPlan(tx, locked, now) : null;
    const opening = await openingOf(tx, locked, { ...found, number, waiting }, now);
    const debit = await debitToBegin(tx, locked, number);
    if (debit === null) return writeOpening(tx, openingWith(opening, now), found.payer, now, firstCharge);
    const opened = openingWith({ ...opening, debitCents: debit.amountCents }, now);
    await noteBegun(tx, debit, now);
    return writeOpening(tx, opened, found.payer, now, (_, cycle) => debitCharge(deps, tx, cycle, debit, now));
  });
  await Promise.all(ended.map((delivery) => deps.startDelivery(delivery)));
  return opened;
}

/** A cycle of the plan, with the subscription before it opens. */
export function openingWith(
  opening: CycleToPlan,
  now: Date,
): PlannedCycle & { readonly subscription: Subscription } {
  return { subscription: opening.subscription, ...plannedCycle(opening, now) };
}

/**
 * Opens the cycle of a locked subscription in the caller's transaction.
 * @param firstCharge as for {@link openCycle}.
 */
export async function writeOpening(
  tx: Em,
  { subscription, cycle, change }: PlannedCycle & { readonly subscription: Subscription },
  payer: Payer,
  now: Date,
  firstCharge: (tx: Em, opened: OpenCycle) => Promise<Charge | null>,
): Promise<CycleWithCharge> {
  const opened = { subscription: { ...subscription, ...change }, cycle, payer };
  const isFree = hasNoCharge(cycle);
  const charge = isFree ? null : await firstCharge(tx, opened);
  const { subscriptionId: id, number, usageCents } = cycle;
  const used = usageCents === 0 ? [] : await usageOfCycle(tx, { id, number });
  const invoice = isFree ? null : invoiceOfCycle(opened, used, now);
  await WRITE(tx, { ...opened, charge, invoice });
  if (charge !== null) afterCommit(tx, () => countCharge(charge));
  return { ...opened, charge };
}

interface Opening {
  readonly subscription: Subscription;
  readonly cycle: Cycle;
  readonly charge: Charge | null;
  readonly invoice: Invoice | null;
}

/** One statement instead of four. */
const WRITE = statement<Opening>(
  'open a cycle',
  (columns) => `
  with cycle as (
    insert into installments (${columns.of(CycleEntity)})
    values (${columns.values(CycleEntity, 'cycle')})
  ), charge as (
    insert into charges (${columns.of(ChargeEntity)})
    select ${columns.values(ChargeEntity, 'charge')} where :charge.id::text is not null
  ), invoice as (
    insert into invoices (${columns.of(InvoiceEntity)})
    select ${columns.values(InvoiceEntity, 'invoice')} where :invoice.id::text is not null
  )
  update subscriptions set
    plan = :subscription.plan::json, amount_cents = :subscription.amountCents,
    discount = :subscription.discount::json, recurring_discount_cents = :subscription.recurringDiscountCents,
    credit_cents = :subscription.creditCents, cycle = :subscription.cycle,
    anchor_at = :subscription.anchorAt, anchor_number = :subscription.anchorNumber,
    cycle_number = :subscription.cycleNumber,
    cycle_starts_at = :subscription.cycleStartsAt, cycle_ends_at = :subscription.cycleEndsAt,
    usage_starts_at = :subscription.usageStartsAt, usage_ends_at = :subscription.usageEndsAt,
    failed_attempts = :subscription.failedAttempts, last_failure = :subscription.lastFailure,
    attempt_due_at = :subscription.attemptDueAt, extra_attempts = :subscription.extraAttempts,
    updated_at = :subscription.updatedAt
  where id = :subscription.id`,
);

/** The change of plan that waits for the next cycle. From now on it is applied. */
async function applyWaitingPlan(tx: Em, { id }: Subscription, now: Date): Promise<PlanUpdate | null> {
  const waiting = { subscriptionId: id, status: 'PENDING' as const };
  const update = await tx.findOne(PlanUpdateEntity, waiting, { disableIdentityMap: true });
  if (update === null) return null;
  await tx.nativeUpdate(PlanUpdateEntity, { id: update.id }, { status: 'APPLIED', appliedAt: now });
  return update;
}
