import { letOthersRun } from '../../request-cost.ts';

/** Work that nobody interrupts. Below the time of a payment's own steps, so that one that arrives meanwhile hardly notices. */
const PIECE_MS = 5;

/** Rows that are read at once: the largest page of a list of v2, and the row that shows whether there are more. */
export const PIECE_ROWS = 101;

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
    await letOthersRun();
    sinceMs = performance.now();
  }
  return views;
}

/** The same for rows that need further rows, which are loaded for a piece of the list at once. */
export async function presentPieces<Row, View>(
  rows: readonly Row[],
  present: (piece: readonly Row[]) => Promise<readonly View[]>,
): Promise<View[]> {
  const views: View[] = [];
  for (let from = 0; from < rows.length; from += PIECE_ROWS) {
    views.push(...(await present(rows.slice(from, from + PIECE_ROWS))));
  }
  return views;
}
