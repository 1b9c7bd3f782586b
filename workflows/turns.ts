import { activitiesTakeTurns } from './versions.ts';

/**
 * Lets the local activities of one run take turns. Two of them at once, one of an update and one of the main
 * line, can end in one workflow task: what follows each was then decided by which was first, but a replay is
 * told of both together, decides in another order, and the run is stuck for ever.
 */
export class Turns {
  #inTurn = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** Whether {@link take} would have the work wait. */
  get areTaken(): boolean {
    return this.#inTurn > 0;
  }

  /** Begins the work at once where nothing else is in its turn. */
  take<Result>(work: () => Promise<Result>): Promise<Result> {
    const isFree = !this.areTaken || !activitiesTakeTurns();
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
