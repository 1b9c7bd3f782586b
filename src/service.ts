import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { openDatabase } from './database/orm.ts';
import { ACTIVITY_LIMITS, REQUEST_LIMITS } from './database/time-limits.ts';
import { createLogger } from './log.ts';
import { type RunningApi, runApi } from './run/api.ts';
import { startMetrics } from './run/metrics/metrics-server.ts';
import { freeSdkAddress } from './run/metrics/sdk-metrics.ts';
import { configuredParts } from './run/parts.ts';
import { personalNumbersWhenUp } from './run/personal-numbers.ts';
import { runWorker } from './run/worker.ts';
import { connectTemporal, temporalClient } from './temporal/client.ts';
import { installTemporalRuntime } from './temporal/runtime.ts';
import { QUEUE_NAMES } from './temporal/task-queues.ts';
import { startTracing } from './tracing/start-tracing.ts';

/** API and worker in one process, for one machine: used by `npm start` and the tests. */
export async function startService(
  config: Config,
  log: Logger = createLogger(config.logLevel),
): Promise<RunningApi> {
  const sdkAddress = config.metricsPort === null ? null : await freeSdkAddress();
  installTemporalRuntime(log, sdkAddress);
  const { databaseUrl, databasePoolSize } = config;
  // Two pools, so that activities never keep a request waiting for a connection.
  const [database, workerDatabase] = await Promise.all([
    openDatabase(databaseUrl, databasePoolSize, REQUEST_LIMITS),
    openDatabase(databaseUrl, databasePoolSize, ACTIVITY_LIMITS),
  ]);
  for (const each of [database, workerDatabase]) await personalNumbersWhenUp(config, each, log);
  const connection = await connectTemporal(config.temporal);
  const tracing = await startTracing(config);
  const client = temporalClient(connection, config.temporal, tracing?.client ?? null);
  const parts = configuredParts(config, database, client, log);
  const databases = { api: database, worker: workerDatabase };
  const metrics = await startMetrics({ databases, client, config, sdkAddress, log });
  const api = await runApi(parts, config);
  const worker = await runWorker(
    { ...parts, database: workerDatabase },
    connection,
    config,
    api.apiUrl,
    QUEUE_NAMES,
    tracing,
  );
  return {
    apiUrl: api.apiUrl,
    stop: async () => {
      await api.stop();
      await worker.stop();
      await Promise.all([metrics?.close(), tracing?.close()]);
      await parts.starter.close();
      await connection.close();
      await Promise.all([database.close(true), workerDatabase.close(true)]);
    },
  };
}
