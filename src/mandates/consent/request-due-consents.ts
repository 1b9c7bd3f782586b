import { type Subscription, SubscriptionEntity } from '../../database/entities/subscription.ts';
import { statement } from '../../database/statement.ts';
import type { StoreId, SubscriptionId } from '../../domain/ids.ts';
import { providerOrRetry } from '../../providers/serving-provider.ts';
import type { MandateDeps } from '../effects.ts';
import { requestConsent } from './request-consent.ts';

/** More wait for the next round. A bank that hangs must not fill it. */
const MOST = 100;

const DUE = statement<
  { now: Date; most: number; storeId: StoreId | null; only: SubscriptionId | null },
  Subscription
>(
  'find payers to ask for an authorization',
  (columns) => `
  select ${columns.read(SubscriptionEntity, 'subscription')} from subscriptions subscription
  where consent_due_at <= :now and status = 'ACTIVE'
    and (:storeId::text is null or store_id = :storeId and dev_mode)
    and (:only::text is null or id = :only)
  order by consent_due_at, id limit :most`,
);

const POSTPONE = statement<{ id: SubscriptionId; dueAt: Date; now: Date }>(
  'postpone asking a payer for an authorization',
  () => `update subscriptions set consent_due_at = cast(:now as timestamptz) + interval '1 hour'
    where id = :id and consent_due_at = :dueAt`,
);

const GIVE_UP = statement<{ id: SubscriptionId; dueAt: Date }>(
  'ask no payer for an authorization',
  () => 'update subscriptions set consent_due_at = null where id = :id and consent_due_at = :dueAt',
);

interface Round {
  readonly now: Date;
  /** Absent: all stores. */
  readonly owner?: { readonly storeId: StoreId };
  /** Absent: all that are due. */
  readonly only?: SubscriptionId;
  /** Called between two subscriptions; throws to stop early. */
  readonly isOver?: () => void;
}

/**
 * Asks the payers of subscriptions for the authorization that was noted: in a trial, if the first payment could not ask, and after a
 * change of plan that the authorization does not cover. What fails now is repeated after an hour; what the bank refuses is not.
 * @returns the number of payers that were asked.
 */
export async function requestDueConsents(
  deps: MandateDeps,
  { now, owner, only, isOver = () => {} }: Round,
): Promise<number> {
  let asked = 0;
  const sought = { now, most: MOST, storeId: owner?.storeId ?? null, only: only ?? null };
  for (const subscription of await DUE(deps.database, sought)) {
    isOver();
    const { id, consentDueAt: dueAt } = subscription;
    if (dueAt === null) continue;
    try {
      const provider = await providerOrRetry(deps, subscription, 'PIX');
      const answer = await requestConsent(deps, provider, subscription, null, now);
      if (answer.outcome === 'ASKED') asked += 1;
      const isLater =
        answer.outcome === 'PENDING' || (answer.outcome === 'REFUSED' && answer.refusal === 'TOO_MANY');
      if (isLater) await POSTPONE(deps.database, { id, dueAt, now });
      else if (answer.outcome === 'REFUSED') {
        deps.log.warn(
          { subscriptionId: id, refusal: answer.refusal },
          'a payer cannot be asked to authorize debits',
        );
        await GIVE_UP(deps.database, { id, dueAt });
      }
    } catch (error) {
      deps.log.warn({ subscriptionId: id, err: error }, 'a payer could not be asked to authorize debits yet');
      await POSTPONE(deps.database, { id, dueAt, now });
    }
  }
  return asked;
}
