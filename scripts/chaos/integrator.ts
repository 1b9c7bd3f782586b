import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** The final answer of the API: a success, or a refusal, which the client does not retry. */
export interface Answer<Data = Record<string, unknown>> {
  readonly status: number;
  /** Null if the request was refused. */
  readonly data: Data | null;
  /** `ok`, or the refusal's code. */
  readonly code: string;
  /** Why a card was not charged, with the code `CARD_DECLINED`. */
  readonly declineReason?: string | undefined;
  /** Whether an earlier try got no answer. It may have been carried out, or still be. */
  readonly isInDoubt: boolean;
}

/** Counts of an integrator's requests. */
export class Tally {
  readonly counts = new Map<string, number>();

  add(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }
}

interface Answered {
  readonly data: unknown;
  readonly code?: string;
  readonly declineReason?: string;
}

const TIMEOUT_MS = 10_000;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2_000;

/**
 * A correct program of an integrator: every POST has an `Idempotency-Key`. It is repeated with the same key, at any API
 * process, until the answer is neither a 5xx nor a time-out.
 */
export class Integrator {
  readonly #apiUrls: readonly string[];
  readonly #key: string;
  readonly #tally: Tally;
  readonly #givesUp: AbortSignal;

  /** @param givesUp aborts when answers are no longer needed. */
  constructor(apiUrls: readonly string[], key: string, tally: Tally, givesUp: AbortSignal) {
    this.#apiUrls = apiUrls;
    this.#key = key;
    this.#tally = tally;
    this.#givesUp = givesUp;
  }

  get<Data>(path: string): Promise<Answer<Data>> {
    return this.#untilAnswered('GET', path, {});
  }

  /** @param idempotencyKey two calls with the same key are one request that is sent twice at once. */
  post<Data>(path: string, body: object, idempotencyKey: string = randomUUID()): Promise<Answer<Data>> {
    this.#tally.add(`POST ${path.split('?')[0]}`);
    return this.#untilAnswered('POST', path, {
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey },
    });
  }

  /** Counts an event of this integrator. */
  note(what: string): void {
    this.#tally.add(what);
  }

  async #untilAnswered<Data>(method: string, path: string, request: RequestInit): Promise<Answer<Data>> {
    let isInDoubt = false;
    let pauseMs = FIRST_PAUSE_MS;
    for (;;) {
      if (this.#givesUp.aborted) throw new Error(`${method} ${path} ${request.body ?? ''}: no answer`);
      const answer = await this.#try(method, path, request);
      if (answer !== null && answer.status < 500 && answer.code !== 'IDEMPOTENCY_KEY_IN_FLIGHT') {
        return { ...answer, data: answer.data as Data | null, isInDoubt };
      }
      isInDoubt = true;
      this.#tally.add(answer === null ? 'tries without an answer' : `tries answered ${answer.status}`);
      await sleep(pauseMs);
      pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
    }
  }

  /** @returns null if no answer came. */
  async #try(method: string, path: string, request: RequestInit) {
    const url = this.#apiUrls[Math.floor(Math.random() * this.#apiUrls.length)];
    try {
      const response = await fetch(`${url}/v2/${path}`, {
        ...request,
        method,
        headers: { ...request.headers, Authorization: `Bearer ${this.#key}` },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const { data, code = 'ok', declineReason } = (await response.json()) as Answered;
      return { status: response.status, data, code, declineReason };
    } catch {
      return null;
    }
  }
}
