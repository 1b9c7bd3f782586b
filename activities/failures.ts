import type { Info } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import type { Logger } from 'pino';
import { errorReport } from '../src/error-report.ts';
import { ProviderError } from '../src/providers/provider-error.ts';

/** Delays the retry for as long as the provider requests. */
function providerFailure({ kind, retryAfterMs }: ProviderError): ApplicationFailure {
  const nextRetryDelay = retryAfterMs === null ? {} : { nextRetryDelay: retryAfterMs };
  return ApplicationFailure.create({
    message: `ProviderError (${kind})`,
    type: 'ProviderError',
    ...nextRetryDelay,
  });
}

/**
 * Handles failures of activities. The log gets the whole error. The history, which is readable for months by
 * everyone with access to workflows, gets only its kind and code, since messages of databases and providers can
 * quote personal data. Failures that activities create themselves pass unchanged, since their text is ours. All
 * others are retried.
 */
export function activityFailures(log: Logger): ActivityInterceptorsFactory {
  return ({ info }) => ({
    inbound: {
      async execute(input, next) {
        const startedAt = performance.now();
        try {
          const result = await next(input);
          warnAboutSlow(log, info, performance.now() - startedAt);
          return result;
        } catch (error) {
          if (error instanceof ApplicationFailure) throw error;
          log.warn({ ...idsOf(info), err: error }, 'activity failed');
          if (error instanceof ProviderError) throw providerFailure(error);
          const { type, code } = errorReport(error);
          throw ApplicationFailure.retryable(code === undefined ? type : `${type} (${code})`, type);
        }
      },
    },
  });
}

/** Above this, a dependency of a transition is slow: Postgres, Temporal or a provider. */
const SLOW_MS = 5_000;

/** Activities that are slow by nature send heartbeats and get no warning. */
function warnAboutSlow(log: Logger, info: Info, durationMs: number): void {
  if (durationMs < SLOW_MS || info.heartbeatTimeoutMs !== undefined) return;
  log.warn({ ...idsOf(info), durationMs: Math.round(durationMs) }, 'activity slow');
}

function idsOf({ activityType, attempt, workflowExecution }: Info) {
  return { workflowId: workflowExecution?.workflowId, activityType, attempt };
}
