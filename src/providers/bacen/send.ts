import { decimalOf } from '../../domain/money.ts';
import { parseBrCode } from '../../domain/pix.ts';
import type { PaymentProvider, SendPix, TransferAnswer } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import type { BacenAccount } from './account.ts';
import type { BankClient } from './bank-client.ts';
import { BankError } from './bank-error.ts';
import { bankIdOf } from './ids.ts';
import type { SendExtension } from './profile.ts';
import { readTransfer } from './wire.ts';

/** Sends money, where the bank has a way that API Pix does not know. Looked up first, as an id is used once. */
export function sendFromBank(
  client: BankClient,
  { order, byReference }: SendExtension,
  { settings: { pixKey, payoutKey } }: BacenAccount,
): PaymentProvider['sendPix'] {
  return async (request) => {
    const id = bankIdOf(request.reference);
    const find = async () => {
      const body = await client.find(`${byReference}/${id}`);
      return body === null ? null : answerOf(readTransfer(body));
    };
    const there = await find();
    if (there !== null) return there;
    const body = {
      valor: decimalOf(request.amountCents),
      pagador: { chave: pixKey },
      favorecido: { chave: keyOf(request, payoutKey) },
    };
    try {
      return answerOf(readTransfer(await client.send({ method: 'PUT', path: `${order}/${id}`, body })));
    } catch (error) {
      const made = await find();
      if (made !== null) return made;
      if (error instanceof BankError && error.refusal !== null)
        return { outcome: 'FAILED', reason: error.refusal };
      throw error;
    }
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
