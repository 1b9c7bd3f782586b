import { globSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { END_TO_END_TESTS } from '../../scripts/end-to-end-tests.ts';
import { LONG_FOLDERS } from '../support/jest/long-files-first.mjs';

const FILES = globSync('test/**/*.test.ts').map((file) => `/${file.replaceAll('\\', '/')}`);

describe('the selection of tests', () => {
  it.each(END_TO_END_TESTS)('finds end-to-end tests by %s', (pattern) => {
    expect(FILES.filter((file) => new RegExp(pattern).test(file))).not.toEqual([]);
  });

  it.each(LONG_FOLDERS)('starts early with the files of %s', (folder) => {
    expect(FILES.some((file) => file.startsWith(`/${folder}`))).toBe(true);
  });
});
