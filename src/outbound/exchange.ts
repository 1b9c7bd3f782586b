import { type Dispatcher, errors } from 'undici';
import { failureReason } from './failure-reason.ts';
import { MAX_EXCERPT_BYTES, type PostResult, postResult } from './post-result.ts';

/** Contract section 7: how much of a response body is read. */
const MAX_BODY_BYTES = 64 * 1024;

interface ExchangeOptions {
  /** Bounds everything, counted from now. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (result: PostResult) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * One request on the pool. `dispatch` rather than `request`, because that cannot be given up while it waits
 * for a connection and makes a stream of a body of which we want the first bytes.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #startedAtMs = performance.now();
  readonly #timeoutMs: number;
  readonly #timer: NodeJS.Timeout;
  readonly #signal: AbortSignal | undefined;
  readonly #resolve: (result: PostResult) => void;
  readonly #reject: (reason: unknown) => void;
  #controller: Dispatcher.DispatchController | null = null;
  #statusCode: number | null = null;
  readonly #bodyStart: Buffer[] = [];
  #bodyLength = 0;
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
    // Given up while it waited for a connection.
    if (this.#ended) this.#disconnect();
  }

  onResponseStart(_controller: Dispatcher.DispatchController, statusCode: number): void {
    // Informational answers (1xx) precede the real one.
    if (statusCode >= 200) this.#statusCode = statusCode;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#ended) return;
    // A copy, since a mere view would keep the whole network buffer in memory.
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

  readonly #onTimeout = (): void => {
    const phase = this.#controller === null ? 'no connection was free or made' : 'no complete response';
    this.#conclude(`timeout: ${phase} within ${this.#timeoutMs / 1_000} s`);
    this.#disconnect();
  };

  readonly #onAbort = (): void => {
    this.#end(() => this.#reject(this.#signal?.reason));
    this.#disconnect();
  };

  /** @param breakage why the exchange ended before the response did, or `null`. */
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

/** The dispatcher was closed under us, or the request could not be written: nothing that the endpoint did. */
function isOurOwnFailure(error: Error): boolean {
  return (
    error instanceof errors.ClientClosedError ||
    error instanceof errors.ClientDestroyedError ||
    error instanceof errors.InvalidArgumentError
  );
}
