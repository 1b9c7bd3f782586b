import { loadConfigOrExit } from './config.ts';
import { openDatabase } from './database/orm.ts';
import { REQUEST_LIMITS } from './database/time-limits.ts';
import { createLogger } from './log.ts';
import { runApi } from './run/api.ts';
import { startMetrics } from './run/metrics/metrics-server.ts';
import { configuredParts } from './run/parts.ts';
import { personalNumbersWhenUp } from './run/personal-numbers.ts';
import { onStopSignal } from './run/stop-signal.ts';
import { lazyTemporalClient } from './temporal/client.ts';
import { startTracing } from './tracing/start-tracing.ts';

// The production entry point of the API: stateless, with any number of instances. It needs only Postgres. Charges are accepted
// while Temporal is down; their workflows start when it is back.
const config = loadConfigOrExit(process.env);
const log = createLogger(config.logLevel);
const database = await openDatabase(config.databaseUrl, config.databasePoolSize, REQUEST_LIMITS);
await personalNumbersWhenUp(config, database, log);
const tracing = await startTracing(config);
const client = lazyTemporalClient(config.temporal, tracing?.client);
const parts = configuredParts(config, database, client, log);
const metrics = await startMetrics({ databases: { api: database }, client, config, sdkAddress: null, log });
const api = await runApi(parts, config);
log.info({ apiUrl: api.apiUrl }, 'api ready');
onStopSignal(async () => {
  await api.stop();
  await Promise.all([metrics?.close(), tracing?.close()]);
  await parts.starter.close();
  await database.close(true);
  // The Temporal client's connection is left open: if Temporal is down, closing it throws from a retry timer.
  process.exit(0);
});
