import type { BankClient } from './bank-client.ts';
import { BankError } from './bank-error.ts';
import type { OrderByCode } from './profile.ts';

interface CodeOrder {
  /** The bank's id of the order, as in orders by key. */
  readonly id: string;
  readonly payerKey: string;
  readonly code: string;
  readonly signal: AbortSignal;
}

/**
 * Orders the payment of a static BR Code.
 * @returns the bank's answer.
 * @throws BankError, as a refusal if the application lacks the scope: the order had no effect, and the store gets
 *   its money back while its operator requests the scope.
 */
export async function payCode(
  client: BankClient,
  { path, scope }: OrderByCode,
  { id, payerKey, code, signal }: CodeOrder,
): Promise<unknown> {
  const body = { pagador: { chave: payerKey }, pixCopiaECola: code };
  try {
    return await client.send({ method: 'PUT', path: path.replace(':id', id), body, signal });
  } catch (error) {
    if (!(error instanceof BankError) || !error.lacksScope) throw error;
    const refusal = `the application at the bank lacks the scope ${scope}, which pays BR Codes with a txid`;
    throw new BankError(error.kind, error.status, error.message, { refusal, cause: error });
  }
}
