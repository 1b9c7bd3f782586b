import { startService } from '../src/service.ts';
import { runInstance } from './instance.ts';
import { instanceLog } from './instance-log.ts';

/** `npm start`: everything on one machine, API and worker in this process. */
await runInstance(async ({ config, logFile, atEnd }) => {
  const { apiUrl, stop } = await startService(config, instanceLog(logFile, config.logLevel));
  atEnd(stop);
  return apiUrl;
});
