/** Stores whose backlog delays others. Every second look of the sweeper leaves them out, for a while. */
export class CrowdedStores {
  readonly #lastsMs: number;
  readonly #untilMs = new Map<string, number>();

  /** @param lastsMs how long a store counts as crowded after it was noted. */
  constructor(lastsMs: number) {
    this.#lastsMs = lastsMs;
  }

  note(storeId: string): void {
    this.#untilMs.set(storeId, performance.now() + this.#lastsMs);
  }

  now(): string[] {
    for (const [storeId, untilMs] of this.#untilMs)
      if (untilMs < performance.now()) this.#untilMs.delete(storeId);
    return [...this.#untilMs.keys()];
  }
}
