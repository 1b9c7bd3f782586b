import { eraseReplacedCard } from '../../cards/card-erasures.ts';
import { type CardChange, CardChangeEntity } from '../../database/entities/card-change.ts';
import type { Em } from '../../database/orm.ts';
import type { DeclineReason } from '../../domain/card.ts';

/** Two clocks: the provider's and the payer's, and the store's, which may be moved in dev mode. */
export interface CardChangeMoment {
  readonly realNow: Date;
  readonly storeNow: Date;
}

export interface Unused {
  readonly status: 'DECLINED' | 'ABANDONED';
  readonly declineReason?: DeclineReason;
}

/**
 * Ends a change whose card is not used, in the caller's transaction, and has that card erased at its provider. Does nothing
 * if the change has ended.
 */
export async function endAsUnused(
  tx: Em,
  { id, storeId, devMode, provider, cardToken }: CardChange,
  end: Unused,
  now: Date,
): Promise<void> {
  const ended = { ...end, cardToken: null, actionUrl: null, endedAt: now };
  const count = await tx.nativeUpdate(CardChangeEntity, { id, status: 'PENDING' }, ended);
  if (count === 0 || cardToken === null) return;
  await eraseReplacedCard(tx, { storeId, devMode, token: cardToken, provider }, now);
}
