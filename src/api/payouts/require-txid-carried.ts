import { codeToPay } from '../../domain/code-to-pay.ts';
import type { PixDestination } from '../../domain/payout.ts';
import type { PayoutTerms } from '../../providers/ports/payouts.ts';
import { brokenRule, fieldError } from '../frame/errors.ts';

const PATH = 'pix.key';

const CANNOT_CARRY =
  "carries a txid, by which its payee recognises the payment, and the store's provider sends to PIX keys only. If the payee can " +
  'do without the txid, send to the key inside the code instead';
const UNFIT =
  'names a key or txid that no PIX can carry: a txid is 1 to 25 letters and digits. Ask the payee for another code';

/**
 * Refuses a transfer if the provider cannot pass on the code's txid. Sending without it is irreversible, and
 * the payee may not recognise the payment. The sender can still choose to send to the key alone.
 * @throws ApiError 422 at `pix.key`.
 */
export function requireTxidCarried(
  { destination, amountCents }: { readonly destination: PixDestination | null; readonly amountCents: number },
  { txid }: Pick<PayoutTerms, 'txid'>,
): void {
  if (destination === null || destination.txid == null) return;
  if (!txid) throw brokenRule('TXID_NOT_CARRIED', PATH, CANNOT_CARRY);
  if (codeToPay(destination.key, amountCents) === null) throw fieldError(422, 'INVALID_PIX_KEY', PATH, UNFIT);
}
