import { type Charge, ChargeEntity } from '../../database/entities/charge.ts';
import type { Database, Em } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import { type ChargeId, ID_PREFIX, type StoreId } from '../../domain/ids.ts';
import { SQL_WITH_INSTANT_CODE } from '../../domain/payment-methods.ts';
import { ApiError, notFound } from '../frame/errors.ts';
import type { Caller } from '../keys/caller.ts';

/** The prefix `char_` is accepted for every method (contract section 1, "Ids"). */
const ANY_CHARGE_PREFIX = 'char_';
const CHARGE_PREFIXES = [
  ID_PREFIX.pixCharge,
  ID_PREFIX.boletoCharge,
  ID_PREFIX.cardCharge,
  ID_PREFIX.freeCharge,
];

/** The stored ids that an id from an integrator may mean. */
export function chargeIds(id: string): ChargeId[] {
  if (!id.startsWith(ANY_CHARGE_PREFIX)) return [id as ChargeId];
  const rest = id.slice(ANY_CHARGE_PREFIX.length);
  return CHARGE_PREFIXES.map((prefix) => `${prefix}${rest}` as ChargeId);
}

/**
 * Reads a transparent charge of the caller from the database again. Charges of checkouts end with their
 * checkout.
 * @throws ApiError NOT_FOUND, the same for a charge of another store or environment and an unknown id.
 */
export async function requireCharge(on: Em | Database, caller: Caller, id: string): Promise<Charge> {
  const charge = await findOne(on, caller, id, false);
  if (charge === null) throw notFound('Charge');
  return charge;
}

/**
 * Reads any charge that has a PIX code to show, including one started on a hosted page.
 * @throws ApiError NOT_FOUND; for a payment of the caller's checkout it names the right endpoint.
 */
export async function requireShownCharge(on: Em | Database, caller: Caller, id: string): Promise<Charge> {
  const charge = await findOne(on, caller, id, true);
  if (charge !== null) return charge;
  const { storeId, devMode } = caller;
  const [isPayment] = await FIND_PAYMENT(on, { ids: chargeIds(id), storeId, devMode });
  if (isPayment === undefined) throw notFound('Charge');
  throw new ApiError(404, 'NOT_FOUND', 'Charge not found: it is a payment of a checkout, see /payments/get');
}

/**
 * Finds a card or boleto charge of a checkout. Its id alone does not distinguish it from a transparent
 * charge.
 */
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
    and (checkout_id is null or :ofCheckoutsToo::boolean and method in (${SQL_WITH_INSTANT_CODE}))`,
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
