import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Environment, environmentWith } from '../../test/support/servers/processes.ts';
import { openLog } from '../embedded/log-file.ts';
import { type GuardedProcess, spawnGuarded } from '../embedded/process.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** How long an orchestrator waits before it restarts a process that exited. */
const RESTART_AFTER_MS = 1_000;
const READY_TIMEOUT_MS = 120_000;
const LOOK_EVERY_MS = 100;

/** The program of a process. */
export interface Program {
  /** The name of the process and of its log. */
  readonly name: string;
  /** The program that runs the arguments. Default: Node.js. */
  readonly command?: string;
  /** The script and its arguments. */
  readonly args: readonly string[];
  /** The output that shows that it is ready. */
  readonly readyText: string;
}

/** An API or a worker of the service, by its kind and number. */
export function serviceProgram(kind: 'api' | 'worker', number: number): Program {
  const script = kind === 'api' ? 'src/server.ts' : 'src/worker.ts';
  return { name: `${kind} ${number}`, args: [script], readyText: ' ready"' };
}

/** A process that is restarted as an orchestrator would, and killed or paused by faults. */
export class ServiceProcess implements AsyncDisposable {
  readonly name: string;
  readonly #program: Program;
  readonly #env: Environment;
  readonly #logFile: string;
  #current: GuardedProcess | null = null;
  #isPaused: boolean = false;
  /** The number of faults that keep it down. It starts when the last of them ends. */
  #keptDownBy = 0;
  #written = () => '';
  /** How often it has ended without being stopped. */
  endedByItself = 0;

  constructor(program: Program, env: Environment, folder: string) {
    this.name = program.name;
    this.#program = program;
    this.#env = env;
    this.#logFile = join(folder, `${program.name.replace(' ', '-')}.log`);
  }

  start(): void {
    this.#keptDownBy = Math.max(0, this.#keptDownBy - 1);
    if (this.#keptDownBy > 0) return;
    const log = openLog(this.#logFile);
    const started = spawnGuarded(this.#program.command ?? process.execPath, [...this.#program.args], {
      endSignal: 'SIGTERM',
      cwd: ROOT,
      env: environmentWith(this.#env),
      outputFd: log.fd,
    });
    log.close();
    this.#written = log.written;
    this.#current = started;
    void started.exited.then(async () => {
      if (this.#current !== started) return;
      this.endedByItself += 1;
      await sleep(RESTART_AFTER_MS);
      if (this.#current === started && this.#keptDownBy === 0) this.start();
    });
  }

  /** Resolves when it has reported since its last start that it is ready. */
  async ready(): Promise<void> {
    const deadlineMs = performance.now() + READY_TIMEOUT_MS;
    while (!this.#written().includes(this.#program.readyText)) {
      if (performance.now() > deadlineMs) throw new Error(`${this.name} is not ready: see ${this.#logFile}`);
      await sleep(LOOK_EVERY_MS);
    }
  }

  /** Kills it with SIGKILL, and waits until the process is gone. It is not restarted until `start`. */
  async kill(): Promise<void> {
    this.#keptDownBy += 1;
    const killed = this.#current;
    this.#current = null;
    this.#isPaused = false;
    if (killed === null || killed.hasExited()) return;
    process.kill(killed.pid, 'SIGKILL');
    await killed.exited;
  }

  /** Pauses it, like a machine that swaps or a virtual machine that migrates. */
  pause(): void {
    this.#signal('SIGSTOP');
    this.#isPaused = true;
  }

  goOn(): void {
    if (this.#isPaused) this.#signal('SIGCONT');
    this.#isPaused = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.#current !== null && !this.#current.hasExited()) process.kill(this.#current.pid, signal);
  }
}
