import { CustomerEntity } from '../database/entities/customer.ts';
import type { DeliveryToStart } from '../database/entities/delivery.ts';
import { type Subscription, SubscriptionEntity } from '../database/entities/subscription.ts';
import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import { ANNOUNCED_AHEAD_MS, type Announced, type AnnouncementName } from '../domain/announcement.ts';
import type { StoreId } from '../domain/ids.ts';
import { MAX_AMOUNT_CENTS } from '../domain/money.ts';
import { writeEvent } from '../events/record.ts';
import { trialEndingEventData, upcomingEventData } from '../events/subscription/announcements.ts';
import type { SubscriptionDeps } from './effects.ts';

/**
 * Subscriptions announced in one transaction. It locks their rows, so a payment or cancellation waits at most this
 * long.
 */
const BATCH = 50;

/** One environment of one store. */
interface Owner {
  readonly storeId: StoreId;
  readonly devMode: boolean;
}

interface Announcing {
  readonly now: Date;
  /** Absent: all stores. */
  readonly owner?: Owner;
  /** Called between two batches; throws to stop early. */
  readonly isOver?: () => void;
}

/**
 * Announces each subscription that is charged soon, if someone is listening for the event (decisions 13 and 15).
 * Each charge is announced once even if several processes do so at once: the subscription's row records the
 * announcement in the event's transaction. Dates before `now` are not announced.
 * @returns the number of announcements.
 */
export async function announceDue(
  deps: SubscriptionDeps,
  { now, owner, isOver = () => {} }: Announcing,
): Promise<Announced> {
  const all = async (name: AnnouncementName) => {
    const { storeId, devMode } = owner ?? { storeId: null, devMode: null };
    const listening = await FIND_LISTENING(deps.database, { name, storeId, devMode });
    let total = 0;
    for (const each of listening) {
      for (let told = BATCH; told === BATCH; total += told) {
        isOver();
        told = await announceSome(deps, name, each, now);
      }
    }
    return total;
  };
  return {
    'subscription.trial_ending': await all('subscription.trial_ending'),
    'subscription.upcoming': await all('subscription.upcoming'),
  };
}

/** If this process dies after the commit, the sweeper starts the deliveries. */
async function announceSome(
  deps: SubscriptionDeps,
  name: AnnouncementName,
  owner: Owner,
  now: Date,
): Promise<number> {
  const { announced, deliveries } = await deps.database.em
    .fork()
    .transactional((em) => writeSome(em, name, owner, now));
  await Promise.all(deliveries.map((delivery) => deps.startDelivery(delivery)));
  return announced;
}

async function writeSome(em: Em, name: AnnouncementName, owner: Owner, now: Date) {
  const { find, mark, dataOf } = ANNOUNCEMENTS[name];
  const until = new Date(now.getTime() + ANNOUNCED_AHEAD_MS[name]);
  const due = await find(em, { ...owner, now, until, limit: BATCH });
  if (due.length === 0) return { announced: 0, deliveries: [] };
  const customerIds = due.map(({ customerId }) => customerId).filter((id) => id !== null);
  const customers = await em.find(CustomerEntity, { id: { $in: customerIds } });
  const deliveries: DeliveryToStart[] = [];
  for (const subscription of due) {
    const customer = customers.find(({ id }) => id === subscription.customerId) ?? null;
    const data = dataOf(subscription, subscription.nextAmountCents, customer);
    const key = `${subscription.id}/${data.nextCycle.number}`;
    deliveries.push(...(await writeEvent(em, subscription, name, key, data, now)));
  }
  await mark(em, { ids: due.map(({ id }) => id) });
  return { announced: due.length, deliveries };
}

type DueSubscription = Subscription & { readonly nextAmountCents: number };

/** @param isOpen selects the subscriptions without an announcement; the predicate of an index (migration 0023). */
function findDue(name: AnnouncementName, isOpen: string) {
  return statement<Owner & { now: Date; until: Date; limit: number }, DueSubscription>(
    `find what ${name} announces`,
    (columns) => `
    select ${columns.read(SubscriptionEntity, 'subscription')},
      least(coalesce(waiting.amount_cents, subscription.amount_cents)
        + usage_cents(subscription.id, subscription.cycle_number + 1), ${MAX_AMOUNT_CENTS}) as "nextAmountCents"
    from subscriptions subscription
      left join plan_updates waiting on waiting.subscription_id = subscription.id and waiting.status = 'PENDING'
    where subscription.store_id = :storeId and subscription.dev_mode = :devMode
      and subscription.status = 'ACTIVE' and attempt_due_at is null and ${isOpen}
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

/** Environments with a subscribed endpoint (by the index `webhooks_of_announcements`), or whose events are read. */
const FIND_LISTENING = statement<
  { name: AnnouncementName; storeId: StoreId | null; devMode: boolean | null },
  Owner
>(
  'find who listens for announcements',
  () => `
  select store_id as "storeId", dev_mode as "devMode" from (
    select store_id, dev_mode from webhooks
    where deleted_at is null and disabled_at is null
      and events && '{subscription.trial_ending,subscription.upcoming}'::text[] and :name::text = any (events)
    union select store_id, dev_mode from event_readers where event_name = :name
  ) listening
  where :storeId::text is null or store_id = :storeId and dev_mode = :devMode::boolean`,
);
