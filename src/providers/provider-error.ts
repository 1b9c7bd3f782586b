/** Why a provider gave no usable answer. */
export type ProviderErrorKind =
  /** Unavailable or failing; a retry may succeed. */
  | 'RETRY'
  /** Too many requests. */
  | 'RATE_LIMITED'
  /** It refuses such a request, however often it is sent. */
  | 'INVALID'
  /** It does not know the account, or rejects its credentials or certificate. */
  | 'UNAUTHORIZED'
  /** This provider does not support it: it lacks the port, or the port this case. */
  | 'UNSUPPORTED';

/**
 * An adapter's error if it knows more than "not known". The request may still have had its effect: the caller looks
 * it up, or sends the same request again.
 */
export class ProviderError extends Error {
  readonly kind: ProviderErrorKind;
  /** The pause that the provider requests; null if it names none. */
  readonly retryAfterMs: number | null;

  /** @param message is logged: no name, tax id, credential or full answer of the provider. */
  constructor(
    kind: ProviderErrorKind,
    message: string,
    { retryAfterMs = null, cause }: { readonly retryAfterMs?: number | null; readonly cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.name = 'ProviderError';
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}

/** No account of this id ever existed. */
export class NoSuchAccount extends ProviderError {
  constructor(id: string) {
    super('UNAUTHORIZED', `there is no provider account ${id}`);
  }
}

/** The implementation of a call that a provider does not support. */
export function unsupported(what: string): () => Promise<never> {
  return () => Promise.reject(new ProviderError('UNSUPPORTED', `this provider cannot ${what}`));
}
