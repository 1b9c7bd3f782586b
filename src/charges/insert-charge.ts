import { type Charge, ChargeEntity } from '../database/entities/charge.ts';
import type { Em } from '../database/orm.ts';

/**
 * Stores a new charge, unless one with its id, its `externalId`, its attempt's key or its upsell is there.
 * @returns whether it is stored now; where it is not, whoever asked looks for the one that is.
 */
export async function insertCharge(em: Em, charge: Charge): Promise<boolean> {
  const insertion = em.qb(ChargeEntity).insert(charge).onConflict().ignore().returning('id');
  return (await insertion.execute('all')).length > 0;
}
