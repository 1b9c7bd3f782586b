import { loadConfigOrExit } from '../src/config.ts';
import { migrate } from '../src/database/migrate.ts';
import { onStopSignal } from '../src/run/stop-signal.ts';
import { startService } from '../src/service.ts';
import { instanceLog } from './instance-log.ts';

// API and worker of `npm run dev`, in a process of their own so that the next one loads what has changed.
const config = loadConfigOrExit(process.env);
await migrate(config.databaseUrl);
const [logFile = ''] = process.argv.slice(2);
const service = await startService(config, instanceLog(logFile, config.logLevel));
onStopSignal(async () => {
  await service.stop();
  process.exit(0);
});
process.send?.(service.apiUrl);
