import { afterCommit } from '../database/after-commit.ts';
import { type Charge, ChargeEntity } from '../database/entities/charge.ts';
import { insertNew } from '../database/insert-new.ts';
import type { Database, Em } from '../database/orm.ts';
import { countCharge } from '../metrics/counters.ts';
import { ProviderError } from '../providers/provider-error.ts';
import { endOrder, forgetStoredOrder } from './charge-orders.ts';
import { METHODS } from './methods/index.ts';

/**
 * Stores a new charge, unless one with its id, `externalId`, submission key or upsell exists.
 * @returns whether it was stored; if not, the caller loads the existing one.
 * @throws ProviderError RETRY if its charge at the bank was cancelled before it could be stored.
 */
export async function insertCharge(on: Em | Database, charge: Charge): Promise<boolean> {
  const isNew = wasOrdered(charge)
    ? await insertOrdered(on, charge)
    : await insertNew(on, ChargeEntity, charge);
  if (isNew) afterCommit(on, () => countCharge(charge));
  return isNew;
}

/** A workflow's attempt at a cycle derives its id from its step, and repeats until it is stored. */
function wasOrdered({ devMode, method, cycleId }: Charge): boolean {
  return !devMode && cycleId === null && METHODS[method].decidedBy === 'PAYER';
}

function insertOrdered(on: Em | Database, charge: Charge): Promise<boolean> {
  const em = 'em' in on ? on.em.fork() : on;
  return em.transactional(async (tx) => {
    if (!(await insertNew(tx, ChargeEntity, charge))) {
      // Another request stored the charge while this one waited for its order, and this one has noted the order
      // again.
      await forgetStoredOrder(tx, { chargeId: charge.id });
      return false;
    }
    const ended = await endOrder(tx, { chargeId: charge.id });
    if (ended.length > 0) return true;
    throw new ProviderError('RETRY', 'the charge was cancelled before it could be stored');
  });
}
