import { afterCommit } from '../database/after-commit.ts';
import { endOrder, forgetStoredOrder } from '../database/charge-orders.ts';
import { type Charge, ChargeEntity } from '../database/entities/charge.ts';
import { insertNew } from '../database/insert-new.ts';
import type { Database, Em } from '../database/orm.ts';
import { countCharge } from '../metrics/counters.ts';
import { ProviderError } from '../providers/provider-error.ts';
import { METHODS } from './methods/index.ts';

/**
 * Stores a new charge, unless one with its id, its `externalId`, its submission's key or its upsell is there.
 * @returns whether it is stored now; where it is not, whoever asked looks for the one that is.
 * @throws ProviderError RETRY where its bank's charge was taken back before it could be stored.
 */
export async function insertCharge(on: Em | Database, charge: Charge): Promise<boolean> {
  const isNew = wasOrdered(charge)
    ? await insertOrdered(on, charge)
    : await insertNew(on, ChargeEntity, charge);
  if (isNew) afterCommit(on, () => countCharge(charge));
  return isNew;
}

/** A workflow's attempt at a cycle has an id that follows from its step, and is repeated until it is stored. */
function wasOrdered({ devMode, method, cycleId }: Charge): boolean {
  return !devMode && cycleId === null && METHODS[method].decidedBy === 'PAYER';
}

function insertOrdered(on: Em | Database, charge: Charge): Promise<boolean> {
  const em = 'em' in on ? on.em.fork() : on;
  return em.transactional(async (tx) => {
    if (!(await insertNew(tx, ChargeEntity, charge))) {
      // Another request stored it while this one waited for its order, which this one has noted again.
      await forgetStoredOrder(tx, { chargeId: charge.id });
      return false;
    }
    const ended = await endOrder(tx, { chargeId: charge.id });
    if (ended.length > 0) return true;
    throw new ProviderError('RETRY', 'the charge was taken back before it could be stored');
  });
}
