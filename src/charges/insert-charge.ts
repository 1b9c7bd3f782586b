import { afterCommit } from '../database/after-commit.ts';
import { type Charge, ChargeEntity } from '../database/entities/charge.ts';
import { insertNew } from '../database/insert-new.ts';
import type { Database, Em } from '../database/orm.ts';
import { countCharge } from '../metrics/counters.ts';

/**
 * Stores a new charge, unless one with its id, its `externalId`, its submission's key or its upsell is there.
 * @returns whether it is stored now; where it is not, whoever asked looks for the one that is.
 */
export async function insertCharge(on: Em | Database, charge: Charge): Promise<boolean> {
  const isNew = await insertNew(on, ChargeEntity, charge);
  if (isNew) afterCommit(on, () => countCharge(charge));
  return isNew;
}
