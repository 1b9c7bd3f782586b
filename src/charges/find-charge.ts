import { type Charge, ChargeEntity } from '../database/entities/charge.ts';
import type { Database, Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { ChargeId } from '../domain/ids.ts';

const BY_ID = statement<{ id: ChargeId }, Charge>(
  'find a charge',
  (columns) => `select ${columns.read(ChargeEntity, 'charge')} from charges charge where id = :id`,
);

/** The charge as it is at this moment. */
export async function findChargeById(em: Em, id: ChargeId): Promise<Charge | null> {
  const [charge = null] = await BY_ID(em, { id });
  return charge;
}

/** The provider's reference of a charge. */
type Reference = Pick<Charge, 'provider' | 'providerReference'>;

/** A charge that its provider notified. */
interface PublishedCharge extends Charge {
  /** Money of it is being returned, and its provider has not confirmed the end. */
  readonly hasMoneyGoingBack: boolean;
}

const BY_REFERENCE = statement<Reference, PublishedCharge>(
  'find a charge by its reference',
  (columns) => `
  select ${columns.read(ChargeEntity, 'charge')},
    exists (select from payments where charge_id = charge.id and outcome = 'RETURNING')
      or exists (select from refunds where charge_id = charge.id and status = 'PENDING') as "hasMoneyGoingBack"
  from charges charge
  where provider = :provider and provider_reference = :providerReference`,
);

/** The charge at this moment, or null if none was issued with this reference. */
export async function findChargeByReference(
  database: Database,
  issued: Reference,
): Promise<PublishedCharge | null> {
  const [charge = null] = await BY_REFERENCE(database, issued);
  return charge;
}
