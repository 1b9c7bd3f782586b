import { type SandboxTransfer, SandboxTransferEntity } from '../../database/entities/sandbox-transfer.ts';
import { insertNew } from '../../database/insert-new.ts';
import type { Database } from '../../database/orm.ts';
import type { SendPix, TransferAnswer, TransferLookUp } from '../provider.ts';
import { endToEndIdentifierOf } from './end-to-end-identifier.ts';

/** PIX keys, of type EMAIL, that money cannot be sent to, each with the reason that the bank gives. */
export const FAILING_KEYS: ReadonlyMap<string, string> = new Map([
  ['chave-inexistente@example.com', 'key_not_found'],
  ['conta-encerrada@example.com', 'account_closed'],
  ['suspeita@example.com', 'suspected_fraud'],
]);

/** A payout names no key, so in dev mode one of exactly R$ 404,04 is what fails. */
export const FAILING_PAYOUT_CENTS = 40_404;

/** A key whose bank sends back what arrives; a payout names no key, so one of exactly R$ 405,05 comes back. */
export const RETURNING_KEY = 'devolve@example.com';
export const RETURNING_PAYOUT_CENTS = 40_505;

/** A key that takes its time: the bank answers "under way" first. */
export const SLOW_KEY = 'demora@example.com';
const SLOW_MS = 3_000;

/**
 * The simulated bank's way of sending money: at once and to anybody, but for keys that are there to try
 * failures out.
 */
export class SandboxTransfers {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Sends, or says what has become of a request that was made before: the first one of a reference stands.
   */
  async send(request: SendPix): Promise<TransferAnswer> {
    const em = this.#database.em.fork();
    await insertNew(em, SandboxTransferEntity, transferOf(request));
    const transfer = await em.findOneOrFail(SandboxTransferEntity, { reference: request.reference });
    return answerOf(transfer, request);
  }

  /** The bank's own table, so what is not in it was never sent. */
  async find(request: SendPix): Promise<TransferLookUp> {
    const em = this.#database.em.fork();
    const transfer = await em.findOne(SandboxTransferEntity, { reference: request.reference });
    return transfer === null ? { outcome: 'NOT_FOUND', isFinal: true } : answerOf(transfer, request);
  }
}

function transferOf({ reference, amountCents, destination, now }: SendPix): SandboxTransfer {
  const reason =
    destination === null ? payoutFailureOf(amountCents) : (FAILING_KEYS.get(destination.key) ?? null);
  return {
    reference,
    endToEndIdentifier: reason === null ? endToEndIdentifierOf(reference, now) : null,
    failureReason: reason,
    completesAt: new Date(now.getTime() + (destination?.key === SLOW_KEY ? SLOW_MS : 0)),
  };
}

function payoutFailureOf(amountCents: number): string | null {
  return amountCents === FAILING_PAYOUT_CENTS ? 'account_closed' : null;
}

function answerOf(
  { completesAt, failureReason, endToEndIdentifier }: SandboxTransfer,
  request: SendPix,
): TransferAnswer {
  if (completesAt > request.now) return { outcome: 'PENDING' };
  if (failureReason !== null) return { outcome: 'FAILED', reason: failureReason };
  const complete = { outcome: 'COMPLETE' as const, endToEndIdentifier: endToEndIdentifier ?? '' };
  if (!comesBack(request)) return complete;
  const providerReturnId = complete.endToEndIdentifier.replace(/^E/, 'D');
  const back = { providerReturnId, amountCents: request.amountCents, returnedAt: completesAt };
  return { ...complete, returns: [back] };
}

function comesBack({ destination, amountCents }: SendPix): boolean {
  if (destination === null) return amountCents === RETURNING_PAYOUT_CENTS;
  return destination.key === RETURNING_KEY;
}
