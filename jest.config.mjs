/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/test/support/jest-transform.mjs' },
  testSequencer: '<rootDir>/test/support/long-files-first.mjs',
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  // Starting a Temporal worker alone takes seconds on a busy machine with two cores, and whatever waits for
  // something gives up first.
  testTimeout: 180_000,
  // Every worker brings its own clients, Temporal workers and servers: more of them only wait for each other.
  maxWorkers: 2,
  watchman: false,
};
