import type { CloseAnswer } from '../ports/charges.ts';
import type { IssueAnswer } from '../ports/issuing.ts';
import type { Beneficiary, ProviderPayment } from '../ports/payment.ts';
import type { IssuedPix } from '../ports/pix.ts';
import type { BacenAccount } from './account.ts';
import type { BankClient } from './bank-client.ts';
import { BankError } from './bank-error.ts';
import { brCodeOf } from './br-code.ts';
import { orderOnce } from './order-once.ts';
import { type BankCharge, readCharge } from './wire.ts';

/** Bacen's document, `solicitacaoPagador`. */
export const DESCRIPTION_MAX_LENGTH = 140;

export interface IssuerDeps {
  readonly client: BankClient;
  readonly account: BacenAccount;
  readonly findCharge: (txid: string, signal?: AbortSignal) => Promise<BankCharge | null>;
  readonly paymentsOf: (charge: BankCharge) => Promise<readonly ProviderPayment[]>;
  readonly close: (txid: string) => Promise<CloseAnswer>;
}

/** A charge as a bank is asked for it, immediate or with a due date. */
export interface ChargeOrder {
  readonly txid: string;
  /** The resource of such charges, and the same for revisions. */
  readonly path: string;
  readonly revisionPath: string;
  readonly beneficiary: Beneficiary;
  readonly body: object;
  /** Whether a charge at the bank is the requested one. */
  isAsAsked(charge: BankCharge): boolean;
  /** When payers' banks start to refuse it; null if the bank does not say. */
  expiresAt(charge: BankCharge, options: { readonly isNew: boolean }): Date | null;
  /** The revision by which a charge at the bank lasts long enough; null if it does already. */
  extension(charge: BankCharge): object | null;
}

type Answer = IssueAnswer<IssuedPix>;

/**
 * Issues a charge once for repeated orders. A charge at the bank that is not as asked, or expires too soon and cannot be extended,
 * is removed and returned as DEAD.
 */
export function issueOnce(deps: IssuerDeps, order: ChargeOrder): Promise<Answer> {
  const issue = new Issue(deps, order);
  return orderOnce<Answer>({
    find: (signal) => issue.find(signal),
    give: (signal) => issue.give(signal),
    refused: (reason) => ({ outcome: 'REFUSED', reason }),
  });
}

class Issue {
  readonly #deps: IssuerDeps;
  readonly #order: ChargeOrder;

  constructor(deps: IssuerDeps, order: ChargeOrder) {
    this.#deps = deps;
    this.#order = order;
  }

  async find(signal: AbortSignal): Promise<Answer | null> {
    const there = await this.#deps.findCharge(this.#order.txid, signal);
    return there && this.#standing(there, signal);
  }

  async give(signal: AbortSignal): Promise<Answer> {
    const { txid, body } = this.#order;
    const path = `${this.#order.path}/${txid}`;
    const made = readCharge(await this.#deps.client.send({ method: 'PUT', path, body, signal }));
    // The look-up lagged: this request has revised a charge of an earlier request.
    if ((made.revisao ?? 0) > 0) return this.#standing(made, signal);
    if (!this.#order.isAsAsked(made))
      throw new BankError('INVALID', null, 'the bank has issued another charge than was asked for');
    return this.#issued(made, { isNew: true });
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
    if (!this.#order.isAsAsked(charge))
      return this.#abandon(charge, 'it was issued for another key or on other terms');
    const extension = this.#order.extension(charge);
    return extension === null ? this.#issued(charge) : this.#extend(charge, extension, signal);
  }

  async #extend(charge: BankCharge, body: object, signal: AbortSignal): Promise<Answer> {
    const { client, findCharge } = this.#deps;
    const path = `${this.#order.revisionPath}/${this.#order.txid}`;
    let failure: unknown = null;
    let revised: BankCharge | null;
    try {
      revised = readCharge(await client.send({ method: 'PATCH', path, body, signal }));
    } catch (error) {
      // The answer may be lost, or the charge was paid or removed: a look-up of the charge decides.
      failure = error;
      revised = await findCharge(this.#order.txid, signal);
    }
    if (revised === null) throw failure;
    const extended = { ...charge, ...revised };
    if (extended.status !== 'ATIVA' || (extended.pix ?? []).length > 0)
      return this.#standing(extended, signal);
    if (this.#order.extension(extended) === null) return this.#issued(extended);
    if (failure !== null && !isRefusal(failure)) throw failure;
    return this.#abandon(charge, 'it expires too soon, and the bank does not extend it');
  }

  /** Removes a code that was never shown, so that nobody can pay it: another one replaces it. */
  async #abandon(charge: BankCharge, reason: string): Promise<Answer> {
    try {
      const closed = await this.#deps.close(this.#order.txid);
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
    return { outcome: 'PAID', issued: this.#codeOf(charge), payment };
  }

  #issued(charge: BankCharge, options = { isNew: false }): Answer {
    return { outcome: 'ISSUED', issued: this.#codeOf(charge, options) };
  }

  #codeOf(charge: BankCharge, options = { isNew: false }): IssuedPix {
    const { txid, beneficiary } = this.#order;
    const brCode = brCodeOf(charge, this.#deps.account.profile, beneficiary);
    if (brCode === null)
      throw new BankError('RETRY', null, 'the bank gives the charge neither a code nor a location');
    return { reference: txid, expiresAt: this.#order.expiresAt(charge, options), brCode };
  }
}

function dead(reason: string): Answer {
  return { outcome: 'DEAD', reason };
}

function isRefusal(error: unknown): boolean {
  return error instanceof BankError && error.refusal !== null;
}
