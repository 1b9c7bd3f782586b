import { type Dispatcher, errors } from 'undici';
import { failureReason } from './failure-reason.ts';
import { InformationalResponses } from './informational-responses.ts';
import { MAX_EXCERPT_BYTES, type PostResult, postResult } from './post-result.ts';

/** Contract section 7: the maximum part of a response body that is read. */
const MAX_BODY_BYTES = 64 * 1024;

/**
 * How long the body may take after the status, which has decided the result: an endpoint that acknowledges and then drips must not hold
 * a worker's slot for the whole time of an attempt.
 */
const BODY_MS = 3_000;

interface ExchangeOptions {
  /** Limits the whole exchange, counted from now. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (result: PostResult) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * One request on the pool. Uses `dispatch` instead of `request`: `request` cannot be cancelled while it waits
 * for a connection, and turns the body into a stream although only its first bytes are needed.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #startedAtMs = performance.now();
  readonly #timeoutMs: number;
  #timer: NodeJS.Timeout;
  readonly #signal: AbortSignal | undefined;
  readonly #resolve: (result: PostResult) => void;
  readonly #reject: (reason: unknown) => void;
  #controller: Dispatcher.DispatchController | null = null;
  #statusCode: number | null = null;
  readonly #bodyStart: Buffer[] = [];
  #bodyLength = 0;
  readonly #informational = new InformationalResponses();
  #ended: boolean;

  constructor({ timeoutMs, signal, resolve, reject }: ExchangeOptions) {
    this.#timeoutMs = timeoutMs;
    this.#signal = signal;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#ended = false;
    this.#timer = setTimeout(this.#onTimeout, timeoutMs);
    signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // Cancelled while it waited for a connection.
    if (this.#ended) this.#disconnect();
  }

  onResponseStart(_controller: Dispatcher.DispatchController, statusCode: number): void {
    if (this.#ended) return;
    // Informational responses (1xx) precede the final one.
    if (statusCode < 200) {
      this.#countInformational();
      return;
    }
    this.#statusCode = statusCode;
    const leftMs = this.#timeoutMs - (performance.now() - this.#startedAtMs);
    if (leftMs <= BODY_MS) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#onTimeout, BODY_MS);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#ended) return;
    // Copies the bytes, because a view would keep the whole network buffer in memory.
    if (this.#bodyLength < MAX_EXCERPT_BYTES) {
      this.#bodyStart.push(Buffer.from(chunk.subarray(0, MAX_EXCERPT_BYTES)));
    }
    this.#bodyLength += chunk.length;
    if (this.#bodyLength < MAX_BODY_BYTES) return;
    this.#conclude(null);
    this.#disconnect();
  }

  onResponseEnd(): void {
    this.#conclude(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (isOurOwnFailure(error)) this.#end(() => this.#reject(error));
    else this.#conclude(failureReason(error));
  }

  #countInformational(): void {
    if (!this.#informational.isOver()) return;
    this.#conclude('invalid response: too many informational responses (1xx)');
    this.#disconnect();
  }

  readonly #onTimeout = (): void => {
    const phase = this.#controller === null ? 'no connection was free or made' : 'no complete response';
    this.#conclude(`timeout: ${phase} within ${this.#timeoutMs / 1_000} s`);
    this.#disconnect();
  };

  readonly #onAbort = (): void => {
    this.#end(() => this.#reject(this.#signal?.reason));
    this.#disconnect();
  };

  /** @param breakage why the exchange ended before the response, or `null`. */
  #conclude(breakage: string | null): void {
    const result = postResult({
      statusCode: this.#statusCode,
      durationMs: Math.round(performance.now() - this.#startedAtMs),
      bodyStart: Buffer.concat(this.#bodyStart),
      breakage,
    });
    this.#end(() => this.#resolve(result));
  }

  #end(answer: () => void): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this.#onAbort);
    answer();
  }

  #disconnect(): void {
    this.#controller?.abort(new errors.RequestAbortedError());
  }
}

/** The dispatcher was closed, or the request could not be written: not the endpoint's fault. */
function isOurOwnFailure(error: Error): boolean {
  return (
    error instanceof errors.ClientClosedError ||
    error instanceof errors.ClientDestroyedError ||
    error instanceof errors.InvalidArgumentError
  );
}
