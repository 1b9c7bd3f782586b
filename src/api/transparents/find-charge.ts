import { type Charge, ChargeEntity } from '../../database/entities/charge.ts';
import type { Em } from '../../database/orm.ts';
import { type ChargeId, ID_PREFIX } from '../../domain/ids.ts';
import type { Caller } from '../frame/caller.ts';
import { ownedBy, requireRow } from '../frame/rows.ts';

/** `char_` stands for the prefix of any method (contract section 1, "Ids"). */
const ANY_CHARGE_PREFIX = 'char_';
const CHARGE_PREFIXES = [
  ID_PREFIX.pixCharge,
  ID_PREFIX.boletoCharge,
  ID_PREFIX.cardCharge,
  ID_PREFIX.freeCharge,
];

/** The ids that an id as given by an integrator may stand for. */
export function chargeIds(id: string): ChargeId[] {
  if (!id.startsWith(ANY_CHARGE_PREFIX)) return [id as ChargeId];
  const rest = id.slice(ANY_CHARGE_PREFIX.length);
  return CHARGE_PREFIXES.map((prefix) => `${prefix}${rest}` as ChargeId);
}

/**
 * A transparent charge of the caller's store and environment, read anew. Charges of checkouts end with their checkout.
 * @throws ApiError NOT_FOUND, as {@link requireRow} does.
 */
export function requireCharge(em: Em, caller: Caller, id: string): Promise<Charge> {
  return find(em, caller, id, { checkoutId: null });
}

/** The same of any charge that has a PIX code of its own to show, also of one that was begun on a hosted page. */
export function requireShownCharge(em: Em, caller: Caller, id: string): Promise<Charge> {
  return find(em, caller, id, { $or: [{ checkoutId: null }, { method: 'PIX' }] });
}

function find(em: Em, caller: Caller, id: string, kind: object): Promise<Charge> {
  const where = { ...ownedBy(caller), id: { $in: chargeIds(id) }, ...kind };
  return requireRow(em, ChargeEntity, where, 'Charge');
}
