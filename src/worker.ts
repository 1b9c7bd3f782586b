import { loadConfig } from './config.ts';
import { openDatabase } from './database/orm.ts';
import { ACTIVITY_LIMITS } from './database/time-limits.ts';
import { createLogger } from './log.ts';
import { createParts } from './run/parts.ts';
import { onStopSignal } from './run/stop-signal.ts';
import { runWorker } from './run/worker.ts';
import { connectTemporalWhenUp, temporalClient } from './temporal/client.ts';
import { installTemporalRuntime } from './temporal/runtime.ts';

// The production entry point of workers: stateless, any number of them.
const config = loadConfig(process.env);
const log = createLogger(config.logLevel);
installTemporalRuntime(log);
const database = await openDatabase(config.databaseUrl, config.databasePoolSize, ACTIVITY_LIMITS);
const connection = await connectTemporalWhenUp(config.temporal, log);
const parts = createParts(
  database,
  temporalClient(connection, config.temporal),
  config.temporal.taskQueue,
  log,
);
const publicUrl = config.publicUrl ?? `http://${config.host}:${config.port}`;
const worker = await runWorker(parts, connection, config, publicUrl);
log.info({ taskQueue: config.temporal.taskQueue }, 'worker ready');
onStopSignal(() => {
  log.info('worker stopping');
  return worker.stop();
});
await worker.ended;
await parts.starter.close();
await connection.close();
await database.close(true);
