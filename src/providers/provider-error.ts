/** Why a provider gave no answer, or none that could be used. */
export type ProviderErrorKind =
  /** Out of reach, or at fault; asked again it may answer. */
  | 'RETRY'
  /** Asked too often. */
  | 'RATE_LIMITED'
  /** It takes no such request, however often it is asked. */
  | 'INVALID'
  /** It does not know the account, or its credentials or certificate are not good any more. */
  | 'UNAUTHORIZED'
  /** This provider cannot do it: see `describe()`. */
  | 'UNSUPPORTED';

/**
 * What an adapter throws where it knows more than "not known". Whether what was asked for has happened is still not
 * known: whoever asked looks it up, or asks the same again.
 */
export class ProviderError extends Error {
  readonly kind: ProviderErrorKind;
  /** How long the provider wants to be left alone; null where it did not say. */
  readonly retryAfterMs: number | null;

  /** @param message stands in logs: no name, tax id, credential or answer of the provider's in full. */
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

/** There never was an account of this id. */
export class NoSuchAccount extends ProviderError {
  constructor(id: string) {
    super('UNAUTHORIZED', `there is no provider account ${id}`);
  }
}

/** What a provider answers to what `describe()` says that it cannot. */
export function unsupported(what: string): () => Promise<never> {
  return () => Promise.reject(new ProviderError('UNSUPPORTED', `this provider cannot ${what}`));
}
