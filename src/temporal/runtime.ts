import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';

/**
 * Sends the Temporal SDK's own log lines to ours, from warnings up. Call once, before the first connection.
 * Workflow and activity failures carry ids in their metadata, never payloads.
 *
 * @param metricsAddress where the SDK's own metrics are to be had; null for none.
 */
export function installTemporalRuntime(log: Logger, metricsAddress: string | null): void {
  const logger = new DefaultLogger('WARN', ({ level, message, meta }) => {
    const { workflowId, runId, activityType, workflowType, error } = meta ?? {};
    // The outcome of a run that stands for what has failed itself (workflows/failed-outcome.ts), which the activity has told.
    if (error instanceof Error && error.stack === '') return;
    const fields = {
      workflowId,
      runId,
      activityType,
      workflowType,
      ...(error !== undefined && { err: error }),
    };
    log[level === 'ERROR' ? 'error' : 'warn'](fields, `temporal: ${message}`);
  });
  Runtime.install({
    logger,
    shutdownSignals: [],
    telemetryOptions: {
      logging: { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }) },
      ...(metricsAddress !== null && {
        metrics: {
          prometheus: {
            bindAddress: metricsAddress,
            countersTotalSuffix: true,
            unitSuffix: true,
            useSecondsForDurations: true,
          },
        },
      }),
    },
  });
}
