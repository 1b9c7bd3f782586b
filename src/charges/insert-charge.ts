import { type Charge, ChargeEntity } from '../database/entities/charge.ts';
import { insertNew } from '../database/insert-new.ts';
import type { Database, Em } from '../database/orm.ts';

/**
 * Stores a new charge, unless one with its id, its `externalId`, its submission's key or its upsell is there.
 * @returns whether it is stored now; where it is not, whoever asked looks for the one that is.
 */
export function insertCharge(on: Em | Database, charge: Charge): Promise<boolean> {
  return insertNew(on, ChargeEntity, charge);
}
