import type { Logger } from 'pino';
import { noteAttention } from '../database/attention.ts';
import { PayoutEntity } from '../database/entities/payout.ts';
import type { Em } from '../database/orm.ts';
import type { PayoutId } from '../domain/ids.ts';
import { payoutRevivedAmounts, sentMoneyOf } from '../domain/ledger.ts';
import { payoutEventData } from '../events/payout.ts';
import { writeEvent } from '../events/record.ts';
import { noteIfNegative } from '../ledger/negative-balance.ts';
import { writeMovement } from '../ledger/write-movement.ts';
import { payWithdrawal } from '../sub-accounts/withdrawals.ts';
import { lockPayout } from './lock-payout.ts';
import { endEventNameOf, type PayoutStep } from './payout-end.ts';

/**
 * Records, in the caller's transaction, that a provider has sent a payout that had FAILED here: it becomes COMPLETE
 * and is debited again, with an event and a note for a person. The money has left even if the balance does not
 * cover it. A provider's result is final, so this happens to a payout once.
 * @returns whether it was FAILED.
 */
export async function revivePayout(
  em: Em,
  payoutId: PayoutId,
  endToEndIdentifier: string,
  { now, publicUrl, log }: PayoutStep & { readonly log: Logger },
): Promise<boolean> {
  const payout = await lockPayout(em, payoutId);
  if (payout.status !== 'FAILED') return false;
  const change = {
    status: 'COMPLETE',
    endToEndIdentifier,
    failureReason: null,
    completedAt: now,
    revivedAt: now,
    updatedAt: now,
  } as const;
  await em.nativeUpdate(PayoutEntity, { id: payoutId }, change);
  const revived = { ...payout, ...change };
  const data = payoutEventData(revived, { outcome: 'COMPLETE', endToEndIdentifier }, publicUrl);
  await writeEvent(em, { ...payout, customerId: null }, endEventNameOf(revived), payoutId, data, now);
  const { storeId, devMode } = payout;
  const noted = {
    kind: 'PAYOUT_REVIVED',
    subjectId: payoutId,
    storeId,
    devMode,
    since: now,
    now,
  } as const;
  await noteAttention(em, noted, log);
  const amounts = payoutRevivedAmounts(sentMoneyOf(payout));
  const movement = { kind: 'PAYOUT_REVIVED', subjectId: payoutId } as const;
  await payWithdrawal(em, payout, { ...movement, now });
  await writeMovement(em, payout, { ...movement, amounts, createdAt: now });
  await noteIfNegative(em, log, payout, now);
  return true;
}
