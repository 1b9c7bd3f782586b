/**
 * Runs the local activities of one run one at a time. Without it, an activity of an update and one of the main line
 * can end in the same workflow task. The first run decides by whichever ended first; a replay receives both
 * together, decides in another order, and the run is stuck for ever.
 */
export class Mutex {
  #inTurn = 0;
  #beside = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** Whether any activity of the run is under way. */
  get isBusy(): boolean {
    return this.#inTurn + this.#beside > 0;
  }

  /** Counts a regular activity that has begun. It takes no lock. @returns the same promise. */
  beside<Result>(activity: Promise<Result>): Promise<Result> {
    const ended = () => {
      this.#beside -= 1;
    };
    this.#beside += 1;
    activity.then(ended, ended);
    return activity;
  }

  /** Starts the work at once if nothing else holds the mutex. */
  take<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#inTurn === 0 ? work() : this.#last.then(work);
    this.#inTurn += 1;
    this.#last = turn.then(
      () => this.#left(),
      () => this.#left(),
    );
    return turn;
  }

  #left(): void {
    this.#inTurn -= 1;
  }
}
