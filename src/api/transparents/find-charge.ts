import { type Charge, ChargeEntity } from '../../database/entities/charge.ts';
import type { Em } from '../../database/orm.ts';
import { type ChargeId, ID_PREFIX } from '../../domain/ids.ts';
import type { Caller } from '../frame/caller.ts';
import { notFound } from '../frame/errors.ts';

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
 * @throws ApiError 404, the same whether it is not there, another store's, or of the other environment.
 */
export function findCharge(em: Em, caller: Caller, id: string): Promise<Charge> {
  return find(em, caller, id, { checkoutId: null });
}

/** The same of any charge that has a PIX code of its own to show, also of one that was begun on a hosted page. */
export function findShownCharge(em: Em, caller: Caller, id: string): Promise<Charge> {
  return find(em, caller, id, { $or: [{ checkoutId: null }, { method: 'PIX' }] });
}

async function find(em: Em, { storeId, devMode }: Caller, id: string, kind: object): Promise<Charge> {
  const where = { id: { $in: chargeIds(id) }, storeId, devMode, ...kind };
  const charge = await em.findOne(ChargeEntity, where, { disableIdentityMap: true });
  if (charge === null) throw notFound('Charge');
  return charge;
}
