/**
 * Reads rows page by page, oldest first, and starts from the oldest again after an incomplete page. So rows that
 * stay, because what they wait for does not come, delay others only briefly. Each process has its own position.
 */
export class Rotation<Instant> {
  readonly #beginning: Instant;
  #after: Instant;

  /** @param beginning an instant before that of any row. */
  constructor(beginning: Instant) {
    this.#beginning = beginning;
    this.#after = beginning;
  }

  /**
   * @param limit rows of a page.
   * @param read rows after an instant, oldest first, no more than `limit`.
   * @param instantOf what a row is sorted by.
   */
  async nextPage<Row>(
    limit: number,
    read: (after: Instant) => Promise<Row[]>,
    instantOf: (row: Row) => Instant,
  ): Promise<Row[]> {
    const rows = await read(this.#after);
    const last = rows[limit - 1];
    this.#after = last === undefined ? this.#beginning : instantOf(last);
    return rows;
  }
}
