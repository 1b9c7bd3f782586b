import { ChargeEntity } from '../../src/database/entities/charge.ts';
import type { Em } from '../../src/database/orm.ts';
import type { ChargeStatus } from '../../src/domain/charge.ts';
import type { ChargeId } from '../../src/domain/ids.ts';
import type { ActivityDeps } from '../deps.ts';

/**
 * Money that is the store's again by a refused refund or a won dispute, and is still pending, has the settlement of its day
 * look once more: it may have passed the charge over between the time that this activity was given and its commit.
 * @returns the charge's status.
 */
export async function settleAfterReversal(
  deps: ActivityDeps,
  em: Em,
  chargeId: ChargeId,
): Promise<ChargeStatus> {
  const charge = await em.findOneOrFail(ChargeEntity, { id: chargeId }, { disableIdentityMap: true });
  const { status, settlesAt, settledAt, refundId } = charge;
  const isPending = status === 'PAID' && settledAt === null && refundId === null;
  if (isPending && settlesAt !== null) await deps.startSettlement(charge, settlesAt);
  return status;
}
