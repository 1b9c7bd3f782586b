import { parseArgs } from 'node:util';
import { loadConfigOrExit } from './config.ts';
import { openDatabase } from './database/orm.ts';
import { ACTIVITY_LIMITS } from './database/time-limits.ts';
import { createLogger } from './log.ts';
import { startMetrics } from './run/metrics/metrics-server.ts';
import { freeSdkAddress } from './run/metrics/sdk-metrics.ts';
import { configuredParts } from './run/parts.ts';
import { personalNumbersWhenUp } from './run/personal-numbers.ts';
import { onStopSignal } from './run/stop-signal.ts';
import { runWorker } from './run/worker.ts';
import { connectTemporalWhenUp, temporalClient } from './temporal/client.ts';
import { installTemporalRuntime } from './temporal/runtime.ts';
import { QUEUE_NAMES, type QueueName } from './temporal/task-queues.ts';
import { startTracing } from './tracing/start-tracing.ts';

// The production entry point of workers: stateless, with any number of instances.
const config = loadConfigOrExit(process.env);
const log = createLogger(config.logLevel);
const sdkAddress = config.metricsPort === null ? null : await freeSdkAddress();
installTemporalRuntime(log, sdkAddress);
const database = await openDatabase(config.databaseUrl, config.databasePoolSize, ACTIVITY_LIMITS);
await personalNumbersWhenUp(config, database, log);
const connection = await connectTemporalWhenUp(config.temporal, log);
const tracing = await startTracing(config);
const client = temporalClient(connection, config.temporal, tracing?.client ?? null);
const parts = configuredParts(config, database, client, log);
const metrics = await startMetrics({ databases: { worker: database }, client, config, sdkAddress, log });
const publicUrl = config.publicUrl ?? `http://${config.host}:${config.port}`;
const queues = queuesNamedIn(process.argv.slice(2));
const worker = await runWorker(parts, connection, config, publicUrl, queues, tracing);
const { taskQueue, workerBuildId } = config.temporal;
log.info({ taskQueue, queues, ...(workerBuildId !== null && { workerBuildId }) }, 'worker ready');
onStopSignal(() => {
  log.info('worker stopping');
  return worker.stop();
});
await worker.ended;
await Promise.all([metrics?.close(), tracing?.close()]);
await parts.starter.close();
await connection.close();
await database.close(true);

/**
 * `--queues deliveries,billing`: the kinds of work this worker does; all of them by default.
 * @throws Error that lists the valid kinds.
 */
function queuesNamedIn(args: string[]): readonly QueueName[] {
  const { values } = parseArgs({ args, options: { queues: { type: 'string' } } });
  if (values.queues === undefined) return QUEUE_NAMES;
  return values.queues.split(',').map((given) => {
    const name = QUEUE_NAMES.find((known) => known === given.trim());
    if (name === undefined)
      throw new Error(`--queues: there is no "${given}"; known are ${QUEUE_NAMES.join(', ')}`);
    return name;
  });
}
