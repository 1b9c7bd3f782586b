import { type Payout, PayoutEntity } from '../../database/entities/payout.ts';
import type { Em } from '../../database/orm.ts';
import { RECOVERED_CONTENT } from '../../domain/recovered.ts';
import { mayBeSameKey } from '../../providers/same-key.ts';
import { fieldError } from '../frame/errors.ts';

/**
 * The payout that this request created before a restore, if `accounts recover` has rebuilt its row: both have the same
 * id, which follows from the request. The row gets what the bank did not know. It is debited already, so nothing is taken
 * from the balance. If the same request comes several times at once, one of them joins.
 *
 * @returns null if there is no such row, or another request has joined it.
 * @throws ApiError 409 if the bank sent another amount, to another key, or with another txid: the `externalId` stands for
 *   another request.
 */
export async function joinRecovered(em: Em, wanted: Payout): Promise<Payout | null> {
  const { id, storeId, devMode } = wanted;
  const where = { id, storeId, devMode, contentHash: RECOVERED_CONTENT };
  const recovered = await em.findOne(PayoutEntity, where, { disableIdentityMap: true });
  if (recovered === null) return null;
  if (!isSame(recovered, wanted)) {
    const message = 'stood for another payout before the database was restored; use another one';
    throw fieldError(409, 'EXTERNAL_ID_CONFLICT', 'externalId', message);
  }
  const { kind, externalId, contentHash, description, creatorId } = wanted;
  const { pixKeyType, pixKey, payeeKey, payeeHash, payeeTxid } = wanted;
  const payee = { pixKeyType, pixKey, payeeKey, payeeHash, payeeTxid };
  const change = { kind, externalId, contentHash, description, creatorId, ...payee };
  if ((await em.nativeUpdate(PayoutEntity, where, change)) === 0) return null;
  return em.findOneOrFail(PayoutEntity, { id }, { disableIdentityMap: true });
}

/** The key of the store's own account is a setting that may have changed since. */
function isSame(recovered: Payout, { amountCents, payeeKey, payeeTxid }: Payout): boolean {
  if (recovered.amountCents !== amountCents) return false;
  const { payeeTxid: sentTxid } = recovered;
  if (sentTxid !== null && payeeTxid !== null && sentTxid !== payeeTxid) return false;
  if (recovered.payeeKey === null || payeeKey === null) return true;
  return mayBeSameKey(recovered.payeeKey, payeeKey);
}
