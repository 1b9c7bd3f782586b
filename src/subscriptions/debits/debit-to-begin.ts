import { ApplicationFailure } from '@temporalio/common';
import { payerColumns } from '../../database/charge-payer.ts';
import { type Charge, NEW_CHARGE } from '../../database/entities/charge.ts';
import { type Debit, DebitEntity } from '../../database/entities/debit.ts';
import { MandateEntity } from '../../database/entities/mandate.ts';
import type { Subscription } from '../../database/entities/subscription.ts';
import type { Em } from '../../database/orm.ts';
import { debitClosesAt, LIVE_DEBITS, nextOutcomeAt } from '../../domain/debit.ts';
import { platformFeeCentsOf } from '../../domain/platform-fee.ts';
import { planAsItem } from '../../domain/subscribed-plan.ts';
import type { SubscriptionDeps } from '../effects.ts';
import type { OpenCycle } from '../planned-cycle.ts';

/** An order takes seconds, unless its bank is away. */
const ASK_AGAIN_MS = 60_000;

/**
 * The ordered debit that pays a cycle which is about to open; null if there is none.
 * @param locked the row is locked, so no debit is planned or dropped meanwhile.
 * @throws retryable while nobody knows whether the payer's bank debits: another charge of the cycle would collect it twice.
 */
export async function debitToBegin(tx: Em, locked: Subscription, number: number): Promise<Debit | null> {
  const live = { subscriptionId: locked.id, number, status: { $in: [...LIVE_DEBITS] } };
  // A dropped debit resets the row's number, and is looked for all the same while it is cancelled.
  if (locked.mandateId === null && locked.debitNumber === 0) return null;
  const debit = await tx.findOne(DebitEntity, live, { disableIdentityMap: true });
  if (debit === null) return null;
  if (debit.status === 'ORDERED') return debit;
  throw ApplicationFailure.create({
    message: `The debit of cycle ${number} is ${debit.status}`,
    type: 'DEBIT_UNDECIDED',
    nextRetryDelay: ASK_AGAIN_MS,
  });
}

/** The charge of a debit, inserted with its cycle. Its payment carries the reference under which it was ordered. */
export async function debitCharge(
  { platformFee }: Pick<SubscriptionDeps, 'platformFee'>,
  tx: Em,
  { subscription, cycle, payer }: OpenCycle,
  debit: Debit,
  now: Date,
): Promise<Charge> {
  return {
    ...(await unstoredDebitCharge({ platformFee }, tx, debit, now)),
    ...payerColumns(payer),
    customerId: subscription.customerId,
    customerNamedBy: subscription.customerNamedBy,
    checkoutId: subscription.checkoutId,
    cycleId: cycle.id,
    discountCents: cycle.discountCents,
    items: [planAsItem(subscription.plan, cycle.amountCents)],
    workflowStartedAt: now,
  };
}

/** The charge of a debit that belongs to no cycle: its payment goes back. */
export async function unstoredDebitCharge(
  { platformFee }: Pick<SubscriptionDeps, 'platformFee'>,
  em: Em,
  debit: Debit,
  now: Date,
): Promise<Charge> {
  const { provider } = await em.findOneOrFail(
    MandateEntity,
    { id: debit.mandateId },
    { disableIdentityMap: true },
  );
  const closesAt = debitClosesAt(debit.dueDate);
  return {
    ...NEW_CHARGE,
    id: debit.id,
    storeId: debit.storeId,
    devMode: debit.devMode,
    method: 'PIX',
    amountCents: debit.amountCents,
    platformFeeCents: platformFeeCentsOf(platformFee, 'PIX', debit.amountCents, 1),
    provider,
    providerReference: debit.providerReference ?? debit.id,
    mandateId: debit.mandateId,
    submissionKey: debit.id,
    expiresAt: closesAt,
    closesAt,
    createdAt: now,
    updatedAt: now,
  };
}

/** Notes that the cycle of a debit opens. */
export async function noteBegun(tx: Em, { id, dueDate }: Debit, now: Date): Promise<void> {
  const begun = { status: 'BEGUN' as const, nextAt: nextOutcomeAt(dueDate, now) ?? now, updatedAt: now };
  await tx.nativeUpdate(DebitEntity, { id }, begun);
}
