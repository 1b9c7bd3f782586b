/** How many there are of each. */
export class Tally<Key> {
  readonly #counts = new Map<Key, number>();

  /** How many keys have any. */
  get size(): number {
    return this.#counts.size;
  }

  /** How many there are of one key. */
  of(key: Key): number {
    return this.#counts.get(key) ?? 0;
  }

  /** One more. */
  add(key: Key): void {
    this.#counts.set(key, this.of(key) + 1);
  }

  /** One less; keys without any are forgotten. */
  remove(key: Key): void {
    if (this.of(key) > 1) this.#counts.set(key, this.of(key) - 1);
    else this.#counts.delete(key);
  }
}
