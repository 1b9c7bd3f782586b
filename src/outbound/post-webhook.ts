import type { Dispatcher } from 'undici';
import { Exchange } from './exchange.ts';
import type { PostResult } from './post-result.ts';

export interface WebhookPost {
  readonly url: string | URL;
  /** The signed bytes, sent as they are. */
  readonly body: Uint8Array | string;
  /** The signature headers; content type and user agent are added. */
  readonly headers: Readonly<Record<string, string>>;
  /** Pooled and guarded, from `createDispatcher`. */
  readonly dispatcher: Dispatcher;
  /** `<service name>/<version>` (contract section 7). */
  readonly userAgent: string;
  /** Bounds the whole attempt, from waiting for a connection to the last byte of the body. */
  readonly timeoutMs?: number;
  /** Ends the attempt without a result, as when the worker shuts down. */
  readonly signal?: AbortSignal;
}

/** Contract section 7: an answer later than this is none. */
const DEFAULT_TIMEOUT_MS = 30_000;

/**
 * Posts one webhook, once, and tells what came of it (contract section 7, "Delivery").
 *
 * A 2xx status delivers. It also does when the body that follows breaks off, is longer than 64 KiB or has not
 * ended by the time limit: the endpoint has said that it took the webhook, and sending it again would help
 * nobody. Redirects are failures and are not followed. At 64 KiB and at the time limit the connection is
 * destroyed.
 *
 * Resolves whatever the endpoint does. Rejects for our own reasons only, which must not count as an attempt:
 * with the signal's reason, when the dispatcher is closed, or when URL or headers are malformed.
 */
export function postWebhook(post: WebhookPost): Promise<PostResult> {
  const { dispatcher, signal, timeoutMs = DEFAULT_TIMEOUT_MS } = post;
  if (signal?.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const url = new URL(post.url);
    const exchange = new Exchange({ timeoutMs, signal, resolve, reject });
    dispatcher.dispatch(
      {
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: 'POST',
        headers: { ...post.headers, 'content-type': 'application/json', 'user-agent': post.userAgent },
        body: post.body,
        // The exchange's own timer bounds the whole attempt, which these, being per phase and per chunk, do
        // not.
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      exchange,
    );
  });
}
