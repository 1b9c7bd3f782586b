/** What one POST gave, ready to be stored. */
export interface PostResult {
  /** `gone` is the answer 410: the endpoint wants no more webhooks. */
  readonly outcome: 'delivered' | 'failed' | 'gone';
  /** `null` when no response headers came. */
  readonly statusCode: number | null;
  readonly durationMs: number;
  /**
   * The first bytes of the response body: valid UTF-8 of at most 4 KiB without NUL, which Postgres cannot
   * store.
   */
  readonly responseExcerpt: string;
  /** Why it was not delivered, in a few words and without secrets; `null` when it was. */
  readonly error: string | null;
}

/** Contract section 7: how much of a response body is stored. */
export const MAX_EXCERPT_BYTES = 4 * 1024;

/** What is known of an exchange when it ends. */
interface ExchangeEnd {
  readonly statusCode: number | null;
  readonly durationMs: number;
  /** At least the first `MAX_EXCERPT_BYTES` of the body, if it had so many. */
  readonly bodyStart: Uint8Array;
  /** Why the exchange ended before the response did, or `null`. */
  readonly breakage: string | null;
}

/**
 * Judges an exchange by its status; how the body ended matters only where there is no status (see
 * `postWebhook`).
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
  // Streaming leaves out a character that the cut would split.
  const text = new TextDecoder()
    .decode(bytes.subarray(0, MAX_EXCERPT_BYTES), { stream: true })
    .replaceAll('\0', '');
  // Each byte that is not UTF-8 has become three bytes (U+FFFD), so the limit is applied once more.
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MAX_EXCERPT_BYTES));
  return text.slice(0, read);
}
