import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import type { BoxPayment, BoxTransfer, CHARGEBACK_STATUSES } from '../../psp/asaas/books.ts';
import type { FaultRule } from '../../psp/box-faults.ts';

const TIMEOUT_MS = 5_000;
const PAUSE_MS = 250;

/** The state that the box reports. */
export interface AsaasState {
  readonly balance: number;
  readonly payments: readonly BoxPayment[];
  readonly transfers: readonly BoxTransfer[];
  /** How often a queue of webhooks has stopped. */
  readonly stops: number;
  readonly webhooks: readonly {
    readonly id: string;
    readonly interrupted: boolean;
    readonly waiting: number;
  }[];
}

/**
 * Requests to the Asaas box by payers, card issuers and the run itself. The box may be paused, and answers once it continues.
 * So acts are sent once and awaited, while look-ups are repeated.
 */
export class AsaasDoor {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** A payer pays a PIX code, or the bar code of a boleto at a bank. @returns whether it could be paid. */
  async pay(
    id: string,
    how: { readonly reais?: number; readonly atBank?: boolean; readonly isForced?: boolean } = {},
  ): Promise<boolean> {
    return ((await this.#act(`pay/${id}`, how)) as { paid: boolean }).paid;
  }

  /** A payer types a card. @returns whether it was accepted. */
  async payByCard(
    id: string,
    how: { readonly isRefused?: boolean; readonly isAnalyzed?: boolean; readonly isForced?: boolean } = {},
  ): Promise<boolean> {
    return ((await this.#act(`card/${id}`, how)) as { paid: boolean }).paid;
  }

  /** Rejects a card payment after its analysis. */
  reprove(id: string): Promise<unknown> {
    return this.#act(`reprove/${id}`, {});
  }

  /** The issuer of a card charges a payment back, or decides about that. */
  chargeBack(id: string, status: (typeof CHARGEBACK_STATUSES)[number]): Promise<unknown> {
    return this.#act(`chargeback/${id}`, { status });
  }

  order(rule: FaultRule): Promise<unknown> {
    return this.#act('faults', rule);
  }

  clearFaults(): Promise<unknown> {
    return this.#act('faults/clear', {});
  }

  /** How often each fault has struck, by its kind and the request. */
  async faultsHappened(): Promise<Readonly<Record<string, number>>> {
    return ((await this.#look('faults')) as { happened: Record<string, number> }).happened;
  }

  async state(): Promise<AsaasState> {
    return (await this.#look('state')) as AsaasState;
  }

  async #act(path: string, body: object): Promise<unknown> {
    // Uses a separate connection: a paused box closes the others as idle while the act is being sent.
    const { statusCode, body: answer } = await request(`${this.#url}/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      reset: true,
    });
    const text = await answer.text();
    if (statusCode !== 200) throw new Error(`the Asaas box answers ${statusCode}: ${text}`);
    return JSON.parse(text);
  }

  async #look(path: string): Promise<unknown> {
    for (;;) {
      try {
        return await (
          await fetch(`${this.#url}/${path}`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
        ).json();
      } catch {
        await sleep(PAUSE_MS);
      }
    }
  }
}
