/** What happens when a cycle's charge fails (contract section 6). */
export interface RetryPolicy {
  /** Failed attempts after which the subscription is cancelled. */
  readonly maxRetry: number;
  /** Days between two attempts. */
  readonly retryEvery: number;
}

export const DEFAULT_RETRY_POLICY: RetryPolicy = { maxRetry: 3, retryEvery: 1 };

/** Why a subscription ended if nobody requested it. */
export const RETRIES_EXCEEDED = 'max_payment_retries_exceeded';
