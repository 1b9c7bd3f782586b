import { createRequire } from 'node:module';
import { relative, sep } from 'node:path';

// It comes with jest, whose own sequencer it is, and whose version it has to be.
const jest = createRequire(createRequire(import.meta.url).resolve('jest'));
const { default: Sequencer } = createRequire(jest.resolve('@jest/core'))('@jest/test-sequencer');

/** The folders whose files take longest, in this order. */
export const LONG_FOLDERS = ['test/faults/', 'test/journey/', 'test/workflows/'];

/**
 * Starts with the longest files, so that no worker still runs one when the others are done. Jest does this by itself once it
 * has recorded how long files take. On the first run of a machine it has no record, and would guess by file size.
 */
export default class LongFilesFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    if (sorted.some(({ duration }) => duration !== undefined)) return sorted;
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

function rankOf({ path, context }) {
  const file = relative(context.config.rootDir, path).split(sep).join('/');
  const index = LONG_FOLDERS.findIndex((folder) => file.startsWith(folder));
  return index === -1 ? LONG_FOLDERS.length : index;
}
