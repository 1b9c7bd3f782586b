import { codeToPay } from '../../domain/code-to-pay.ts';
import { decimalOf } from '../../domain/money.ts';
import { parseBrCode } from '../../domain/pix.ts';
import type { PayoutsPort, SendPix, TransferAnswer } from '../ports/payouts.ts';
import { ProviderError } from '../provider-error.ts';
import { mayBeSameKey } from '../same-key.ts';
import type { BacenAccount } from './account.ts';
import type { BankClient } from './bank-client.ts';
import { bankIdOf } from './ids.ts';
import { orderOnce } from './order-once.ts';
import { payCode } from './pay-code.ts';
import type { SendExtension } from './profile.ts';
import { type BankTransfer, readTransfer, transferStatusOf } from './wire-transfer.ts';

/** Sends money and looks transfers up, if the bank has its own API for that beside API Pix. */
export function sendFromBank(
  client: BankClient,
  { order, orderByCode, byReference }: SendExtension,
  { settings: { pixKey, payoutKey } }: BacenAccount,
): Pick<PayoutsPort, 'send' | 'find'> {
  const wantedOf = (request: SendPix) => ({
    amountCents: request.amountCents,
    key: keyOf(request, payoutKey),
  });
  const find = async (request: SendPix, signal?: AbortSignal): Promise<TransferAnswer | null> => {
    const there = await client.find(`${byReference}/${bankIdOf(request.reference)}`, signal);
    return there === null ? null : answerOf(readTransfer(there), wantedOf(request));
  };
  const give = async (request: SendPix, signal: AbortSignal): Promise<TransferAnswer> => {
    const wanted = wantedOf(request);
    const id = bankIdOf(request.reference);
    const code = codeOf(request);
    if (code !== null) {
      if (orderByCode === null) throw new ProviderError('UNSUPPORTED', 'this bank carries no txid');
      const paid = await payCode(client, orderByCode, { id, payerKey: pixKey, code, signal });
      return answerOf(readTransfer(paid), wanted);
    }
    const body = {
      valor: decimalOf(wanted.amountCents),
      pagador: { chave: pixKey },
      favorecido: { chave: wanted.key },
    };
    const path = `${order}/${id}`;
    return answerOf(readTransfer(await client.send({ method: 'PUT', path, body, signal })), wanted);
  };
  return {
    send: (request) =>
      orderOnce<TransferAnswer>({
        mayHaveBeenOrdered: request.mayHaveBeenOrdered,
        find: (signal) => find(request, signal),
        give: (signal) => give(request, signal),
        refused: (reason) => ({ outcome: 'FAILED', reason }),
        refusedInDoubt: (reason) => ({ outcome: 'REFUSED_IN_DOUBT', reason }),
      }),
    // Banks' look-ups lag behind their orders.
    find: async (request) => (await find(request)) ?? { outcome: 'NOT_FOUND', isFinal: false },
  };
}

function keyOf({ destination }: SendPix, payoutKey: string | undefined): string {
  const key =
    destination?.type === 'BR_CODE' ? parseBrCode(destination.key)?.key : (destination?.key ?? payoutKey);
  if (key !== undefined) return key;
  throw new ProviderError('UNSUPPORTED', 'this account knows no key of the account that payouts go to');
}

/** The code to order, if the payment carries a txid. A payout that was created without one is sent to its key. */
function codeOf({ destination, amountCents }: SendPix): string | null {
  if (destination?.type !== 'BR_CODE' || destination.txid == null) return null;
  const code = codeToPay(destination.key, amountCents);
  if (code !== null) return code;
  throw new ProviderError('INVALID', 'the BR Code names a key or txid that no PIX can carry');
}

interface WantedTransfer {
  readonly amountCents: number;
  readonly key: string;
}

/** Treats unknown statuses as under way. */
function answerOf(there: BankTransfer, wanted: WantedTransfer): TransferAnswer {
  if (!isSame(there, wanted)) return { outcome: 'OTHER_TRANSFER' };
  const { endToEndId, returns } = there;
  switch (transferStatusOf(there)) {
    case 'COMPLETE':
      if (endToEndId === undefined) return { outcome: 'PENDING' };
      return {
        outcome: 'COMPLETE',
        endToEndIdentifier: endToEndId,
        ...(returns.length > 0 && { returns }),
      };
    case 'FAILED':
      return { outcome: 'FAILED', reason: 'the bank could not carry it out' };
    case 'PENDING':
      return { outcome: 'PENDING' };
  }
}

/**
 * Whether the bank's transfer has the expected amount and key. The id is derived from the request, so other content
 * belongs to another request: sent before a restore, or by another program.
 */
function isSame({ valor, favorecido }: BankTransfer, { amountCents, key }: WantedTransfer): boolean {
  if (valor !== undefined && valor !== amountCents) return false;
  const shown = favorecido?.chave;
  return shown === undefined || mayBeSameKey(shown, key);
}
