import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';

/**
 * Sends the Temporal SDK's own log lines, from warnings up, to our log. Call once, before the first connection.
 * Workflow and activity failures carry ids in their metadata, never payloads.
 *
 * @param metricsAddress the address of the SDK's own metrics; null for none.
 */
export function installTemporalRuntime(log: Logger, metricsAddress: string | null): void {
  const logger = new DefaultLogger('WARN', ({ level, message, meta }) => {
    const { workflowId, runId, activityType, workflowType, error } = meta ?? {};
    // The outcome of a run whose subject failed (workflows/lib/failed-outcome.ts); the activity has logged it.
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
