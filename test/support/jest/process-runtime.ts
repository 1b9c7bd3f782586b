import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { type Globals, useGlobals } from './globals.ts';
import type ProcessEnvironment from './process-environment.ts';
import { IS_THOROUGH } from './thoroughness.ts';

const GLOBALS_URL = new URL('globals.ts', import.meta.url).href;

// The package of this name only throws: jest's own runtime replaces it as well.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: GLOBALS_URL, shortCircuit: true } : next(specifier, context),
});

// The same random cases in every run, so that it fails only because of a change. A thorough run tries other cases each time.
if (!IS_THOROUGH) fc.configureGlobal({ seed: 1 });

/** Test files that this process has loaded, and so cannot load again. */
const loaded = new Set<string>();

/**
 * How jest loads modules here: Node does it, which strips types by itself and keeps modules from file to file
 * of one worker. Modules cannot be mocked so: what a test replaces is handed in.
 */
export default class ProcessRuntime {
  readonly #environment: ProcessEnvironment;

  constructor(_config: unknown, environment: ProcessEnvironment) {
    this.#environment = environment;
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  async unstable_importModule(path: string) {
    if (loaded.has(path))
      throw new Error('A process loads a test file once: watching needs a new one, such as node --watch.');
    loaded.add(path);
    await import(pathToFileURL(path).href);
  }

  requireModule(path: string): unknown {
    return createRequire(path)(path);
  }

  /** Evaluates jest's framework again for each file, so that leftovers of a test report to its own file. */
  requireInternalModule(path: string): unknown {
    const require = createRequire(path);
    delete require.cache[path];
    Reflect.deleteProperty(globalThis, Symbol.for('EVENT_HANDLERS'));
    return require(path);
  }

  /** Of the object `jest` there is what our tests use. */
  setGlobalsForRuntime(globals: Omit<Globals, 'jest'>) {
    const { moduleMocker: mocker, fakeTimersModern: timers } = this.#environment;
    const jest = {
      fn: mocker.fn.bind(mocker),
      spyOn: mocker.spyOn.bind(mocker),
      restoreAllMocks: () => mocker.restoreAllMocks(),
      useFakeTimers: () => timers.useFakeTimers(),
      useRealTimers: () => timers.useRealTimers(),
      advanceTimersByTimeAsync: (ms: number) => timers.advanceTimersByTimeAsync(ms),
      getTimerCount: () => timers.getTimerCount(),
    };
    useGlobals({ ...globals, jest });
  }

  enterTestCode() {}

  leaveTestCode() {}

  getSourceMaps() {
    return new Map<string, string>();
  }

  getAllCoverageInfoCopy() {
    return undefined;
  }

  teardown() {}
}
