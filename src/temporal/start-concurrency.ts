/** Starts in flight at once. Temporal gains nothing from more (docs/performance.md). */
const CALM_LIMIT = 16;

/** Concurrent starts while charges arrive faster than Temporal can start them: answering requests comes first. */
const BURST_LIMIT = 1;

/** More waiting starts than this, about a second's worth, mean that starts do not keep up. */
const BURST_BACKLOG = 256;

/** A burst is over when no charge has arrived for this long. */
const CALM_MS = 100;

/** Limits concurrent starts. During a burst they yield to requests, which they would only slow down. */
export class StartConcurrency {
  #running = 0;
  #lastArrivalMs = 0;
  /** Starts within their environment's share, which precede all others. */
  readonly #first: (() => void)[] = [];
  readonly #queue: (() => void)[] = [];

  /** A charge arrived. */
  noteArrival(): void {
    this.#lastArrivalMs = Date.now();
  }

  /** Resolves when a start may begin; `leave` must follow. @param isFirst whether it precedes others. */
  async enter(isFirst: boolean): Promise<void> {
    if (this.#running < this.#limit()) {
      this.#running += 1;
      return;
    }
    await new Promise<void>((resolve) => {
      (isFirst ? this.#first : this.#queue).push(resolve);
    });
  }

  leave(): void {
    this.#running -= 1;
    while (this.#running < this.#limit()) {
      const next = this.#first.shift() ?? this.#queue.shift();
      if (next === undefined) return;
      this.#running += 1;
      next();
    }
  }

  /** Resolves when nothing runs and nothing waits. */
  async idle(): Promise<void> {
    while (this.#running > 0 || this.#first.length + this.#queue.length > 0) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  #limit(): number {
    if (this.#first.length > 0) return CALM_LIMIT;
    const bursting = Date.now() - this.#lastArrivalMs < CALM_MS;
    return bursting && this.#queue.length > BURST_BACKLOG ? BURST_LIMIT : CALM_LIMIT;
  }
}
