import { setImmediate } from 'node:timers/promises';

/** Work that nobody interrupts. Below the time of a payment's own steps, so that one that arrives meanwhile hardly notices. */
const PIECE_MS = 5;

/**
 * Presents the rows of a list, and lets other requests in between. A thousand rows at once would keep all others waiting for a tenth of a
 * second.
 */
export async function presentEach<Row, View>(
  rows: readonly Row[],
  present: (row: Row) => View | Promise<View>,
): Promise<View[]> {
  const views: View[] = [];
  let sinceMs = performance.now();
  for (const row of rows) {
    views.push(await present(row));
    if (performance.now() - sinceMs < PIECE_MS) continue;
    await setImmediate();
    sinceMs = performance.now();
  }
  return views;
}
