import { setTimeout as sleep } from 'node:timers/promises';
import type { Faults, Ordered } from '../../psp/faults.ts';
import type { BankPayment, BankRefund, BankState } from '../../psp/state.ts';

const TIMEOUT_MS = 5_000;
const PAUSE_MS = 250;

/**
 * Requests to the bank in a box by payers and the run itself. The bank may be killed at any moment, so each request is repeated
 * until it is answered.
 */
export class BankDoor {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** A payer pays a code. @returns the payment; null if the bank answered this payer that it took no money. */
  async pay(code: string, { whateverItsStatus = false } = {}): Promise<BankPayment | null> {
    return (await this.#post('/pay', { code, whateverItsStatus })) as BankPayment | null;
  }

  /** The payer's bank reclaims a payment (MED), unless nothing of it is left. A repeated request may reclaim a second part. */
  takeBack(
    { endToEndId }: BankPayment,
    { amountCents, underWay }: { readonly amountCents?: number; readonly underWay: boolean },
  ): Promise<unknown> {
    return this.#post(`/take-back/${endToEndId}`, { kind: 'MED_FRAUDE', amountCents, underWay });
  }

  order(ordered: Ordered): Promise<unknown> {
    return this.#post('/faults', ordered);
  }

  /** How often each fault has happened since the last start of the bank, by kind and operation. */
  async faultsHappened(): Promise<Readonly<Record<string, number>>> {
    return ((await this.#ask('/faults', {})) as ReturnType<Faults['report']>).happened;
  }

  clearFaults(): Promise<unknown> {
    return this.#post('/faults/clear', {});
  }

  settle(payment: BankPayment, refund: BankRefund, status: 'DEVOLVIDO' | 'NAO_REALIZADO'): Promise<unknown> {
    return this.#post(`/settle/${payment.endToEndId}/${refund.id}`, { status });
  }

  /** Has the bank repeat the notification of a payment. */
  notifyAgain({ endToEndId }: BankPayment): Promise<unknown> {
    return this.#post(`/notify/${endToEndId}`, {});
  }

  /** The whole state of the bank. */
  async state(): Promise<BankState> {
    return (await this.#ask('/state', {})) as BankState;
  }

  #post(path: string, body: object): Promise<unknown> {
    return this.#ask(path, { method: 'POST', body: JSON.stringify(body) });
  }

  /** @returns null if the bank refuses. */
  async #ask(path: string, request: RequestInit): Promise<unknown> {
    for (;;) {
      try {
        const signal = AbortSignal.timeout(TIMEOUT_MS);
        const answer = await fetch(this.#url + path, { ...request, signal });
        const body = await answer.json();
        return answer.ok ? body : null;
      } catch {
        await sleep(PAUSE_MS);
      }
    }
  }
}
