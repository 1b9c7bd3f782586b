import { ProviderError } from './provider-error.ts';

/**
 * Decides which of several requests, in any process, gives an order at a provider that has no idempotency keys, and
 * which of its objects counts if there are two.
 */
export interface OrderClaims {
  /** Claims the order under a reference for this time; null claims it until it is released. */
  claim(reference: string, forMs: number | null): Promise<Claim>;
  /**
   * Records the id of what the provider made.
   * @returns the id that was recorded first, which counts. Another one than `madeId` means that there are two.
   */
  record(reference: string, madeId: string): Promise<string>;
  /** The id that was recorded; null if none was. */
  recorded(reference: string): Promise<string | null>;
  /** Ends this claim after a time, unless something was recorded or another request has claimed the order since. */
  release(reference: string, claimId: string, afterMs: number): Promise<void>;
}

/** TAKEN: another request is giving the order, or may have given it. MADE: the order was given. */
export type Claim =
  | { readonly outcome: 'MINE'; readonly claimId: string }
  | { readonly outcome: 'TAKEN' }
  | { readonly outcome: 'MADE'; readonly madeId: string };

/** @throws ProviderError UNSUPPORTED in a process that has no claims, such as a command. */
export function claimsOf(claims: OrderClaims | null): OrderClaims {
  if (claims !== null) return claims;
  throw new ProviderError('UNSUPPORTED', 'this process cannot claim orders, so it gives none');
}
