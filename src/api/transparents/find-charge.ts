import { type Charge, ChargeEntity } from '../../database/entities/charge.ts';
import type { Database, Em } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import { type ChargeId, ID_PREFIX, type StoreId } from '../../domain/ids.ts';
import type { Caller } from '../frame/caller.ts';
import { ApiError, notFound } from '../frame/errors.ts';

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
 * A transparent charge of the caller's store and environment, read anew. Charges of checkouts end with their
 * checkout.
 * @throws ApiError NOT_FOUND, the same for one that is another store's, of the other environment, or never
 *   was.
 */
export async function requireCharge(on: Em | Database, caller: Caller, id: string): Promise<Charge> {
  const charge = await findOne(on, caller, id, false);
  if (charge === null) throw notFound('Charge');
  return charge;
}

/**
 * The same of any charge that has a PIX code of its own to show, also of one that was begun on a hosted page.
 * @throws ApiError NOT_FOUND, which says where to look where it is a payment of a checkout of the caller's.
 */
export async function requireShownCharge(on: Em | Database, caller: Caller, id: string): Promise<Charge> {
  const charge = await findOne(on, caller, id, true);
  if (charge !== null) return charge;
  const { storeId, devMode } = caller;
  const [isPayment] = await FIND_PAYMENT(on, { ids: chargeIds(id), storeId, devMode });
  if (isPayment === undefined) throw notFound('Charge');
  throw new ApiError(404, 'NOT_FOUND', 'Charge not found: it is a payment of a checkout, see /payments/get');
}

/** One by card or boleto that was made in a checkout: its id alone does not tell it from a transparent charge's. */
const FIND_PAYMENT = statement<Omit<Wanted, 'ofCheckoutsToo'>, object>(
  'find a payment that is no transparent charge',
  () => `
  select id from charges where id = any (:ids::text[]) and store_id = :storeId and dev_mode = :devMode`,
);

interface Wanted {
  readonly ids: readonly ChargeId[];
  readonly storeId: StoreId;
  readonly devMode: boolean;
  readonly ofCheckoutsToo: boolean;
}

const FIND = statement<Wanted, Charge>(
  'find a charge of a caller',
  (columns) => `
  select ${columns.read(ChargeEntity, 'charge')} from charges charge
  where id = any (:ids::text[]) and store_id = :storeId and dev_mode = :devMode
    and (checkout_id is null or :ofCheckoutsToo::boolean and method = 'PIX')`,
);

async function findOne(
  on: Em | Database,
  { storeId, devMode }: Caller,
  id: string,
  ofCheckoutsToo: boolean,
): Promise<Charge | null> {
  const [charge = null] = await FIND(on, { ids: chargeIds(id), storeId, devMode, ofCheckoutsToo });
  return charge;
}
