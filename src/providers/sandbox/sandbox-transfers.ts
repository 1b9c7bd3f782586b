import { type SandboxTransfer, SandboxTransferEntity } from '../../database/entities/sandbox-transfer.ts';
import { insertNew } from '../../database/insert-new.ts';
import type { Database } from '../../database/orm.ts';
import type { SendPix, TransferAnswer, TransferLookUp } from '../ports/payouts.ts';
import { endToEndIdentifierOf } from './end-to-end-identifier.ts';

/** PIX keys of type EMAIL whose transfers fail, each with the bank's reason. */
export const FAILING_KEYS: ReadonlyMap<string, string> = new Map([
  ['chave-inexistente@example.com', 'key_not_found'],
  ['conta-encerrada@example.com', 'account_closed'],
  ['suspeita@example.com', 'suspected_fraud'],
]);

/** A CPF that its holder registered as a PIX key at no bank: transfers to it fail. */
export const UNREGISTERED_CPF = '00000000191';

/** A payout has no key, so in dev mode one of exactly R$ 404,04 fails. */
export const FAILING_PAYOUT_CENTS = 40_404;

/** A key whose bank returns every transfer; a payout has no key, so one of exactly R$ 405,05 comes back. */
export const RETURNING_KEY = 'devolve@example.com';
export const RETURNING_PAYOUT_CENTS = 40_505;

/** A key with slow transfers: the bank answers "under way" first. */
export const SLOW_KEY = 'demora@example.com';
const SLOW_MS = 3_000;

/** The simulated bank's transfers: immediate, except to keys that simulate failures. */
export class SandboxTransfers {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Sends, or returns the result of an earlier request: the first one of a reference wins. */
  async send(request: SendPix): Promise<TransferAnswer> {
    const em = this.#database.em.fork();
    await insertNew(em, SandboxTransferEntity, transferOf(request));
    const transfer = await em.findOneOrFail(SandboxTransferEntity, { reference: request.reference });
    return answerOf(transfer, request);
  }

  /** This is the bank's own table, so a missing transfer was never sent. */
  async find(request: SendPix): Promise<TransferLookUp> {
    const em = this.#database.em.fork();
    const transfer = await em.findOne(SandboxTransferEntity, { reference: request.reference });
    return transfer === null ? { outcome: 'NOT_FOUND', isFinal: true } : answerOf(transfer, request);
  }
}

function transferOf({ reference, amountCents, destination, now }: SendPix): SandboxTransfer {
  const reason = destination === null ? payoutFailureOf(amountCents) : keyFailureOf(destination.key);
  return {
    reference,
    endToEndIdentifier: reason === null ? endToEndIdentifierOf(reference, now) : null,
    failureReason: reason,
    completesAt: new Date(now.getTime() + (destination?.key === SLOW_KEY ? SLOW_MS : 0)),
  };
}

function keyFailureOf(key: string): string | null {
  return key === UNREGISTERED_CPF ? 'key_not_found' : (FAILING_KEYS.get(key) ?? null);
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
