import { decimalOf } from '../../domain/money.ts';
import type { CloseAnswer } from '../ports/charges.ts';
import type { IssueAnswer } from '../ports/issuing.ts';
import type { ProviderPayment } from '../ports/payment.ts';
import type { IssuedPix, IssuePix } from '../ports/pix.ts';
import type { BacenAccount } from './account.ts';
import type { BankClient } from './bank-client.ts';
import { BankError } from './bank-error.ts';
import { brCodeOf } from './br-code.ts';
import { expiryOf, MAX_EXPIRY_SECONDS, secondsToLastUntil } from './expiry.ts';
import { txidOf } from './ids.ts';
import { orderOnce } from './order-once.ts';
import { type BankCharge, readCharge } from './wire.ts';

const DESCRIPTION_MAX_LENGTH = 140;

interface IssuerDeps {
  readonly client: BankClient;
  readonly account: BacenAccount;
  readonly findCharge: (txid: string, signal?: AbortSignal) => Promise<BankCharge | null>;
  readonly paymentsOf: (charge: BankCharge) => Promise<readonly ProviderPayment[]>;
  readonly close: (txid: string) => Promise<CloseAnswer>;
}

type Answer = IssueAnswer<IssuedPix>;

/**
 * Issues codes. An existing charge is reused only if a payer can still pay it for half of the requested time.
 * Otherwise its expiry is extended; a charge that cannot be extended is removed and returned as DEAD.
 */
export function pixIssuer(deps: IssuerDeps): (request: IssuePix) => Promise<Answer> {
  return (request) => {
    const issue = new Issue(deps, request);
    return orderOnce<Answer>({
      find: (signal) => issue.find(signal),
      give: (signal) => issue.give(signal),
      refused: (reason) => ({ outcome: 'REFUSED', reason }),
    });
  };
}

class Issue {
  readonly #deps: IssuerDeps;
  readonly #request: IssuePix;
  readonly #txid: string;

  constructor(deps: IssuerDeps, request: IssuePix) {
    this.#deps = deps;
    this.#request = request;
    this.#txid = txidOf(request.chargeId);
  }

  async find(signal: AbortSignal): Promise<Answer | null> {
    const there = await this.#deps.findCharge(this.#txid, signal);
    return there && this.#standing(there, signal);
  }

  async give(signal: AbortSignal): Promise<Answer> {
    const { client, account } = this.#deps;
    const path = `${account.profile.paths.cob}/${this.#txid}`;
    const body = askedCharge(this.#request, account.settings.pixKey);
    const made = readCharge(await client.send({ method: 'PUT', path, body, signal }));
    // The look-up lagged: this request has revised a charge of an earlier request.
    if ((made.revisao ?? 0) > 0) return this.#standing(made, signal);
    if (!this.#isAsAsked(made))
      throw new BankError('INVALID', null, 'the bank has issued another charge than was asked for');
    return this.#issued(made, expiryOf(made, { createdAbout: this.#request.now }));
  }

  /** Decides what to do with an existing charge. */
  async #standing(charge: BankCharge, signal: AbortSignal): Promise<Answer> {
    const [payment] = await this.#deps.paymentsOf(charge);
    if (payment !== undefined) return this.#paid(charge, payment);
    if (charge.status === 'CONCLUIDA')
      throw new BankError('RETRY', null, 'the bank has concluded the charge and names no payment yet');
    if (charge.status.startsWith('REMOVIDA_')) return dead('the bank has removed it');
    if (charge.status !== 'ATIVA')
      throw new BankError('RETRY', null, 'the bank has the charge in a status that is not known');
    if (!this.#isAsAsked(charge)) return this.#abandon(charge, 'it was issued for another key or amount');
    if (this.#lastsLongEnough(charge)) return this.#issued(charge, expiryOf(charge));
    return this.#extend(charge, signal);
  }

  async #extend(charge: BankCharge, signal: AbortSignal): Promise<Answer> {
    const { client, account, findCharge } = this.#deps;
    const path = `${account.profile.paths.cobRevision}/${this.#txid}`;
    const { now, expiresInSeconds } = this.#request;
    const wantedUntil = new Date(now.getTime() + expiresInSeconds * 1_000);
    const body = { calendario: { expiracao: secondsToLastUntil(charge, wantedUntil) } };
    let failure: unknown = null;
    let revised: BankCharge | null;
    try {
      revised = readCharge(await client.send({ method: 'PATCH', path, body, signal }));
    } catch (error) {
      // The answer may be lost, or the charge was paid or removed: a look-up of the charge decides.
      failure = error;
      revised = await findCharge(this.#txid, signal);
    }
    if (revised === null) throw failure;
    const extended = { ...charge, ...revised };
    if (extended.status !== 'ATIVA' || (extended.pix ?? []).length > 0)
      return this.#standing(extended, signal);
    if (this.#lastsLongEnough(extended)) return this.#issued(extended, expiryOf(extended));
    if (failure !== null && !isRefusal(failure)) throw failure;
    return this.#abandon(charge, 'it expires too soon, and the bank does not extend it');
  }

  /** Removes a code that was never shown, so that nobody can pay it: another one replaces it. */
  async #abandon(charge: BankCharge, reason: string): Promise<Answer> {
    try {
      const closed = await this.#deps.close(this.#txid);
      if (closed.outcome === 'PAID') return this.#paid(charge, closed.payment);
      if (closed.outcome === 'PENDING')
        throw new BankError('RETRY', null, 'the bank has not removed a charge yet that must be replaced');
    } catch (error) {
      // Some banks do not remove a charge that has expired, or whose key is gone.
      if (!isRefusal(error)) throw error;
    }
    return dead(reason);
  }

  #paid(charge: BankCharge, payment: ProviderPayment): Answer {
    return { outcome: 'PAID', issued: this.#codeOf(charge, expiryOf(charge)), payment };
  }

  #issued(charge: BankCharge, expiresAt: Date | null): Answer {
    return { outcome: 'ISSUED', issued: this.#codeOf(charge, expiresAt) };
  }

  #codeOf(charge: BankCharge, expiresAt: Date | null): IssuedPix {
    const brCode = brCodeOf(charge, this.#deps.account.profile, this.#request.beneficiary);
    if (brCode === null)
      throw new BankError('RETRY', null, 'the bank gives the charge neither a code nor a location');
    return { reference: this.#txid, expiresAt, brCode };
  }

  #isAsAsked({ valor, chave }: BankCharge): boolean {
    return valor.original === this.#request.amountCents && chave === this.#deps.account.settings.pixKey;
  }

  /** A charge without a creation time from the bank cannot be checked. */
  #lastsLongEnough(charge: BankCharge): boolean {
    const { now, expiresInSeconds } = this.#request;
    const expiresAt = expiryOf(charge);
    return expiresAt === null || expiresAt.getTime() - now.getTime() >= (expiresInSeconds * 1_000) / 2;
  }
}

function dead(reason: string): Answer {
  return { outcome: 'DEAD', reason };
}

function isRefusal(error: unknown): boolean {
  return error instanceof BankError && error.refusal !== null;
}

function askedCharge({ amountCents, description, expiresInSeconds, payer }: IssuePix, chave: string) {
  const { name: nome, taxId } = payer;
  const devedor = nome && taxId ? { [taxId.length === 11 ? 'cpf' : 'cnpj']: taxId, nome } : null;
  return {
    calendario: { expiracao: Math.min(expiresInSeconds, MAX_EXPIRY_SECONDS) },
    ...(devedor && { devedor }),
    valor: { original: decimalOf(amountCents) },
    chave,
    ...(description && { solicitacaoPagador: description.slice(0, DESCRIPTION_MAX_LENGTH) }),
  };
}
