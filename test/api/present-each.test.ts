import { expect, it } from '@jest/globals';
import { presentEach } from '../../src/api/frame/present-each.ts';

/** Keeps the thread busy. */
const busyFor = (ms: number) => {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
};

it('presents rows in their order and lets other requests in between', async () => {
  const done: string[] = [];
  const presented = presentEach(['one', 'two', 'three'], async (row) => {
    busyFor(6);
    done.push(row);
    return row.toUpperCase();
  });
  setImmediate(() => done.push('other request'));
  expect(await presented).toEqual(['ONE', 'TWO', 'THREE']);
  expect(done).toEqual(['one', 'other request', 'two', 'three']);
});
