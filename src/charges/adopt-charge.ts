import { type Charge, ChargeEntity } from '../database/entities/charge.ts';
import type { Database, Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import { lockBalance } from '../ledger/balance.ts';
import { bookSplits } from '../sub-accounts/splits.ts';

/**
 * Completes a charge that was rebuilt after a restore (src/recovery/lost-rows) with what its bank never received and its
 * repeated request contains. Changes of the charge since then stay. The charge's order ends, as if it were stored
 * now.
 * @returns a row if there was such a charge.
 */
const ADOPT = statement<{ charge: Charge }, { id: string }>(
  'adopt a recovered charge',
  () => `
  with adopted as (
    update charges set
      external_id = :charge.externalId, content_hash = :charge.contentHash, metadata = :charge.metadata::json,
      utm = :charge.utm::json, customer_id = :charge.customerId, customer_named_by = :charge.customerNamedBy,
      description = :charge.description, splits = :charge.splits::json,
      payer_name = :charge.payerName, payer_tax_id = :charge.payerTaxId::sealed(charges.payer_tax_id), payer_email = :charge.payerEmail,
      payer_cellphone = :charge.payerCellphone, code_expires_at = :charge.codeExpiresAt,
      code_status = coalesce(:charge.codeStatus, code_status), updated_at = :charge.updatedAt
    where id = :charge.id and store_id = :charge.storeId and content_hash = 'recovered' returning id
  ), ended as (
    delete from charge_orders where charge_id in (select id from adopted)
  )
  select id from adopted`,
);

/** @returns whether the charge of this id was a rebuilt one; it belongs to the request from now on. */
export async function adoptRecovered(on: Em | Database, charge: Charge): Promise<boolean> {
  if (charge.splits === null) return (await ADOPT(on, { charge })).length > 0;
  const em = 'em' in on ? on.em.fork() : on;
  return em.transactional(async (tx) => {
    if ((await ADOPT(tx, { charge })).length === 0) return false;
    await splitAdopted(tx, charge);
    return true;
  });
}

/** A rebuilt charge may have been paid before its request was repeated, which alone knows its splits. */
async function splitAdopted(em: Em, { id, updatedAt }: Charge): Promise<void> {
  const adopted = await em.findOneOrFail(ChargeEntity, { id }, { disableIdentityMap: true });
  if (adopted.paidAmountCents === null) return;
  await lockBalance(em, adopted);
  await bookSplits(em, adopted, updatedAt);
}
