import { isPostgresAway } from '../../database/away.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import { ApiError, outOfReach } from './errors.ts';
import type { ApiContext, ApiMiddleware } from './state.ts';

/**
 * Turns every thrown error into the failure envelope (contract section 1). Unexpected errors expose no
 * internals.
 */
export const errorEnvelope: ApiMiddleware = async (ctx, next) => {
  try {
    await next();
  } catch (error) {
    answerWith(ctx, error instanceof ApiError ? error : unexpected(ctx, error));
  }
};

function answerWith(ctx: ApiContext, error: ApiError): void {
  ctx.status = error.status;
  ctx.state.code = error.code;
  ctx.set(error.headers);
  ctx.type = 'application/json';
  ctx.body = JSON.stringify({
    data: null,
    success: false,
    error: error.message,
    code: error.code,
    ...error.details,
    issues: error.issues,
    moreIssues: error.moreIssues,
  });
}

function unexpected(ctx: ApiContext, error: unknown): ApiError {
  if (isPostgresAway(error)) {
    ctx.state.log.warn({ err: error }, 'Postgres did not answer');
    return outOfReach(
      'The database cannot be reached at the moment; please retry, with the same Idempotency-Key if you sent one',
    );
  }
  if (error instanceof ProviderError) {
    ctx.state.log.warn({ err: error }, 'provider request failed');
    return providerFailure(error);
  }
  ctx.state.log.error({ err: error }, 'request failed');
  return new ApiError(
    500,
    'INTERNAL_ERROR',
    'Something went wrong on our side; try again with the same Idempotency-Key',
  );
}

/** Nothing was stored. The provider's message may describe the operator's account, so only the log has it. */
function providerFailure({ kind, message, retryAfterMs }: ProviderError): ApiError {
  if (kind === 'INVALID' || kind === 'UNSUPPORTED') return new ApiError(422, 'PROVIDER_REFUSED', message);
  return outOfReach(
    'The payment provider cannot be reached at the moment; please retry, with the same Idempotency-Key if you sent one',
    retryAfterMs ?? undefined,
  );
}
