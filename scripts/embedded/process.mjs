import { spawn } from 'node:child_process';

/**
 * Opens a pipe to the launcher, becomes the wanted program, and leaves a watcher behind that reads the pipe:
 * a line means that the program has ended, end of file that the launcher was killed, and then the program's
 * group is ended. Unlike a pid file this needs no next start to clean up, and unlike PR_SET_PDEATHSIG it
 * works beyond Linux.
 */
const GUARD = 'exec 3<&0; (read -r _ <&3 || kill -s "$0" -- -$$) >/dev/null 2>&1 & exec "$@" </dev/null 3<&-';

const alive = new Set();

/** Nothing is started any more, such as another attempt after a build that was interrupted. */
let isEnding = false;

/**
 * Starts a program in a process group of its own, so that Ctrl-C in the terminal reaches only its launcher.
 */
export function spawnGuarded(command, args, options) {
  if (isEnding) throw new Error('stopped');
  const output = options.outputFd ?? 'pipe';
  const settings = {
    cwd: options.cwd ?? '/',
    env: options.env ?? process.env,
    ...(options.account ?? {}),
  };
  const child =
    process.platform === 'win32'
      ? spawn(command, args, { ...settings, cwd: options.cwd, stdio: ['ignore', output, output] })
      : spawn(
          '/bin/sh',
          [
            '-c',
            options.privateFiles ? `umask 077; ${GUARD}` : GUARD,
            options.endSignal.slice(3),
            command,
            ...args,
          ],
          {
            ...settings,
            detached: true,
            stdio: ['pipe', output, output],
          },
        );
  child.stdin?.on('error', () => {}); // The watcher may be gone before its last line is written.
  if (options.onOutput) {
    child.stdout?.setEncoding('utf8').on('data', options.onOutput);
    child.stderr?.setEncoding('utf8').on('data', options.onOutput);
  }
  const guarded = guardedProcess(child, options.endSignal);
  alive.add(guarded);
  guarded.exited.finally(() => alive.delete(guarded)).catch(() => {});
  return guarded;
}

function guardedProcess(child, endSignal) {
  let ended = false;
  const exited = new Promise((resolve) => {
    const finish = (how) => {
      ended = true;
      child.stdin?.end('ended\n');
      resolve(how);
    };
    child.once('exit', (code, signal) => finish(signal ?? `exit code ${code}`));
    child.once('error', (error) => finish(error.message));
  });
  const signalGroup = (signal) => {
    if (ended || child.pid === undefined) return;
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  };
  const stop = async (graceMs = 10_000) => {
    if (ended) return;
    signalGroup(endSignal);
    const timer = setTimeout(() => signalGroup('SIGKILL'), graceMs);
    await exited;
    clearTimeout(timer);
  };
  return { pid: child.pid ?? -1, exited, hasExited: () => ended, stop };
}

/** Ends every guarded process that still runs, such as a build that was interrupted, and lets no other start. */
export async function stopGuardedProcesses() {
  isEnding = true;
  await Promise.all([...alive].map((guarded) => guarded.stop(2_000)));
}

/**
 * Runs a program to its end, saying every five seconds that it still runs, unless the caller follows its output.
 * @throws Error with the last lines of its output when it fails or cannot be started.
 */
export async function runToEnd(what, command, args, { log, cwd, env, onOutput }) {
  const startedMs = performance.now();
  let output = '';
  const program = spawnGuarded(command, args, {
    endSignal: 'SIGTERM',
    ...(cwd === undefined ? {} : { cwd }),
    ...(env === undefined ? {} : { env }),
    onOutput: (text) => {
      output = (output + text).slice(-4_000);
      onOutput?.(text);
    },
  });
  log(what);
  const say = () => log(`${what}: ${Math.round((performance.now() - startedMs) / 1_000)} s`);
  // A caller that follows the output says more itself.
  const timer = onOutput === undefined ? setInterval(say, 5_000) : undefined;
  const how = await program.exited.finally(() => clearInterval(timer));
  if (how === 'exit code 0') return;
  const lastLines = output.trim().split('\n').slice(-8).join('\n');
  throw new Error(`${command} failed (${how})${lastLines ? `:\n${lastLines}` : ''}`);
}
