import { type Debit, DebitEntity } from '../database/entities/debit.ts';
import type { DeliveryToStart } from '../database/entities/delivery.ts';
import { type Subscription, SubscriptionEntity } from '../database/entities/subscription.ts';
import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import { ANNOUNCED_AHEAD_MS, type ChargeAnnouncementName } from '../domain/announcement.ts';
import { cyclePriceOf } from '../domain/cycle-price.ts';
import { lessCreditCents } from '../domain/proration.ts';
import { writeEvent } from '../events/record.ts';
import { trialEndingEventData, upcomingEventData } from '../events/subscription/announcements.ts';
import {
  type Announcing,
  customersOf,
  type EnvironmentOwner,
  type WrittenAnnouncements,
} from './announcing.ts';
import type { SubscriptionDeps } from './effects.ts';

/**
 * Announces some charges that are due soon, in the caller's transaction. The subscription's row records the
 * announcement.
 */
export async function announceCharges(
  { publicUrl }: Pick<SubscriptionDeps, 'publicUrl'>,
  em: Em,
  name: ChargeAnnouncementName,
  { owner, now, limit }: Announcing,
): Promise<WrittenAnnouncements> {
  const { find, mark, dataOf } = ANNOUNCEMENTS[name];
  const until = new Date(now.getTime() + ANNOUNCED_AHEAD_MS[name]);
  const due = await find(em, { ...owner, now, until, limit });
  if (due.length === 0) return { announced: 0, deliveries: [] };
  const customers = await customersOf(em, due);
  const debits = await nextDebitsOf(em, due);
  const deliveries: DeliveryToStart[] = [];
  for (const subscription of due) {
    const customer = customers.get(subscription.customerId) ?? null;
    const price = cyclePriceOf({ ...subscription, number: subscription.cycleNumber + 1 });
    const amountCents = lessCreditCents(price.amountCents, subscription.creditCents);
    const data = dataOf(subscription, amountCents, customer, publicUrl, debits.get(subscription.id) ?? null);
    // The end of a trial may move after it was announced.
    const key = `${subscription.id}/${data.nextCycle.number}/${subscription.cycleEndsAt.getTime()}`;
    deliveries.push(...(await writeEvent(em, subscription, name, key, data, now)));
  }
  await mark(em, { ids: due.map(({ id }) => id) });
  return { announced: due.length, deliveries };
}

/** The ordered debits of their next cycles. */
async function nextDebitsOf(em: Em, due: readonly Subscription[]): Promise<ReadonlyMap<string, Debit>> {
  const debited = due.filter(({ debitNumber, cycleNumber }) => debitNumber > cycleNumber);
  if (debited.length === 0) return new Map();
  const ids = debited.map(({ id }) => id);
  const live = { subscriptionId: { $in: ids }, status: { $in: ['PLANNED' as const, 'ORDERED' as const] } };
  const found = await em.find(DebitEntity, live, { disableIdentityMap: true });
  return new Map(found.map((debit) => [debit.subscriptionId, debit]));
}

/** With the plan and the usage of its next cycle. */
type DueSubscription = Subscription & { readonly planCents: number; readonly usageCents: number };

/** @param isOpen selects the subscriptions without an announcement; the predicate of an index (migration 0038). */
function findDue(name: ChargeAnnouncementName, isOpen: string) {
  return statement<EnvironmentOwner & { now: Date; until: Date; limit: number }, DueSubscription>(
    `find what ${name} announces`,
    (columns) => `
    select ${columns.read(SubscriptionEntity, 'subscription')},
      coalesce(waiting.amount_cents, subscription.amount_cents) as "planCents",
      usage_cents(subscription.id, subscription.cycle_number + 1) as "usageCents"
    from subscriptions subscription
      left join plan_updates waiting on waiting.subscription_id = subscription.id and waiting.status = 'PENDING'
    where subscription.store_id = :storeId and subscription.dev_mode = :devMode
      and subscription.status = 'ACTIVE' and attempt_due_at is null and cancel_at is null and paused_at is null and usage_ends_at is null
      and ${isOpen}
      and cycle_ends_at > :now and cycle_ends_at <= :until
    order by cycle_ends_at, subscription.id limit :limit
    for no key update of subscription skip locked`,
  );
}

const ANNOUNCEMENTS = {
  'subscription.trial_ending': {
    find: findDue('subscription.trial_ending', 'cycle_number = 0 and not trial_end_announced'),
    mark: statement<{ ids: readonly string[] }>(
      'note that the end of trials was announced',
      () => 'update subscriptions set trial_end_announced = true where id = any (:ids::text[])',
    ),
    dataOf: trialEndingEventData,
  },
  'subscription.upcoming': {
    find: findDue('subscription.upcoming', 'announced_number <= cycle_number'),
    mark: statement<{ ids: readonly string[] }>(
      'note that charges were announced',
      () => 'update subscriptions set announced_number = cycle_number + 1 where id = any (:ids::text[])',
    ),
    dataOf: upcomingEventData,
  },
} as const;
