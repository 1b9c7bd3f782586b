/**
 * Whose place an owner may take, such as a person or a store, who has fewer places than another one: the oldest place of the owner
 * with the most, if the new owner would still have fewer than that one had.
 * @param held all places, the oldest first.
 * @returns undefined if everyone has a fair share.
 */
export function placeToGiveUp<Held>(
  held: readonly Held[],
  ownerOf: (place: Held) => string | undefined,
  newOwner: string,
): Held | undefined {
  const byOwner = Map.groupBy(held, ownerOf);
  const [most = []] = [...byOwner.values()].sort((a, b) => b.length - a.length);
  const own = byOwner.get(newOwner) ?? [];
  return own.length + 1 < most.length ? most[0] : undefined;
}
