import { fileURLToPath } from 'node:url';
import { isAlive } from '../../../scripts/embedded/foreign-process.ts';
import { spawnGuarded } from '../../../scripts/embedded/process.mjs';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * What `src/environment-variables.ts` names: of these a process under test gets what its test gives it, and nothing of ours.
 */
const SETTINGS =
  /^(DATABASE_|TEMPORAL_|RECEBE_|PLATFORM_FEE_|CHECKOUT_|RATE_LIMIT_|LIMIT_|TRUSTED_|SECRETS_|MAX_CONNECTIONS(_PER_ADDRESS)?$|METRICS_|OTEL_|WEBHOOK_|WORKFLOW_|WORKER_|ALLOW_PRIVATE_|ALLOW_LOOPBACK_|NODE_ENV$|HOST$|PORT$|PUBLIC_URL$|LOG_LEVEL$)/;

/**
 * A worker bundles its workflows first, which takes seconds where two do so on two busy cores, and more on
 * slower ones.
 */
const READY_TIMEOUT_MS = 90_000;

/** API or worker, as a process of its own. */
export interface ServiceProcess extends AsyncDisposable {
  readonly pid: number;
  /** Settles when it has ended, with its exit code or the signal that ended it. */
  readonly exited: Promise<string>;
  /** What it has logged so far. */
  output(): string;
  /** kill -9, and waits until it is gone. */
  kill(): Promise<void>;
  /** Asks it to end as an orchestrator does, and waits. @returns how it ended. */
  terminate(): Promise<string>;
}

export type Environment = Readonly<Record<string, string>>;

/** Runs `src/server.ts` until it serves. */
export async function startApi(env: Environment): Promise<ServiceProcess & { readonly url: string }> {
  const api = await startReady('src/server.ts', env, 'api ready');
  return { ...api.process, url: String(api.line.apiUrl) };
}

/** Runs `src/worker.ts` until it takes tasks. */
export async function startWorker(env: Environment, args: readonly string[] = []): Promise<ServiceProcess> {
  return (await startReady('src/worker.ts', env, 'worker ready', args)).process;
}

/** The environment of this process without settings of ours, and with those given. */
export function environmentWith(env: Environment): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !SETTINGS.test(name));
  // Tests send requests as fast as they can, with one key.
  return {
    ...Object.fromEntries(inherited),
    RATE_LIMIT_PER_SECOND: '0',
    LIMIT_ANONYMOUS_TRAFFIC: 'false',
    ...env,
  };
}

/** It ends with this process, however this one ends. */
export function spawnScript(
  script: string,
  env: Environment,
  args: readonly string[] = [],
): ServiceProcess & { onLine(listener: LineListener): void } {
  let output = '';
  let unfinished = '';
  const listeners: LineListener[] = [];
  const child = spawnGuarded(process.execPath, [script, ...args], {
    endSignal: 'SIGTERM',
    cwd: ROOT,
    env: environmentWith(env),
    onOutput: (text) => {
      output += text;
      const lines = (unfinished + text).split('\n');
      unfinished = lines.pop() ?? '';
      for (const line of lines) for (const listener of listeners) listener(line);
    },
  });
  const kill = async () => {
    if (isAlive(child.pid) && !child.hasExited()) process.kill(child.pid, 'SIGKILL');
    await child.exited;
  };
  return {
    pid: child.pid,
    exited: child.exited,
    output: () => output,
    onLine: (listener) => listeners.push(listener),
    kill,
    terminate: () => {
      process.kill(child.pid, 'SIGTERM');
      return child.exited;
    },
    [Symbol.asyncDispose]: kill,
  };
}

type LineListener = (line: string) => void;

async function startReady(
  script: string,
  env: Environment,
  readyMessage: string,
  args: readonly string[] = [],
) {
  const child = spawnScript(script, env, args);
  const ready = Promise.withResolvers<Record<string, unknown>>();
  const fail = (reason: string) =>
    ready.reject(new Error(`${script} ${reason}:\n${child.output().slice(-3_000)}`));
  child.onLine((line) => {
    const parsed = parseLine(line);
    if (parsed?.msg === readyMessage) ready.resolve(parsed);
  });
  const timer = setTimeout(fail, READY_TIMEOUT_MS, `was not ready after ${READY_TIMEOUT_MS} ms`);
  void child.exited.then((how) => fail(`ended (${how})`));
  try {
    return { process: child, line: await ready.promise };
  } catch (error) {
    await child.kill();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Null for a line that is no log line, such as a warning of Node. */
function parseLine(line: string): Record<string, unknown> | null {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
