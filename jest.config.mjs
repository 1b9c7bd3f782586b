/** @type {import('jest').Config} */
export default {
  // Each worker is one process without sandboxes, whose modules Node loads, once.
  testEnvironment: '<rootDir>/test/support/jest/process-environment.ts',
  runtime: '<rootDir>/test/support/jest/process-runtime.ts',
  transform: {},
  roots: ['<rootDir>/test'],
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testSequencer: '<rootDir>/test/support/jest/long-files-first.mjs',
  globalSetup: '<rootDir>/test/support/jest/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/jest/global-teardown.ts',
  // Starting a Temporal worker alone takes seconds on a busy machine with two cores, and whatever waits for
  // something gives up first.
  testTimeout: 180_000,
  // Every worker brings its own clients, Temporal workers and servers. With three of them two cores took no less time in all,
  // and each test more.
  maxWorkers: 2,
  watchman: false,
};
