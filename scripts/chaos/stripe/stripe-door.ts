import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import type { FaultRule } from '../../psp/box-faults.ts';

const TIMEOUT_MS = 20_000;
const PAUSE_MS = 250;
/** The box reads everything from localstripe for it. */
const STATE_IS_NEW_MS = 2_000;

interface Intent {
  readonly id: string;
  readonly status: string;
  readonly metadata: Readonly<Record<string, string | undefined>>;
}

/** What the box and localstripe have. Amounts are cents. */
export interface StripeState {
  readonly intents: readonly Intent[];
  readonly charges: readonly {
    readonly id: string;
    readonly amount: number;
    readonly status: string;
    readonly payment_intent: string | null;
  }[];
  readonly refunds: readonly {
    readonly charge: string;
    readonly amount: number;
    readonly status: string;
    readonly metadata: Readonly<Record<string, string | undefined>> | null;
  }[];
  readonly disputes: readonly {
    readonly id: string;
    readonly payment_intent: string;
    readonly amount: number;
    readonly status: string;
    readonly balance_transactions: readonly { readonly fee: number }[];
  }[];
}

/**
 * Requests of payers, their banks and the run to the Stripe box. It may be paused, and answers once it continues: acts are sent
 * once and waited for, look-ups are repeated.
 */
export class StripeDoor {
  readonly #boxUrl: string;
  readonly #adminUrl: string;
  #seen: { readonly state: StripeState; readonly atMs: number } | null = null;

  constructor(boxUrl: string, adminUrl: string) {
    this.#boxUrl = boxUrl;
    this.#adminUrl = adminUrl;
  }

  /** A payer types a card into the fields. @returns what the fields give to the page. */
  async typeCard(number: string): Promise<string> {
    const typed = new URLSearchParams({ number, month: '12', year: '2039', cvc: '123' });
    const { text } = await post(`${this.#boxUrl}/fields/tokenize`, typed.toString());
    return (JSON.parse(text) as { paymentMethod: { id: string } }).paymentMethod.id;
  }

  /** The payer answers their bank, whose page this is. */
  async answerBank(page: string, isConfirmed: boolean): Promise<void> {
    await post(page, `success=${isConfirmed}`);
  }

  /** The payer pays a boleto. @returns false if it was paid before. */
  async payBoleto(intentId: string): Promise<boolean> {
    return (await post(`${this.#adminUrl}/pay/${intentId}`, '{}')).status === 200;
  }

  /** The card's holder disputes a payment, and the bank decides at once. */
  async dispute(intentId: string, outcome: 'won' | 'lost'): Promise<void> {
    const { text, status } = await post(`${this.#adminUrl}/dispute/${intentId}`, '{}');
    if (status !== 200) throw new Error(`the Stripe box answers ${status}: ${text}`);
    const { id } = JSON.parse(text) as { id: string };
    await post(`${this.#adminUrl}/decide/${id}`, JSON.stringify({ outcome }));
  }

  order(rule: FaultRule): Promise<unknown> {
    return post(`${this.#adminUrl}/faults`, JSON.stringify(rule));
  }

  clearFaults(): Promise<unknown> {
    return post(`${this.#adminUrl}/faults/clear`, '{}');
  }

  /** How often each fault has struck, by its kind and the request. */
  async faultsHappened(): Promise<Readonly<Record<string, number>>> {
    return ((await this.#look('faults')) as { happened: Record<string, number> }).happened;
  }

  /** The payment intent of a charge. */
  async intentOf(reference: string): Promise<Intent | null> {
    const { intents } = (await this.#look('state')) as StripeState;
    return intents.find(({ metadata }) => metadata.recebe_reference === reference) ?? null;
  }

  /** @returns what was true seconds ago, unless it has to be true now. */
  async state({ isNow = false } = {}): Promise<StripeState> {
    if (!isNow && this.#seen !== null && performance.now() - this.#seen.atMs < STATE_IS_NEW_MS)
      return this.#seen.state;
    const state = (await this.#look('state')) as StripeState;
    this.#seen = { state, atMs: performance.now() };
    return state;
  }

  async #look(path: string): Promise<unknown> {
    for (;;) {
      try {
        const answer = await fetch(`${this.#adminUrl}/${path}`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
        if (answer.ok) return await answer.json();
      } catch {
        // It is paused.
      }
      await sleep(PAUSE_MS);
    }
  }
}

/** On a connection of its own: a paused box closes the others as idle, with the act on its way. */
async function post(url: string, body: string): Promise<{ readonly status: number; readonly text: string }> {
  const { statusCode, body: answer } = await request(url, { method: 'POST', body, reset: true });
  return { status: statusCode, text: await answer.text() };
}
