import { type Debit, DebitEntity } from '../database/entities/debit.ts';
import { type Mandate, MandateEntity } from '../database/entities/mandate.ts';
import { type PlanUpdate, PlanUpdateEntity } from '../database/entities/plan-update.ts';
import { type Subscription, SubscriptionEntity } from '../database/entities/subscription.ts';
import { insertNew } from '../database/insert-new.ts';
import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import { canStillBeOrdered, debitDaysOf, SQL_DEBIT_DAYS_AHEAD } from '../domain/debit.ts';
import type { ChargeId, StoreId } from '../domain/ids.ts';
import { derivedId } from '../ids.ts';
import { foundOf } from '../subscriptions/found-for-opening.ts';
import { openingOf } from '../subscriptions/next-opening.ts';
import { plannedCycle } from '../subscriptions/planned-cycle.ts';
import type { DebitDeps } from './advance-debit.ts';
import { startDebits } from './start-debits.ts';

/** Planned in one transaction, which locks the rows of the subscriptions. */
const BATCH = 50;

interface Round {
  readonly now: Date;
  /** Absent: all stores. */
  readonly owner?: { readonly storeId: StoreId; readonly devMode: boolean };
  /** Called between two batches; throws to stop early. */
  readonly isOver?: () => void;
}

/**
 * Plans the debit of each cycle that opens in some days, under a mandate, and orders it. Its amount is what the cycle
 * costs now: what changes until the cycle opens is carried to the next one. Each is planned once, however many processes do so at once.
 * A cycle without a debit is paid by a code when it opens.
 * @returns the number of planned debits.
 */
export async function planDebits(deps: DebitDeps, { now, owner, isOver = () => {} }: Round): Promise<number> {
  const { storeId, devMode } = owner ?? { storeId: null, devMode: null };
  let planned = 0;
  let areBanksFast = true;
  for (let noted = BATCH; noted === BATCH; ) {
    isOver();
    const batch = await deps.database.em
      .fork()
      .transactional((tx) => planSome(tx, { storeId, devMode, now, limit: BATCH }));
    areBanksFast = await startDebits(deps, batch.debits, now, areBanksFast);
    noted = batch.noted;
    planned += batch.debits.length;
  }
  return planned;
}

interface Sought {
  readonly storeId: StoreId | null;
  readonly devMode: boolean | null;
  readonly now: Date;
  readonly limit: number;
}

/** The first instant of the day on which the debit of the next cycle is ordered. @see debitDaysOf */
export const SQL_DEBIT_ORDERED_AT = `(((cycle_ends_at at time zone 'America/Sao_Paulo')::date - ${SQL_DEBIT_DAYS_AHEAD})::timestamp at time zone 'America/Sao_Paulo')`;

/** Subscriptions whose next cycle may be debited and has no debit, not even one that is being cancelled. */
export const SQL_IS_DEBITED_NEXT = `subscription.mandate_id is not null and subscription.status = 'ACTIVE'
  and subscription.attempt_due_at is null and subscription.cancel_at is null and subscription.paused_at is null and subscription.usage_ends_at is null
  and subscription.debit_number <= subscription.cycle_number and not exists (
    select from debits dropped where dropped.subscription_id = subscription.id
      and dropped.number = subscription.cycle_number + 1 and dropped.status = 'DROPPING')`;

const FIND = statement<Sought, Subscription>(
  'find cycles whose debit is to be ordered',
  (columns) => `
  select ${columns.read(SubscriptionEntity, 'subscription')} from subscriptions subscription
  where ${SQL_IS_DEBITED_NEXT} and (:storeId::text is null or store_id = :storeId and dev_mode = :devMode::boolean)
    and cycle_ends_at > :now and cycle_ends_at <= :now + interval '8 days' and ${SQL_DEBIT_ORDERED_AT} <= :now
  order by cycle_ends_at, id limit :limit
  for no key update of subscription skip locked`,
);

const NOTE = statement<{ ids: readonly string[] }>(
  'note that debits were planned',
  () => 'update subscriptions set debit_number = cycle_number + 1 where id = any (:ids::text[])',
);

async function planSome(tx: Em, sought: Sought): Promise<{ noted: number; debits: Debit[] }> {
  const subscriptions = await FIND(tx, sought);
  if (subscriptions.length === 0) return { noted: 0, debits: [] };
  const ids = subscriptions.flatMap(({ mandateId }) => mandateId ?? []);
  const mandates = await tx.find(MandateEntity, { id: { $in: ids } }, { disableIdentityMap: true });
  const mandateOf = new Map(mandates.map((mandate) => [mandate.id, mandate]));
  const debits: Debit[] = [];
  const noted: string[] = [];
  for (const subscription of subscriptions) {
    const mandate = subscription.mandateId && mandateOf.get(subscription.mandateId);
    const debit = mandate ? await debitOf(tx, subscription, mandate, sought.now) : null;
    // Another process has planned one meanwhile.
    if (debit !== null && !(await insertNew(tx, DebitEntity, debit))) continue;
    if (debit !== null) debits.push(debit);
    noted.push(subscription.id);
  }
  await NOTE(tx, { ids: noted });
  return { noted: noted.length, debits };
}

/** @returns null if the mandate does not cover the next cycle, or there is nothing to debit, or no time to do so. */
async function debitOf(
  tx: Em,
  subscription: Subscription,
  mandate: Mandate,
  now: Date,
): Promise<Debit | null> {
  const { id, storeId, devMode, cycleEndsAt } = subscription;
  const number = subscription.cycleNumber + 1;
  const found = await foundOf(tx, subscription, number);
  const waiting = found.hasWaitingPlan ? await waitingPlanOf(tx, subscription) : null;
  const opening = await openingOf(tx, subscription, { ...found, number, waiting }, cycleEndsAt);
  const { cycle } = plannedCycle(opening, cycleEndsAt);
  const { dueDate } = debitDaysOf(opening.subscription.cycle, cycleEndsAt);
  const isCovered =
    mandate.periodicity === opening.subscription.cycle &&
    (mandate.amountCents === null || mandate.amountCents === cycle.amountCents);
  if (!isCovered || cycle.amountCents === 0 || !canStillBeOrdered(dueDate, now)) return null;
  const generation = await tx.count(DebitEntity, { subscriptionId: id, number });
  return {
    id: derivedId<ChargeId>('pixCharge', cycleEndsAt, `${id}/${number}/debit/${generation}`),
    storeId,
    devMode,
    subscriptionId: id,
    mandateId: mandate.id,
    number,
    status: 'PLANNED',
    amountCents: cycle.amountCents,
    dueDate,
    providerReference: null,
    failureCode: null,
    nextAt: now,
    createdAt: now,
    updatedAt: now,
    workflowStartedAt: null,
  };
}

function waitingPlanOf(em: Em, { id }: Subscription): Promise<PlanUpdate | null> {
  const waiting = { subscriptionId: id, status: 'PENDING' as const };
  return em.findOne(PlanUpdateEntity, waiting, { disableIdentityMap: true });
}
