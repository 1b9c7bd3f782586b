import type { DeliveryToStart } from '../database/entities/delivery.ts';
import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { Announced, AnnouncementName } from '../domain/announcement.ts';
import type { StoreId } from '../domain/ids.ts';
import { announceCharges } from './announce-charges.ts';
import { announceExpiringCards } from './announce-expiring-cards.ts';
import type { Announcing, EnvironmentOwner, WrittenAnnouncements } from './announcing.ts';
import type { SubscriptionDeps } from './effects.ts';

/**
 * Subscriptions announced in one transaction. It locks their rows, so a payment or cancellation waits at most this
 * long.
 */
const BATCH = 50;

interface Round {
  readonly now: Date;
  /** Absent: all stores. */
  readonly owner?: EnvironmentOwner;
  /** Called between two batches; throws to stop early. */
  readonly isOver?: () => void;
}

/**
 * Announces each subscription that is charged soon, and each card that expires soon, if someone is listening for the
 * event (decisions 13 and 15). Each announcement is made once even if several processes do so at once: the
 * subscription's row records it in the event's transaction. Dates before `now` are not announced.
 * @returns the number of announcements.
 */
export async function announceDue(
  deps: SubscriptionDeps,
  { now, owner, isOver = () => {} }: Round,
): Promise<Announced> {
  const all = async (name: AnnouncementName) => {
    const { findListening, write } = ANNOUNCEMENTS[name];
    const { storeId, devMode } = owner ?? { storeId: null, devMode: null };
    let total = 0;
    for (const each of await findListening(deps.database, { storeId, devMode })) {
      for (let announced = BATCH; announced === BATCH; total += announced) {
        isOver();
        announced = await announceSome(deps, (em) => write(deps, em, { owner: each, now, limit: BATCH }));
      }
    }
    return total;
  };
  return {
    'subscription.trial_ending': await all('subscription.trial_ending'),
    'subscription.upcoming': await all('subscription.upcoming'),
    'subscription.card_expiring': await all('subscription.card_expiring'),
  };
}

/** If this process dies after the commit, the sweeper starts the deliveries. */
async function announceSome(
  deps: SubscriptionDeps,
  write: (em: Em) => Promise<WrittenAnnouncements>,
): Promise<number> {
  const { announced, deliveries } = await deps.database.em.fork().transactional(write);
  await Promise.all(deliveries.map((delivery: DeliveryToStart) => deps.startDelivery(delivery)));
  return announced;
}

/**
 * Environments with a subscribed endpoint, or whose events are read.
 * @param isSubscribed the predicate of an index of webhooks (migrations 0023 and 0072).
 */
function listeningFor(name: AnnouncementName, isSubscribed: string) {
  return statement<{ storeId: StoreId | null; devMode: boolean | null }, EnvironmentOwner>(
    `find who listens for ${name}`,
    () => `
    select store_id as "storeId", dev_mode as "devMode" from (
      select store_id, dev_mode from webhooks
      where deleted_at is null and disabled_at is null and ${isSubscribed} and '${name}' = any (events)
      union select store_id, dev_mode from event_readers where event_name = '${name}'
    ) listening
    where :storeId::text is null or store_id = :storeId and dev_mode = :devMode::boolean`,
  );
}

const OF_CHARGES = `events && '{subscription.trial_ending,subscription.upcoming}'::text[]`;

const ANNOUNCEMENTS: Readonly<
  Record<
    AnnouncementName,
    {
      readonly findListening: ReturnType<typeof listeningFor>;
      readonly write: (
        deps: SubscriptionDeps,
        em: Em,
        announcing: Announcing,
      ) => Promise<WrittenAnnouncements>;
    }
  >
> = {
  'subscription.trial_ending': {
    findListening: listeningFor('subscription.trial_ending', OF_CHARGES),
    write: (deps, em, announcing) => announceCharges(deps, em, 'subscription.trial_ending', announcing),
  },
  'subscription.upcoming': {
    findListening: listeningFor('subscription.upcoming', OF_CHARGES),
    write: (deps, em, announcing) => announceCharges(deps, em, 'subscription.upcoming', announcing),
  },
  'subscription.card_expiring': {
    findListening: listeningFor('subscription.card_expiring', `'subscription.card_expiring' = any (events)`),
    write: announceExpiringCards,
  },
};
