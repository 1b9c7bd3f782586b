import { pathToFileURL } from 'node:url';
import type { JestEnvironmentConfig } from '@jest/environment';
import { fromJest } from './from-jest.ts';

const { ModuleMocker } = fromJest('jest-mock') as typeof import('jest-mock');
const { ModernFakeTimers } = fromJest('@jest/fake-timers') as typeof import('@jest/fake-timers');

const LOADER = new URL('.', import.meta.url).href;

/**
 * What a test file runs in: the process of its jest worker, as the service runs in a process, and not one of
 * jest's sandboxes, in which every file evaluates all modules anew (docs/performance.md). What jest or a test
 * replaces in the process is put back after each file.
 */
export default class ProcessEnvironment {
  readonly global = globalThis;
  readonly moduleMocker = new ModuleMocker(globalThis);
  readonly fakeTimers = null;
  readonly fakeTimersModern: InstanceType<typeof ModernFakeTimers>;
  readonly #rootDir: string;
  readonly #before = { console: globalThis.console, exit: process.exit, env: { ...process.env } };
  #prepareStackTrace = Error.prepareStackTrace;

  constructor({ projectConfig }: JestEnvironmentConfig) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.#rootDir = projectConfig.rootDir;
  }

  /** There is no sandbox. */
  getVmContext() {
    return null;
  }

  async setup() {
    this.#prepareStackTrace = Error.prepareStackTrace;
    Error.prepareStackTrace = stacksWithPaths(this.#rootDir, this.#prepareStackTrace);
  }

  async teardown() {
    this.moduleMocker.restoreAllMocks();
    this.fakeTimersModern.dispose();
    Error.prepareStackTrace = this.#prepareStackTrace;
    const { console, exit, env } = this.#before;
    globalThis.console = console;
    process.exit = exit;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
  }
}

/**
 * Node names modules in stacks by URLs, and jest shortens and reads paths only. What loads test files is of
 * no interest in them.
 */
function stacksWithPaths(
  rootDir: string,
  prepare: typeof Error.prepareStackTrace,
): NonNullable<typeof Error.prepareStackTrace> {
  const root = pathToFileURL(`${rootDir}/`).href;
  return (error, frames) => {
    const shown = frames.filter((frame) => !frame.getFileName()?.startsWith(LOADER));
    const stack = prepare?.(error, shown) ?? [error, ...shown].join('\n    at ');
    return typeof stack === 'string' ? stack.replaceAll(root, `${rootDir}/`) : stack;
  };
}
