import { type Charge, ChargeEntity } from '../../database/entities/charge.ts';
import type { Em } from '../../database/orm.ts';
import { type ChargeId, ID_PREFIX } from '../../domain/ids.ts';

const { pixCharge, boletoCharge, cardCharge, freeCharge } = ID_PREFIX;

/** Ids as `mintId` makes them: a prefix and a ULID. Anything else, NUL included, never reaches Postgres. */
const CHARGE_ID = new RegExp(`^(?:${pixCharge}|${boletoCharge}|${cardCharge}|${freeCharge})[0-9A-Z]{26}$`);

/** Whether this may be the id of a charge. */
export function isChargeId(id: string): id is ChargeId {
  return CHARGE_ID.test(id);
}

/**
 * A charge by the id in a page's address, of any store and environment: 80 random bits of the id are what
 * lets the reader in.
 */
export async function findPageCharge(em: Em, id: string): Promise<Charge | null> {
  if (!isChargeId(id)) return null;
  return em.findOne(ChargeEntity, { id }, { disableIdentityMap: true });
}
