import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import type { Endpoints } from '../../../scripts/embedded/data-folder.ts';
import { type GuardedProcess, spawnGuarded } from '../../../scripts/embedded/process.mjs';
import { eventually } from '../waiting/eventually.ts';
import { lastingPort } from './lasting-port.ts';
import { anyRuns, processTree } from './process-tree.ts';
import { type Environment, environmentWith } from './processes.ts';
import { fastestRoot, makeTestFolder, removeTestFolder } from './test-folder.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Making a database cluster and two schemas takes seconds on a busy machine. */
const START_MS = 120_000;

/** A program that was started, with what it has printed so far. */
export interface Running extends GuardedProcess {
  output(): string;
}

/** A machine of one test's own, as far as `npm start` is concerned: a data folder, and what runs on it. */
export class OwnMachine implements AsyncDisposable {
  readonly dataFolder = makeTestFolder(fastestRoot());
  readonly #started: Running[] = [];

  /** Runs a command as a terminal does: in a process group of its own. */
  run(command: string, args: string[], env: Readonly<Record<string, string>>): Running {
    let output = '';
    const guarded = spawnGuarded(command, args, {
      endSignal: 'SIGTERM',
      cwd: ROOT,
      env: environmentWith({ RECEBE_DATA: this.dataFolder, ...env }),
      onOutput: (text) => {
        output += text;
      },
    });
    const running = { ...guarded, output: () => output };
    this.#started.push(running);
    return running;
  }

  /** Runs `npm start` on free ports until it serves. @param env more settings of it */
  async npmStart(env: Environment = {}): Promise<Running & { readonly endpoints: Endpoints }> {
    const running = this.run('npm', ['start'], { ...(await freePorts()), ...env });
    await saying(running, 'Ctrl-C stops everything');
    const endpoints = JSON.parse(readFileSync(join(this.dataFolder, 'endpoints.json'), 'utf8'));
    return { ...running, endpoints };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const running of this.#started) await killTree(running);
    removeTestFolder(this.dataFolder);
  }
}

/** Waits until it has printed this. @throws Error with all that it has printed when it ends without. */
export async function saying(running: Running, text: string): Promise<void> {
  const printed = eventually(() => expect(running.output()).toContain(text), START_MS).then(() => 'printed');
  const ended = running.exited.then((how) => `ended (${how}):\n${running.output()}`);
  expect(await Promise.race([printed, ended])).toBe('printed');
}

export async function freePorts() {
  return {
    PORT: String(await lastingPort()),
    RECEBE_POSTGRES_PORT: String(await lastingPort()),
    RECEBE_TEMPORAL_PORT: String(await lastingPort()),
    RECEBE_TEMPORAL_UI_PORT: String(await lastingPort()),
  };
}

/** kill -9 of a process and all its descendants, as when the machine's memory runs out. */
export async function killTree({ pid, hasExited }: GuardedProcess): Promise<void> {
  if (!hasExited()) await killAll(processTree(pid));
}

/** Kills these processes with kill -9 in this order, and waits until they have ended. */
export async function killAll(pids: readonly number[]): Promise<void> {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended with its parent.
    }
  }
  await eventually(() => expect(anyRuns(pids)).toBe(false));
}
