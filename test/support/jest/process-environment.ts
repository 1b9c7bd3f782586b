import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { JestEnvironmentConfig } from '@jest/environment';

const jest = createRequire(createRequire(import.meta.url).resolve('jest'));
/** Loads a package that comes with jest, in the version that this jest uses. */
const fromJest = createRequire(createRequire(jest.resolve('@jest/core')).resolve('jest-runner'));

const { ModuleMocker } = fromJest('jest-mock') as typeof import('jest-mock');
const { ModernFakeTimers } = fromJest('@jest/fake-timers') as typeof import('@jest/fake-timers');

const LOADER = new URL('.', import.meta.url).href;

/**
 * Runs test files in the process of their jest worker, not in jest's sandboxes, where every file evaluates
 * all modules again (docs/performance.md). After each file it restores what jest or a test replaced in the
 * process.
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
 * Node names modules in stacks by URLs, but jest shortens and reads paths only. Frames of the code that loads
 * test files are left out.
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
