import { createRequire } from 'node:module';

const jest = createRequire(createRequire(import.meta.url).resolve('jest'));
const core = createRequire(jest.resolve('@jest/core'));

/** Loads a package that comes with jest, in the version that this jest uses. */
export const fromJest = createRequire(core.resolve('jest-runner'));
