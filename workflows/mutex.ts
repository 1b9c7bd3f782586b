import { activitiesRunOneAtATime } from './versions.ts';

/**
 * Lets the local activities of one run take turns. Two of them at once, one of an update and one of the main
 * line, can end in one workflow task: what follows each was then decided by which was first, but a replay is
 * told of both together, decides in another order, and the run is stuck for ever.
 */
export class Mutex {
  #inTurn = 0;
  #beside = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** Whether any activity of the run is under way. */
  get isBusy(): boolean {
    return this.#inTurn + this.#beside > 0;
  }

  /** Notes a regular activity that has begun: it waits for nothing, and nothing waits for it. @returns the same. */
  beside<Result>(activity: Promise<Result>): Promise<Result> {
    const ended = () => {
      this.#beside -= 1;
    };
    this.#beside += 1;
    activity.then(ended, ended);
    return activity;
  }

  /** Begins the work at once where nothing else is in its turn. */
  take<Result>(work: () => Promise<Result>): Promise<Result> {
    const isFree = this.#inTurn === 0 || !activitiesRunOneAtATime();
    const turn = isFree ? work() : this.#last.then(work);
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
