import type { ErrorCode } from './errors.ts';
import type { ApiMiddleware, ApiState } from './state.ts';

/** What a client reads of a failure. */
interface Failure {
  readonly status: number;
  readonly error: string;
}

const REFUNDS = ['/transparents/refund', '/checkouts/refund', '/payment-links/refund'];
const CHECKOUTS = ['/checkouts/get', '/payment-links/get', '/subscriptions/checkouts/get'];

/** AbacatePay's codes of refused refunds, by ours. */
const REFUND_ERRORS: Readonly<Partial<Record<ErrorCode, string>>> = {
  NOT_FOUND: 'TRANSACTION_NOT_FOUND',
  TRANSACTION_NOT_REFUNDABLE: 'TRANSACTION_NOT_REFUNDABLE',
  TRANSACTION_UNDER_DISPUTE: 'TRANSACTION_UNDER_DISPUTE',
  INVALID_METHOD: 'INVALID_METHOD',
  INSUFFICIENT_FUNDS: 'INSUFFICIENT_FUNDS',
};

/**
 * Answers failures as AbacatePay's documents show them (contract section 1.3), for clients that distinguish them. `message` has our
 * own text. All other failures, and `code`, `rule` and `issues`, stay as they are.
 */
export const publishedErrors: ApiMiddleware = async (ctx, next) => {
  await next();
  if (typeof ctx.body !== 'string') return;
  const published = publishedFailure(ctx.state, ctx.body);
  if (published === null) return;
  const { error: message, ...body } = JSON.parse(ctx.body);
  ctx.status = published.status;
  // A 401 names a scheme (RFC 9110), and why the key is not enough (RFC 6750).
  if (published.status === 401) ctx.set('WWW-Authenticate', 'Bearer error="insufficient_scope"');
  ctx.body = JSON.stringify({ ...body, error: published.error, message });
};

function publishedFailure({ route = '', code, caller }: ApiState, body: string): Failure | null {
  // A public key where an API key belongs is refused before its caller is known.
  if (code === 'PERMISSION_DENIED' && caller !== undefined)
    return { status: 401, error: `Insufficient permissions: ${JSON.parse(body).error}` };
  const refused = REFUND_ERRORS[code as ErrorCode];
  if (REFUNDS.includes(route) && refused !== undefined) return { status: 400, error: refused };
  if (CHECKOUTS.includes(route) && code === 'NOT_FOUND') return { status: 404, error: 'Billing not found' };
  return null;
}
