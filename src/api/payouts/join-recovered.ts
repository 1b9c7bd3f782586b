import { type Payout, PayoutEntity } from '../../database/entities/payout.ts';
import type { Em } from '../../database/orm.ts';
import { RECOVERED_CONTENT } from '../../domain/recovered.ts';
import { mayBeSameKey } from '../../providers/same-key.ts';
import { fieldError } from '../frame/errors.ts';

/**
 * Completes the payout that this request created before a restore, if `accounts recover` has rebuilt its row.
 * Both have the same id, which is derived from the request. The row gets the fields that the bank did not
 * know. It is already debited, so the balance does not change. If the same request arrives several times in
 * parallel, only one joins.
 *
 * @returns null if there is no such row, or another request has joined it.
 * @throws ApiError 409 if the bank sent another amount, to another key, or with another txid: the
 * `externalId` belongs to another request.
 */
export async function joinRecovered(em: Em, wanted: Payout): Promise<Payout | null> {
  const { id, storeId, devMode } = wanted;
  const where = { id, storeId, devMode, contentHash: RECOVERED_CONTENT };
  const recovered = await em.findOne(PayoutEntity, where, { disableIdentityMap: true });
  if (recovered === null) return null;
  if (!isSame(recovered, wanted)) {
    const message = 'belonged to another payout before the database was restored; use another one';
    throw fieldError(409, 'EXTERNAL_ID_CONFLICT', 'externalId', message);
  }
  const { kind, externalId, contentHash, description, creatorId, subAccountId } = wanted;
  const { pixKeyType, pixKey, payeeKey, payeeHash, payeeTxid } = wanted;
  const payee = { pixKeyType, pixKey, payeeKey, payeeHash, payeeTxid };
  const change = { kind, externalId, contentHash, description, creatorId, subAccountId, ...payee };
  if ((await em.nativeUpdate(PayoutEntity, where, change)) === 0) return null;
  return em.findOneOrFail(PayoutEntity, { id }, { disableIdentityMap: true });
}

/** Ignores the key of the store's own account, because that setting may have changed since. */
function isSame(recovered: Payout, { amountCents, payeeKey, payeeTxid }: Payout): boolean {
  if (recovered.amountCents !== amountCents) return false;
  const { payeeTxid: sentTxid } = recovered;
  if (sentTxid !== null && payeeTxid !== null && sentTxid !== payeeTxid) return false;
  if (recovered.payeeKey === null || payeeKey === null) return true;
  return mayBeSameKey(recovered.payeeKey, payeeKey);
}
