import { type Subscription, SubscriptionEntity } from '../../database/entities/subscription.ts';
import { statement } from '../../database/statement.ts';
import type { StoreId, SubscriptionId } from '../../domain/ids.ts';
import { providerOrRetry } from '../../providers/serving-provider.ts';
import type { MandateDeps } from '../effects.ts';
import { requestConsent } from './request-consent.ts';

/** More wait for the next round. A bank that hangs must not fill it. */
const MOST = 100;
const ASK_AGAIN_MS = 60 * 60_000;

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
  const later = new Date(now.getTime() + ASK_AGAIN_MS);
  const sought = { now, most: MOST, storeId: owner?.storeId ?? null, only: only ?? null };
  for (const subscription of await DUE(deps.database, sought)) {
    isOver();
    const { id } = subscription;
    try {
      const provider = await providerOrRetry(deps, subscription, 'PIX');
      const answer = await requestConsent(deps, provider, subscription, {
        kind: null,
        now,
        isMailed: true,
      });
      if (answer.outcome === 'ASKED') asked += 1;
      if (answer.outcome === 'PENDING') await noteNext(deps, subscription, later);
      if (answer.outcome === 'REFUSED') {
        const { refusal } = answer;
        deps.log.warn({ subscriptionId: id, refusal }, 'a payer cannot be asked to authorize debits');
        await noteNext(deps, subscription, refusal === 'TOO_MANY' ? later : null);
      }
    } catch (error) {
      deps.log.warn({ subscriptionId: id, err: error }, 'a payer could not be asked to authorize debits yet');
      await noteNext(deps, subscription, later);
    }
  }
  return asked;
}

/** Notes when the payer is to be asked next; null if never. A plan that has changed meanwhile has noted it again. */
async function noteNext(
  { database }: MandateDeps,
  { id, consentDueAt }: Subscription,
  next: Date | null,
): Promise<void> {
  await database.em.fork().nativeUpdate(SubscriptionEntity, { id, consentDueAt }, { consentDueAt: next });
}
