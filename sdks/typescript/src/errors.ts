import type { Failure } from './generated/resources.ts';

/** A code of this release, or one that a later release of the service adds. */
export type ErrorCode = Failure['code'] | (string & {});

/** One field that is wrong. */
export interface Issue {
  /** Where in the body or the address, such as `data.amount`. */
  readonly path: string;
  readonly message: string;
  /** For programs. Some issues have none. */
  readonly rule?: string;
}

/** What this package throws. */
export class RecebeError extends Error {
  override readonly name: string = 'RecebeError';
}

/** The service refused the request, or could not carry it out. */
export class ApiError extends RecebeError {
  override readonly name: string = 'ApiError';
  /** The HTTP status, such as 422. */
  readonly status: number;
  /** For programs. `UNKNOWN` if the answer is not from Recebe, but from a proxy in front of it. */
  readonly code: ErrorCode;
  /** The rule that was broken, if the code covers several. */
  readonly rule: string | null;
  /** Each field that is wrong. */
  readonly issues: readonly Issue[];
  /** Why a card was declined. */
  readonly declineReason: string | null;
  /** Give it to the operator of the service to find the request in the logs. */
  readonly requestId: string | null;
  /** How long to wait before the next request, with a 429 or 503. */
  readonly retryAfterSeconds: number | null;

  constructor(response: Pick<Response, 'status' | 'headers'>, failure: Partial<Failure>, message: string) {
    super(message);
    const { code, rule, issues } = failure;
    this.status = response.status;
    this.code = code ?? 'UNKNOWN';
    this.rule = rule ?? null;
    this.issues = (issues ?? []) as readonly Issue[];
    this.declineReason = (failure as { declineReason?: string }).declineReason ?? null;
    this.requestId = response.headers.get('x-request-id');
    this.retryAfterSeconds = secondsOf(response.headers.get('retry-after'));
  }
}

/** No answer arrived. The service may have carried the request out. */
export class ConnectionError extends RecebeError {
  override readonly name: string = 'ConnectionError';
}

/** No answer arrived in time. The service may have carried the request out. */
export class TimeoutError extends ConnectionError {
  override readonly name: string = 'TimeoutError';
}

/** A delivery was not signed with your secret, or is too old. Respond with 400 and do not use it. */
export class WebhookVerificationError extends RecebeError {
  override readonly name: string = 'WebhookVerificationError';
}

/** The error of an answer. @param text the body as it arrived. */
export function errorOf(response: Response, answer: unknown, text: string): ApiError {
  const failure = isFailure(answer) ? answer : {};
  const excerpt = text.trim().slice(0, 200) || response.statusText;
  return new ApiError(response, failure, failure.error ?? `HTTP ${response.status}: ${excerpt}`);
}

function isFailure(answer: unknown): answer is Partial<Failure> {
  return typeof answer === 'object' && answer !== null && typeof (answer as Failure).error === 'string';
}

/** `Retry-After` in seconds; it may also be a date (RFC 9110, section 10.2.3). */
function secondsOf(header: string | null): number | null {
  if (header === null || header.trim() === '') return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? null : Math.max(0, (atMs - Date.now()) / 1_000);
}
