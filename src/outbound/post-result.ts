/** The result of one POST, ready to be stored. */
export interface PostResult {
  /** `gone` means status 410: the endpoint wants no more webhooks. */
  readonly outcome: 'delivered' | 'failed' | 'gone';
  /** `null` if no response headers arrived. */
  readonly statusCode: number | null;
  readonly durationMs: number;
  /**
   * The start of the response body: valid UTF-8 of at most 4 KiB, without NUL, which Postgres cannot store.
   */
  readonly responseExcerpt: string;
  /** Why the delivery failed, briefly and without secrets; `null` if it succeeded. */
  readonly error: string | null;
}

/** Contract section 7: the maximum part of a response body that is stored. */
export const MAX_EXCERPT_BYTES = 4 * 1024;

/** The state of an exchange when it ends. */
interface ExchangeEnd {
  readonly statusCode: number | null;
  readonly durationMs: number;
  /** At least the first `MAX_EXCERPT_BYTES` of the body, if it has that many. */
  readonly bodyStart: Uint8Array;
  /** Why the exchange ended before the response, or `null`. */
  readonly breakage: string | null;
}

/**
 * Judges an exchange by its status. The end of the body matters only without a status (see `postWebhook`).
 */
export function postResult({ statusCode, durationMs, bodyStart, breakage }: ExchangeEnd): PostResult {
  return { ...verdict(statusCode, breakage), statusCode, durationMs, responseExcerpt: excerpt(bodyStart) };
}

function verdict(statusCode: number | null, breakage: string | null): Pick<PostResult, 'outcome' | 'error'> {
  if (statusCode === null) return { outcome: 'failed', error: breakage ?? 'no response' };
  if (statusCode < 300) return { outcome: 'delivered', error: null };
  if (statusCode < 400) return { outcome: 'failed', error: `redirect: HTTP ${statusCode} is not followed` };
  if (statusCode === 410) return { outcome: 'gone', error: 'HTTP 410: the endpoint is gone' };
  return { outcome: 'failed', error: `HTTP ${statusCode}` };
}

function excerpt(bytes: Uint8Array): string {
  // Streaming omits a character that the cut would split.
  const text = new TextDecoder()
    .decode(bytes.subarray(0, MAX_EXCERPT_BYTES), { stream: true })
    .replaceAll('\0', '');
  // Each invalid byte becomes three bytes (U+FFFD), so the limit is applied again.
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MAX_EXCERPT_BYTES));
  return text.slice(0, read);
}
