import type { Dispatcher } from 'undici';
import { Exchange } from '../outbound/exchange.ts';
import type { PostResult } from '../outbound/post-result.ts';

export interface WebhookPost {
  readonly url: string | URL;
  /** The signed bytes, sent unchanged. */
  readonly body: Uint8Array | string;
  /** The signature headers; content type and user agent are added. */
  readonly headers: Readonly<Record<string, string>>;
  /** Pooled and guarded, created by `createDispatcher`. */
  readonly dispatcher: Dispatcher;
  /** `<service name>/<version>` (contract section 7). */
  readonly userAgent: string;
  /** Limits the whole attempt, from waiting for a connection to the last byte of the body. */
  readonly timeoutMs?: number;
  /** Cancels the attempt without a result, for example when the worker shuts down. */
  readonly signal?: AbortSignal;
}

/** Contract section 7: a later response does not count. */
const DEFAULT_TIMEOUT_MS = 30_000;

/**
 * Posts one webhook once, and returns the result (contract section 7, "Delivery").
 *
 * A 2xx status counts as delivered, even if the body breaks off, exceeds 64 KiB or does not end in time: the
 * endpoint has acknowledged the webhook, and a retry would not help. Redirects are failures and are not
 * followed. At 64 KiB and at the time limit the connection is destroyed.
 *
 * Resolves whatever the endpoint does. Rejects only for local reasons, which must not count as an attempt:
 * the signal's reason, a closed dispatcher, or a malformed URL or header.
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
        // The exchange's own timer limits the whole attempt; these timeouts apply per phase and chunk.
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      exchange,
    );
  });
}
