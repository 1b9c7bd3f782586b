import { CheckoutEntity } from '../../../src/database/entities/checkout.ts';
import { type Debit, DebitEntity } from '../../../src/database/entities/debit.ts';
import { type Mandate, MandateEntity } from '../../../src/database/entities/mandate.ts';
import { type Subscription, SubscriptionEntity } from '../../../src/database/entities/subscription.ts';
import type { Database } from '../../../src/database/orm.ts';
import { debitDaysOf } from '../../../src/domain/debit.ts';
import type { ChargeId, MandateId } from '../../../src/domain/ids.ts';
import { mintId } from '../../../src/ids.ts';

/** An active mandate of a subscription, which the sandbox does not know. */
export async function insertMandate(
  database: Database,
  subscription: Subscription,
  other: Partial<Mandate> = {},
): Promise<Mandate> {
  const { id, storeId, devMode, checkoutId, createdAt, cycle } = subscription;
  const mandate: Mandate = {
    id: mintId<MandateId>('mandate', createdAt),
    storeId,
    devMode,
    checkoutId,
    consentCode: null,
    endRequestedAt: null,
    provider: 'sandbox',
    providerMandateId: `RR${mintId<MandateId>('mandate', createdAt).slice(-26)}`,
    status: 'ACTIVE',
    amountCents: null,
    periodicity: cycle,
    firstDate: debitDaysOf(cycle, subscription.cycleEndsAt).dueDate,
    endedBy: null,
    endCode: null,
    askedAt: createdAt,
    activatedAt: createdAt,
    endedAt: null,
    createdAt,
    updatedAt: createdAt,
    ...other,
  };
  const em = database.em.fork();
  await em.insert(MandateEntity, mandate);
  await em.nativeUpdate(SubscriptionEntity, { id }, { mandateId: mandate.id });
  await em.nativeUpdate(CheckoutEntity, { id: checkoutId }, { subscriptionId: id });
  return mandate;
}

/** A debit of the next cycle that is being ordered. */
export async function insertDebit(
  database: Database,
  subscription: Subscription,
  mandate: Mandate,
  other: Partial<Debit> = {},
): Promise<Debit> {
  const { id, storeId, devMode, createdAt, cycle, cycleNumber, cycleEndsAt, amountCents } = subscription;
  const debit: Debit = {
    id: mintId<ChargeId>('pixCharge', createdAt),
    storeId,
    devMode,
    subscriptionId: id,
    mandateId: mandate.id,
    number: cycleNumber + 1,
    status: 'PLANNED',
    amountCents,
    dueDate: debitDaysOf(cycle, cycleEndsAt).dueDate,
    providerReference: null,
    failureCode: null,
    nextAt: createdAt,
    createdAt,
    updatedAt: createdAt,
    workflowStartedAt: null,
    ...other,
  };
  const em = database.em.fork();
  await em.insert(DebitEntity, debit);
  await em.nativeUpdate(SubscriptionEntity, { id }, { debitNumber: debit.number });
  return debit;
}
