import { loadConfig } from '../src/config.ts';
import { migrate } from '../src/database/migrate.ts';
import { onStopSignal } from '../src/run/stop-signal.ts';
import { startService } from '../src/service.ts';

// API and worker of `npm run dev`, in a process of their own so that the next one loads what has changed.
const config = loadConfig(process.env);
await migrate(config.databaseUrl);
const service = await startService(config);
onStopSignal(async () => {
  await service.stop();
  process.exit(0);
});
process.send?.(service.apiUrl);
