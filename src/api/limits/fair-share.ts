/**
 * Whose place a person may take who has fewer places than another one: the oldest place of the person with the most, if the new
 * person would still have fewer than that person had.
 * @param held all places, the oldest first.
 * @returns undefined if everyone has a fair share.
 */
export function placeToGiveUp<Held>(
  held: readonly Held[],
  personOf: (place: Held) => string | undefined,
  newPersonId: string,
): Held | undefined {
  const byPerson = Map.groupBy(held, personOf);
  const [most = []] = [...byPerson.values()].sort((a, b) => b.length - a.length);
  const own = byPerson.get(newPersonId) ?? [];
  return own.length + 1 < most.length ? most[0] : undefined;
}
