import type { JsonPosition } from './json-position.ts';
import { type FormRule, RULES, type Rule } from './rules.ts';

/**
 * Every error code with its HTTP status (contract section 1, "Status codes") and its meaning for an
 * integrator. The API reference is generated from this table.
 */
export const ERRORS = {
  VALIDATION_ERROR: {
    status: 400,
    meaning: 'A field or parameter is missing, unknown or has the wrong format.',
  },
  MALFORMED_JSON: {
    status: 400,
    meaning: 'The body is not valid JSON, or contains text or numbers that cannot be stored.',
  },
  INVALID_CURSOR: { status: 400, meaning: 'The `after` or `before` cursor did not come from this list.' },
  UNAUTHORIZED: { status: 401, meaning: 'The API key is missing, malformed, unknown or revoked.' },
  KEY_EXPIRED: { status: 401, meaning: 'The API key has expired.' },
  PERMISSION_DENIED: { status: 403, meaning: 'The API key lacks the permission for this operation.' },
  READ_ONLY_KEY: { status: 403, meaning: 'The API key is read-only, and the operation changes something.' },
  ADDRESS_NOT_ALLOWED: {
    status: 403,
    meaning: 'The API key does not allow requests from this IP address.',
  },
  WRONG_ENVIRONMENT: {
    status: 403,
    meaning: 'The operation is not available in the environment of this API key.',
  },
  NOT_FOUND: { status: 404, meaning: 'The object does not exist in this store and environment.' },
  ROUTE_NOT_FOUND: { status: 404, meaning: 'The path does not exist.' },
  METHOD_NOT_ALLOWED: {
    status: 405,
    meaning: 'The path does not accept this method; the `Allow` header lists the ones it accepts.',
  },
  EXTERNAL_ID_CONFLICT: {
    status: 409,
    meaning:
      'The `externalId` already belongs to another product, or to a charge, payout or transfer with different content.',
  },
  TAX_ID_CONFLICT: { status: 409, meaning: 'Another customer already has this tax id.' },
  COUPON_CODE_CONFLICT: { status: 409, meaning: 'Another coupon already has this `code`.' },
  IDEMPOTENCY_KEY_IN_FLIGHT: {
    status: 409,
    meaning: 'A request with this `Idempotency-Key` is still running.',
  },
  CLOCK_ADVANCING: {
    status: 409,
    meaning: 'The clock of the dev environment is already advancing to another time.',
  },
  CLOCK_IN_USE: {
    status: 409,
    meaning:
      'The clock of the dev environment cannot be reset, because an open object is waiting for a later time on it.',
  },
  BODY_TOO_LARGE: { status: 413, meaning: 'The body is larger than 1 MiB.' },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    meaning: 'The body is not uncompressed `application/json` in UTF-8.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    meaning: 'This `Idempotency-Key` was used for a different request in the last 24 hours.',
  },
  INVALID_ENDPOINT: { status: 422, meaning: 'Recebe cannot send webhooks to this endpoint.' },
  INVALID_TAX_ID: { status: 422, meaning: 'The CPF or CNPJ is invalid: its check digits are wrong.' },
  INVALID_STATE: { status: 422, meaning: 'The state of the object does not allow the operation.' },
  NOT_ACCEPTABLE: { status: 422, meaning: 'The format is right, but the values violate a business rule.' },
  COUPON_NOT_ACCEPTED: {
    status: 422,
    meaning: 'The coupon is unknown, inactive, used up or not valid for this checkout.',
  },
  CARD_NOT_ACCEPTED: {
    status: 422,
    meaning: 'The card or its token cannot be charged here. Dev mode accepts only the test cards.',
  },
  CARD_DECLINED: { status: 422, meaning: 'The card was declined; `declineReason` says why.' },
  NO_PAYMENT_PROVIDER: { status: 422, meaning: 'No payment provider is configured for this environment.' },
  PROVIDER_REFUSED: {
    status: 422,
    meaning: 'The payment provider refused the request; the message says why. Nothing was stored.',
  },
  TRANSACTION_NOT_REFUNDABLE: {
    status: 422,
    meaning: 'Nothing was paid, the payment was already refunded, or the provider refuses the refund.',
  },
  TRANSACTION_UNDER_DISPUTE: {
    status: 422,
    meaning: 'The payment is disputed. Only the outcome of the dispute can return it.',
  },
  INVALID_METHOD: {
    status: 422,
    meaning: 'A boleto cannot be refunded, because the account of its payer is unknown.',
  },
  PAYOUT_LIMIT_EXCEEDED: { status: 422, meaning: 'The amount exceeds a payout limit of the store.' },
  INSUFFICIENT_FUNDS: { status: 422, meaning: 'The available balance is too low.' },
  INSUFFICIENT_FUNDS_AT_ACCOUNT: {
    status: 422,
    meaning:
      'The available balance is high enough, but the money is at a different provider account than the one that sends payouts.',
  },
  REFUND_EXCEEDS_PAYMENT: {
    status: 422,
    meaning: 'The `amount` is more than what remains of the payment after earlier refunds.',
  },
  INVALID_PIX_KEY: {
    status: 422,
    meaning: 'The Pix key does not match its type, or its BR Code requires a different amount.',
  },
  WEBHOOK_INACTIVE: {
    status: 422,
    meaning: 'The webhook was deleted or is disabled.',
  },
  TOO_MANY_REQUESTS: {
    status: 429,
    meaning:
      'Too many requests with this API key, or too many without a valid one. Wait for the seconds in `Retry-After`.',
  },
  TOO_MANY_PAYOUTS: {
    status: 429,
    meaning: 'A store may create one payout a minute. Wait for the seconds in `Retry-After`.',
  },
  INTERNAL_ERROR: {
    status: 500,
    meaning:
      'An internal error. Retry with the same `Idempotency-Key`, and send the `X-Request-Id` to support.',
  },
  TEMPORARILY_UNAVAILABLE: {
    status: 503,
    meaning: 'A part of the service is temporarily unavailable; retry.',
  },
} as const satisfies Record<string, { status: number; meaning: string }>;

export type ErrorCode = keyof typeof ERRORS;

/**
 * One problem of a request. The path is a field such as `data.customer.taxId`, or the name of a header or
 * parameter.
 */
export interface Issue {
  readonly path: string;
  readonly message: string;
  /** The broken rule; absent if the failure's `code` already identifies it. */
  readonly rule?: FormRule | Rule;
}

/** Machine-readable details of a refusal, in addition to its code. */
interface Details {
  /** Set if the code covers several rules. */
  readonly rule?: Rule;
  /** Set for a declined card. */
  readonly declineReason?: string;
  /** The stored charge of a declined card. */
  readonly chargeId?: string;
  /** Set for a body that is not JSON. */
  readonly position?: JsonPosition;
}

/** A body can have hundreds of thousands of problems; the response lists this many. */
export const MAX_ISSUES = 20;

/** A refusal that the client receives as a failure envelope. Nothing is stored. */
export class ApiError<Code extends ErrorCode = ErrorCode> extends Error {
  readonly status: (typeof ERRORS)[Code]['status'];
  readonly code: Code;
  readonly allIssues: readonly Issue[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly details: Details;

  /**
   * @param message names the field, the problem and the correct form. Sent to the client unchanged, so it
   * must not contain internals.
   */
  constructor(
    status: (typeof ERRORS)[Code]['status'],
    code: Code,
    message: string,
    issues?: readonly Issue[],
    headers: Readonly<Record<string, string>> = {},
    details: Details = {},
  ) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.allIssues = issues;
    this.headers = headers;
    this.details = details;
  }

  /** The first {@link MAX_ISSUES} problems. */
  get issues(): readonly Issue[] | undefined {
    return this.allIssues?.slice(0, MAX_ISSUES);
  }

  /** The number of further problems. */
  get moreIssues(): number | undefined {
    const more = (this.allIssues?.length ?? 0) - MAX_ISSUES;
    return more > 0 ? more : undefined;
  }
}

/**
 * A 404 that is the same for an object that does not exist, is deleted, or belongs to another store or
 * environment.
 */
export function notFound(what: string): ApiError<'NOT_FOUND'> {
  return new ApiError(404, 'NOT_FOUND', `${what} not found`);
}

/**
 * @param what the refused operation, which starts the message. @throws ApiError 403 with a production key.
 */
export function requireDevMode({ devMode }: { readonly devMode: boolean }, what: string): void {
  if (devMode) return;
  const message = `${what} dev mode only; this is a production key`;
  throw new ApiError(403, 'WRONG_ENVIRONMENT', message);
}

/** A refusal that names one field or parameter in its message and issues. */
export function fieldError<Code extends ErrorCode>(
  status: (typeof ERRORS)[Code]['status'],
  code: Code,
  path: string,
  message: string,
): ApiError<Code> {
  return new ApiError(status, code, `${path}: ${message}`, [{ path, message }]);
}

/** A refusal by a business rule. @param path the field that breaks the rule; null if no single field does. */
export function brokenRule(broken: Rule, path: string | null, message: string): ApiError {
  const issues = path === null ? undefined : [{ path, message, rule: broken }];
  const text = path === null ? message : `${path}: ${message}`;
  return new ApiError(422, RULES[broken].code, text, issues, {}, { rule: broken });
}

/** Combines refusals of several fields. Code and message come from the first. @param errors at least one. */
export function together(errors: readonly ApiError[]): ApiError {
  const [first] = errors;
  if (first === undefined) throw new Error('there is no refusal');
  const issues = errors.flatMap(({ allIssues }) => allIssues ?? []);
  return new ApiError(first.status, first.code, first.message, issues, first.headers, first.details);
}

/** A 400 that names the invalid field or parameter in its message and issues. */
export function invalid(
  path: string,
  message: string,
  rule: FormRule = 'WRONG_VALUE',
): ApiError<'VALIDATION_ERROR'> {
  return malformed([{ path, message, rule }]);
}

/** A 400 that lists all invalid fields or parameters. @param issues at least one. */
export function malformed(issues: readonly Issue[]): ApiError<'VALIDATION_ERROR'> {
  const [first] = issues;
  const message = first === undefined ? 'The request is not valid' : `${first.path}: ${first.message}`;
  return new ApiError(400, 'VALIDATION_ERROR', message, issues);
}

/**
 * A 503 that asks the client to retry shortly. @param message names the unreachable part and what remains
 * valid.
 */
export function outOfReach(message: string, retryAfterMs = 5_000): ApiError<'TEMPORARILY_UNAVAILABLE'> {
  const seconds = String(Math.ceil(retryAfterMs / 1_000));
  return new ApiError(503, 'TEMPORARILY_UNAVAILABLE', message, undefined, { 'Retry-After': seconds });
}
