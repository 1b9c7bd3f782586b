import { startService } from '../src/service.ts';
import { runInstance } from './instance.ts';

/** `npm start`: everything on one machine, API and worker in this process. */
await runInstance(async ({ config, atEnd }) => {
  const { apiUrl, stop } = await startService(config);
  atEnd(stop);
  return apiUrl;
});
