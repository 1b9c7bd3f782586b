import { ApplicationFailure } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import type { Logger } from 'pino';
import { errorReport } from '../src/error-report.ts';

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
        try {
          return await next(input);
        } catch (error) {
          if (error instanceof ApplicationFailure) throw error;
          const { activityType, attempt, workflowExecution } = info;
          const workflowId = workflowExecution?.workflowId;
          log.warn({ workflowId, activityType, attempt, err: error }, 'activity failed');
          const { type, code } = errorReport(error);
          throw ApplicationFailure.retryable(code === undefined ? type : `${type} (${code})`, type);
        }
      },
    },
  });
}
