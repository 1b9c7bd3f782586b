import { type Charge, ChargeEntity } from '../../database/entities/charge.ts';
import type { Em } from '../../database/orm.ts';
import { type ChargeId, ID_PREFIX } from '../../domain/ids.ts';

const { pixCharge, boletoCharge, cardCharge, freeCharge } = ID_PREFIX;

/** Matches ids made by `mintId`: a prefix and a ULID. Anything else, NUL included, never reaches Postgres. */
const CHARGE_ID = new RegExp(`^(?:${pixCharge}|${boletoCharge}|${cardCharge}|${freeCharge})[0-9A-Z]{26}$`);

/** Whether the text has the form of a charge's id. */
export function isChargeId(id: string): id is ChargeId {
  return CHARGE_ID.test(id);
}

/** A charge by the id in a page's URL, of any store and environment: the id's 80 random bits are the only protection. */
export async function findPageCharge(em: Em, id: string): Promise<Charge | null> {
  if (!isChargeId(id)) return null;
  return em.findOne(ChargeEntity, { id }, { disableIdentityMap: true });
}
