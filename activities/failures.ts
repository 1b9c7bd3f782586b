import type { Info } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import type { Logger } from 'pino';
import { errorReport } from '../src/error-report.ts';
import { ProviderError } from '../src/providers/provider-error.ts';

/** Left alone for as long as the provider asks to be. */
function providerFailure({ kind, retryAfterMs }: ProviderError): ApplicationFailure {
  const nextRetryDelay = retryAfterMs === null ? {} : { nextRetryDelay: retryAfterMs };
  return ApplicationFailure.create({
    message: `ProviderError (${kind})`,
    type: 'ProviderError',
    ...nextRetryDelay,
  });
}

/** What the provider has not decided yet: asked again after that time, the same activity may have the answer. */
export function notYet(what: string, pollAfterMs: number): ApplicationFailure {
  return ApplicationFailure.create({ message: what, type: 'NOT_YET', nextRetryDelay: pollAfterMs });
}

/**
 * What a failed activity leaves behind. Whatever it threw is logged; the history, which everyone who may see
 * workflows can read for months, gets its kind and code only, since messages of databases and providers can
 * quote personal data. Failures that activities make themselves pass as they are: their words are ours. All
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

/** Above this, something that a transition needs is slow: Postgres, Temporal or a provider. */
const SLOW_MS = 5_000;

/** What takes its time by its nature tells that it is alive meanwhile. */
function warnAboutSlow(log: Logger, info: Info, durationMs: number): void {
  if (durationMs < SLOW_MS || info.heartbeatTimeoutMs !== undefined) return;
  log.warn({ ...idsOf(info), durationMs: Math.round(durationMs) }, 'activity was slow');
}

function idsOf({ activityType, attempt, workflowExecution }: Info) {
  return { workflowId: workflowExecution?.workflowId, activityType, attempt };
}
