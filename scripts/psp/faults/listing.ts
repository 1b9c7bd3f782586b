import type { Faults } from '../faults.ts';

/** The items of a list after the faults of lists: some are left out, or all are named twice. */
export function listedItems<Item>(
  faults: Faults,
  operation: string,
  items: readonly Item[],
  idOf: (item: Item) => string,
): readonly Item[] {
  const omit = faults.take('LISTINGS_OMIT', operation);
  const kept = omit === null ? items : items.filter((item) => !faults.isAmong(omit.part, idOf(item)));
  const isRepeated = faults.take('LISTINGS_REPEAT', operation) !== null;
  return isRepeated ? kept.flatMap((item) => [item, item]) : kept;
}

/** Items of a list or notification, some of which the faults make unreadable for every client. */
export function perhapsMalformed<Item extends object>(
  faults: Faults,
  operation: string,
  items: readonly Item[],
): readonly unknown[] {
  const fault = faults.take('MALFORMED_ITEMS', operation);
  if (fault === null) return items;
  return items.map((item, index) =>
    faults.isAmong(fault.part, JSON.stringify(item)) ? MALFORMED[index % MALFORMED.length]?.(item) : item,
  );
}

const MALFORMED: readonly ((item: object) => unknown)[] = [
  (item) => ({ ...item, valor: 'dez reais' }),
  (item) => ({ ...item, endToEndId: undefined, txid: undefined }),
  () => null,
];
