import type { Config } from './config.ts';
import { openDatabase } from './database/orm.ts';
import { createLogger } from './log.ts';
import { type RunningApi, runApi } from './run/api.ts';
import { createParts } from './run/parts.ts';
import { runWorker } from './run/worker.ts';
import { connectTemporal, temporalClient } from './temporal/client.ts';
import { installTemporalRuntime } from './temporal/runtime.ts';

/** API and worker in one process, for one machine: what `npm start` and the tests run. */
export async function startService(config: Config): Promise<RunningApi> {
  const log = createLogger(config.logLevel);
  installTemporalRuntime(log);
  const database = await openDatabase(config.databaseUrl, config.databasePoolSize);
  const connection = await connectTemporal(config.temporal);
  const client = temporalClient(connection, config.temporal);
  const parts = createParts(database, client, config.temporal.taskQueue, log);
  const api = await runApi(parts, config);
  const worker = await runWorker(parts, connection, config, api.apiUrl);
  return {
    apiUrl: api.apiUrl,
    stop: async () => {
      await api.stop();
      await worker.stop();
      await parts.starter.close();
      await connection.close();
      await database.close(true);
    },
  };
}
