import { decimalOf } from '../../domain/money.ts';
import { parseBrCode } from '../../domain/pix.ts';
import type { PaymentProvider, SendPix, TransferAnswer } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import type { BacenAccount } from './account.ts';
import type { BankClient } from './bank-client.ts';
import { bankIdOf } from './ids.ts';
import { orderOnce } from './order-once.ts';
import type { SendExtension } from './profile.ts';
import { readTransfer } from './wire.ts';

/** Sends money, where the bank has a way that API Pix does not know. */
export function sendFromBank(
  client: BankClient,
  { order, byReference }: SendExtension,
  { settings: { pixKey, payoutKey } }: BacenAccount,
): PaymentProvider['sendPix'] {
  return async (request) => {
    const id = bankIdOf(request.reference);
    return orderOnce<TransferAnswer>({
      mayHaveBeenOrdered: request.mayHaveBeenOrdered,
      find: async (signal) => {
        const there = await client.find(`${byReference}/${id}`, signal);
        return there === null ? null : answerOf(readTransfer(there));
      },
      give: async (signal) => {
        const body = {
          valor: decimalOf(request.amountCents),
          pagador: { chave: pixKey },
          favorecido: { chave: keyOf(request, payoutKey) },
        };
        return answerOf(
          readTransfer(await client.send({ method: 'PUT', path: `${order}/${id}`, body, signal })),
        );
      },
      refused: (reason) => ({ outcome: 'FAILED', reason }),
    });
  };
}

function keyOf({ destination }: SendPix, payoutKey: string | undefined): string {
  const key =
    destination?.type === 'BR_CODE' ? parseBrCode(destination.key)?.key : (destination?.key ?? payoutKey);
  if (key !== undefined) return key;
  throw new ProviderError('UNSUPPORTED', 'this account knows no key of the account that payouts go to');
}

/** A status of tomorrow is none that ends anything. */
function answerOf({ status, endToEndId }: ReturnType<typeof readTransfer>): TransferAnswer {
  if (status === 'REALIZADO' && endToEndId !== undefined)
    return { outcome: 'COMPLETE', endToEndIdentifier: endToEndId };
  if (status === 'NAO_REALIZADO') return { outcome: 'FAILED', reason: 'the bank could not carry it out' };
  return { outcome: 'PENDING' };
}
