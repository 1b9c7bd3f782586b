import { fork } from 'node:child_process';
import { CodeChanges } from './code-changes.ts';
import { runInstance } from './instance.ts';

/** The folders that API and worker are loaded from. */
const CODE = ['src', 'workflows', 'activities'];

const SERVICE = new URL('dev-service.ts', import.meta.url);
const FOLLOW_PARENT = new URL('follow-parent.mjs', import.meta.url);

/** A worker may be waiting for the answer to a webhook; what it was at is done again by the next one. */
const STOP_GRACE_MS = 2_000;

/** API and worker in a process of their own. */
interface Service {
  /** Settles with the API's address once both run. */
  readonly ready: Promise<string>;
  /** Settles with how the process ended where nobody has stopped it. */
  readonly failed: Promise<string>;
  stop(): Promise<void>;
}

/**
 * `npm run dev`: as `npm start`, but API and worker are started again when their code changes. The servers
 * stay.
 */
await runInstance(({ environment, logFile, log, atEnd }) => {
  const changes = new CodeChanges(CODE);
  const firstReady = Promise.withResolvers<string>();
  let isEnding = false;
  let service = startService(environment, logFile);
  atEnd(async () => {
    isEnding = true;
    changes.close();
    await service.stop();
  });

  const keepRunning = async () => {
    void service.ready.then(firstReady.resolve);
    while (!isEnding) {
      void service.failed.then((how) =>
        log(`API and worker have ended (${how}); the next change of the code starts them again`),
      );
      const file = await changes.next();
      const changedMs = performance.now();
      await service.stop();
      if (isEnding) return;
      service = startService(environment, logFile);
      void service.ready.then((apiUrl) => {
        firstReady.resolve(apiUrl);
        const seconds = ((performance.now() - changedMs) / 1_000).toFixed(1);
        log(`${file} has changed: API and worker run again, ${seconds} s later`);
      });
    }
  };
  void keepRunning();
  return firstReady.promise;
});

function startService(environment: NodeJS.ProcessEnv, logFile: string): Service {
  const child = fork(SERVICE, [logFile, ...process.argv.slice(2)], {
    execArgv: ['--import', FOLLOW_PARENT.href],
    env: { ...environment, RECEBE_BOOTSTRAP_PID: String(process.pid) },
    // In a group of its own it is stopped by us only, and once.
    detached: process.platform !== 'win32',
  });
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  let isStopped = false;
  return {
    ready: new Promise((resolve) => {
      child.once('message', (apiUrl) => resolve(String(apiUrl)));
    }),
    failed: new Promise((resolve) => {
      void exited.then((how) => isStopped || resolve(how));
    }),
    stop: async () => {
      isStopped = true;
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_GRACE_MS);
      await exited;
      clearTimeout(timer);
    },
  };
}
