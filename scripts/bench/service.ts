import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Endpoints } from '../embedded/data-folder.ts';
import { openLog } from '../embedded/log-file.ts';
import { freePort } from '../embedded/ports.mjs';
import { spawnGuarded } from '../embedded/process.mjs';
import { until } from './load.ts';

const SCRIPTS = dirname(dirname(fileURLToPath(import.meta.url)));

/** Ignores the user's settings: they are for another service, and must not lead the bench to that service's database. */
const SETTINGS =
  /^(DATABASE_|TEMPORAL_|RECEBE_|PLATFORM_FEE_|CHECKOUT_|RATE_LIMIT_|LIMIT_|TRUSTED_|SECRETS_|MAX_CONNECTIONS(_PER_ADDRESS)?$|WEBHOOK_|WORKER_|NODE_ENV$|HOST$|PORT$|PUBLIC_URL$|LOG_LEVEL$)/;

/** The service stops its worker (up to 15 s), then Temporal and Postgres (up to 10 s each). */
const STOP_GRACE_MS = 45_000;

/** Where the service's worker listens. */
export const SERVICE_QUEUE = 'recebe';

export interface Process {
  stop(): Promise<void>;
}

/** Turns limits off, because the bench measures the capacity of the service with one key. */
export const UNLIMITED = { RATE_LIMIT_PER_SECOND: '0' };

/** The default settings. */
export const LIMITED = { RATE_LIMIT_PER_SECOND: '100', RATE_LIMIT_BURST: '200' };

/** The same for people without a session or key, whose addresses a proxy on this machine names. */
export const LIMITED_STRANGERS = {
  ...LIMITED,
  LIMIT_ANONYMOUS_TRAFFIC: 'true',
  TRUSTED_PROXIES: '127.0.0.1,::1',
};

/**
 * Runs what `npm start` runs, on data in `folder`: durable Postgres, Temporal, and API and worker in one
 * process. Its log goes to a file, as in production.
 * @param profileFolder where to write V8's CPU profiles when it stops, or undefined for none.
 */
export async function spawnService(
  folder: string,
  profileFolder: string | undefined,
  limits: Readonly<Record<string, string>> = UNLIMITED,
): Promise<Process & { readonly pid: number; ready(): Promise<Endpoints> }> {
  const profile =
    profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${resolve(profileFolder)}`];
  const service = spawnNode([...profile, join(SCRIPTS, 'start.ts')], join(folder, 'service.log'), {
    RECEBE_DATA: folder,
    PORT: String(await freePort()),
    RECEBE_POSTGRES_PORT: String(await freePort()),
    RECEBE_TEMPORAL_PORT: String(await freePort()),
    RECEBE_TEMPORAL_UI_PORT: String(await freePort()),
    ALLOW_PRIVATE_ENDPOINTS: 'true',
    LIMIT_ANONYMOUS_TRAFFIC: 'false',
    ...limits,
  });
  const endpointsFile = join(folder, 'endpoints.json');
  const ready = async (): Promise<Endpoints> => {
    await until('the service to start', () => {
      if (service.hasExited()) throw new Error(`the service did not start:\n${service.lastWords()}`);
      return existsSync(endpointsFile);
    });
    return JSON.parse(readFileSync(endpointsFile, 'utf8'));
  };
  return { pid: service.pid, ready, stop: () => service.stop(STOP_GRACE_MS) };
}

/** Runs another API of the same service, as clusters do. It is ready as soon as it answers. */
export function spawnApi(
  folder: string,
  settings: Readonly<Record<string, string>>,
): Process & { ready(): Promise<string> } {
  const env = { ...UNLIMITED, LIMIT_ANONYMOUS_TRAFFIC: 'false', ...settings };
  const api = spawnNode([join(dirname(SCRIPTS), 'src', 'server.ts')], join(folder, 'api.log'), env);
  const url = `http://127.0.0.1:${settings.PORT}`;
  const ready = async () => {
    await until('the API to start', async () => {
      if (api.hasExited()) throw new Error(`the API did not start:\n${api.lastWords()}`);
      return fetch(`${url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      );
    });
    return url;
  };
  return { ready, stop: () => api.stop(STOP_GRACE_MS) };
}

/** Runs a worker of the do-nothing workflow. */
export function spawnNothingWorker(folder: string, address: string, taskQueue: string): Process {
  const script = join(SCRIPTS, 'bench', 'nothing-worker.ts');
  const worker = spawnNode([script, address, taskQueue], join(folder, 'nothing-worker.log'), {});
  return { stop: () => worker.stop() };
}

function spawnNode(args: string[], logFile: string, env: NodeJS.ProcessEnv) {
  const own = Object.entries(process.env).filter(([name]) => !SETTINGS.test(name));
  const log = openLog(logFile);
  const child = spawnGuarded(process.execPath, args, {
    endSignal: 'SIGTERM',
    cwd: dirname(SCRIPTS),
    env: { ...Object.fromEntries(own), ...env },
    outputFd: log.fd,
  });
  log.close();
  return { ...child, lastWords: () => log.written().trim().slice(-2_000) };
}
