import { outOfReach } from '../../../api/frame/errors.ts';
import { placeToGiveUp } from '../../../api/limits/fair-share.ts';

interface Limits {
  /** Parallel downloads of this process. */
  readonly count: number;
  readonly perStore: number;
  /** How long a download waits for a slot. */
  readonly waitMs: number;
}

/** Who downloads. */
interface Downloader {
  readonly storeId: string;
  readonly personId: string;
}

interface Running extends Downloader {
  readonly end: AbortController;
}

interface Waiting extends Downloader {
  readonly start: () => void;
}

/**
 * Limits parallel downloads, each of which lasts as long as its browser reads. People share the slots: when those of a store or of the
 * process are full, the person with most downloads loses the oldest one to a person with fewer.
 */
export class DownloadSlots {
  readonly #limits: Limits;
  /** The oldest first. */
  readonly #running = new Set<Running>();
  readonly #waiting = new Set<Waiting>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /**
   * Runs `work` in a slot of this person. `work` must end soon after its signal is aborted.
   * @throws ApiError 503 if no slot is free in time; `work` has not run then.
   */
  async run<Result>(by: Downloader, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const running = await this.#taken(by);
    try {
      return await work(running.end.signal);
    } finally {
      this.#running.delete(running);
      this.#startWaiting();
    }
  }

  #taken({ storeId, personId }: Downloader): Promise<Running> {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.#waiting.delete(waiting);
        reject(outOfReach('Too many files of this store are being downloaded at the moment; please retry'));
      };
      const timer = setTimeout(giveUp, this.#limits.waitMs);
      const start = () => {
        clearTimeout(timer);
        const running = { storeId, personId, end: new AbortController() };
        this.#running.add(running);
        resolve(running);
      };
      const waiting = { storeId, personId, start };
      this.#waiting.add(waiting);
      this.#startWaiting();
      if (this.#waiting.has(waiting)) this.#makeRoom(waiting);
    });
  }

  #makeRoom({ storeId, personId }: Downloader): void {
    const isOfStore = (other: Downloader) => other.storeId === storeId;
    const rivals = this.#isFull(storeId) ? [...this.#running].filter(isOfStore) : [...this.#running];
    // The slots of others are about to be free already.
    const held = rivals.filter(({ end }) => !end.signal.aborted);
    const ended = placeToGiveUp(held, (download) => download.personId, personId);
    ended?.end.abort(new Error('the download made room for another person'));
  }

  #startWaiting(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      this.#waiting.delete(next);
      next.start();
    }
  }

  /** Among those that may start, the first one of the person with the fewest downloads, and then of the store with the fewest. */
  #next(): Waiting | undefined {
    if (this.#running.size >= this.#limits.count) return undefined;
    return [...this.#waiting]
      .filter(({ storeId }) => !this.#isFull(storeId))
      .sort((a, b) => this.#ofPerson(a) - this.#ofPerson(b) || this.#ofStore(a) - this.#ofStore(b))[0];
  }

  #isFull(storeId: string): boolean {
    return this.#ofStore({ storeId }) >= this.#limits.perStore;
  }

  #ofStore({ storeId }: Pick<Downloader, 'storeId'>): number {
    return [...this.#running].filter((running) => running.storeId === storeId).length;
  }

  #ofPerson({ personId }: Downloader): number {
    return [...this.#running].filter((running) => running.personId === personId).length;
  }
}
