import Stripe from 'stripe';
import { ProviderError, type ProviderErrorKind } from '../provider-error.ts';

/** Stripe's unsuccessful answer; `status` is null if there was none. */
export class StripeCallError extends ProviderError {
  readonly status: number | null;
  /** Stripe's error code, such as `charge_already_refunded`; null if it gave none. */
  readonly code: string | null;
  /** The card issuer's reason in Stripe's words; null if there is none. */
  readonly declineCode: string | null;
  /** Whether Stripe has another request under the same idempotency key. */
  readonly isOtherRequest: boolean;
  /** Whether this is the stored answer to an earlier request with the same idempotency key. */
  readonly isReplay: boolean;
  /** The intent of a card error, unparsed; null for other errors. */
  readonly intent: unknown;

  constructor(what: string, error: InstanceType<typeof Stripe.errors.StripeError>) {
    const { statusCode = null, code = null, param, requestId, headers = {} } = error;
    // Stripe's own message may quote what was sent.
    const why = [error.rawType ?? error.type, code, param, requestId].filter(Boolean).join(', ');
    const result = statusCode === null ? 'was not answered' : `was answered with ${statusCode}`;
    super(kindOf(error), `${what} ${result} (${why})`, { retryAfterMs: retryAfterMsOf(headers) });
    this.status = statusCode;
    this.code = code;
    this.declineCode = error.decline_code ?? null;
    this.isOtherRequest = error instanceof Stripe.errors.StripeIdempotencyError;
    this.isReplay = headers['idempotent-replayed'] === 'true';
    this.intent = error instanceof Stripe.errors.StripeCardError ? (error.payment_intent ?? null) : null;
  }

  /** Whether Stripe refuses the request itself, so that it had no effect. */
  get isRefusal(): boolean {
    return this.kind === 'INVALID' && !this.isOtherRequest && this.status !== null;
  }
}

function kindOf(error: InstanceType<typeof Stripe.errors.StripeError>): ProviderErrorKind {
  const { statusCode: status } = error;
  if (status === 401 || status === 403) return 'UNAUTHORIZED';
  if (status === 429) return 'RATE_LIMITED';
  // 409: another request with the same idempotency key, or for the same object, is under way.
  if (status === undefined || status === 409 || status >= 500) return 'RETRY';
  return 'INVALID';
}

function retryAfterMsOf({ 'retry-after': value }: Readonly<Partial<Record<string, string>>>): number | null {
  return value !== undefined && /^\d{1,6}$/.test(value) ? Number(value) * 1_000 : null;
}
