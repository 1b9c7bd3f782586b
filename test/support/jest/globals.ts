/** What a test file imports from `@jest/globals`. */
export interface Globals {
  readonly afterAll: unknown;
  readonly afterEach: unknown;
  readonly beforeAll: unknown;
  readonly beforeEach: unknown;
  readonly describe: unknown;
  readonly expect: unknown;
  readonly it: unknown;
  readonly jest: unknown;
}

/**
 * Replaces `@jest/globals` in test files and their support. Every file has new jest functions. Modules that
 * stay loaded see those of the running file, because an import follows its variable.
 */
export let { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } = {} as Globals;

/** Gives the functions of the file that runs from now on. */
export function useGlobals(globals: Globals): void {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } = globals);
}
