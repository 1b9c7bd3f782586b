import { type CardChange, CardChangeEntity } from '../../database/entities/card-change.ts';
import type { DeliveryToStart } from '../../database/entities/delivery.ts';
import type { Subscription } from '../../database/entities/subscription.ts';
import type { Database, Em } from '../../database/orm.ts';
import type { ChargeId } from '../../domain/ids.ts';
import { withPort } from '../../providers/provider.ts';
import type { Providers } from '../../providers/providers.ts';
import { type CardChangeMoment, endAsUnused, type Unused } from './end-as-unused.ts';
import { replaceCard } from './replace-card.ts';

export interface CardChangeDeps {
  readonly database: Database;
  readonly providers: Providers;
  readonly publicUrl: string;
  /** Starts a delivery after the commit. If this process dies first, the sweeper starts it. */
  readonly startDelivery: (delivery: DeliveryToStart) => void;
  /**
   * Has the subscription's run read its row, because an attempt is due now. If it fails, the auditor resumes the run, whose
   * attempt is overdue in its row.
   */
  readonly attemptNow: (subscription: Subscription) => Promise<void>;
  /** Has the workflow of a debit read its row, which has changed. Never rejects. */
  readonly wakeDebit: (id: ChargeId) => void;
}

/**
 * Asks the provider about a new card, outside of transactions, and takes over the answer: replaces the subscription's card, or
 * leaves it as it is. May be repeated, and at the same time: each change ends once.
 * @param returnUrl where the payer's bank sends the payer back.
 * @throws ProviderError if the provider does not answer; nothing has changed then.
 */
export async function advanceCardChange(
  deps: CardChangeDeps,
  change: CardChange,
  returnUrl: string,
  { realNow, storeNow }: CardChangeMoment,
): Promise<CardChange> {
  const { id, cardToken: token, provider, devMode } = change;
  if (change.status !== 'PENDING' || token === null) return change;
  const em = deps.database.em.fork();
  if (realNow >= change.expiresAt) return endUnused(em, change, { status: 'ABANDONED' }, realNow);
  const { cards } = withPort(await deps.providers.issuerOf({ provider, devMode }), 'cards');
  const answer = await cards.verify({ reference: id, token, returnUrl });
  switch (answer.outcome) {
    case 'VERIFIED': {
      const replaced = await em.transactional((tx) => replaceCard(deps, tx, change, { realNow, storeNow }));
      for (const delivery of replaced.deliveries) deps.startDelivery(delivery);
      if (replaced.isAttemptDue) await deps.attemptNow(replaced.subscription);
      return reread(em, change);
    }
    case 'DECLINED':
      return endUnused(em, change, { status: 'DECLINED', declineReason: answer.reason }, realNow);
    case 'REQUIRES_ACTION':
      await em.nativeUpdate(CardChangeEntity, { id, status: 'PENDING' }, { actionUrl: answer.url });
      return reread(em, change);
    default:
      return change;
  }
}

/** Ends a change whose card is not used, and has that card erased at its provider. */
async function endUnused(em: Em, change: CardChange, end: Unused, now: Date): Promise<CardChange> {
  await em.transactional((tx) => endAsUnused(tx, change, end, now));
  return reread(em, change);
}

function reread(em: Em, { id }: CardChange): Promise<CardChange> {
  return em.findOneOrFail(CardChangeEntity, { id }, { disableIdentityMap: true });
}
