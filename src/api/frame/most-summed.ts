/** Rows that the sums of a list read at most. Reading more would take longer than the rest of the page; days make the sums exact. */
export const MOST_SUMMED = 5_000;

/** Sums by their names, how many rows they are of, and whether there are more. */
export type CutSums<Name extends string> = Readonly<Record<Name | 'count', number>> & {
  readonly isCut: boolean;
};

/**
 * The sums of a list as its statement has read them. @param found the row; undefined is a list without rows. @param most the rows that
 * count. The statement reads one more, which shows that the sums are those of a part.
 */
export function cutSums<Name extends string>(
  found: Readonly<Record<Name | 'count', string>> | undefined,
  names: readonly Name[],
  most: number,
): CutSums<Name> {
  const count = Number(found?.count ?? 0);
  const sums = names.map((name) => [name, Number(found?.[name] ?? 0)]);
  return { ...Object.fromEntries(sums), count: Math.min(count, most), isCut: count > most };
}
