import { RecentMap } from '../../http/recent-map.ts';
import { costSince, costSoFar, onCostCounted, type RequestCost } from '../../request-cost.ts';
import { FairSlots, tooManyReads } from './fair-slots.ts';

/** A debt that nobody waits for: a large list now and then delays nothing. */
const CREDIT_MS = 500;
/** The longest that an owner waits, whatever it has taken: a request that hung, or an outage of Postgres, does not show how busy the process is. */
const LONGEST_REST_MS = 2_000;
/** Owners remembered in one process. */
const MOST_OWNERS = 10_000;

/** How many requests of an owner run at once, and what they owe. */
export interface KindOfTurn {
  /** While nobody else is busy. */
  readonly alone: number;
  readonly beside: number;
  /** While others are busy and the owner has a debt. */
  readonly inDebt: number;
  /** How long an owner pays back what a request took, in milliseconds; nothing if it was cheap. */
  readonly owedMs: (cost: RequestCost) => number;
  /** How long a request waits for its turn. */
  readonly waitMs: number;
  /** How long a turn lasts at most: what takes longer waits for somebody else, such as a bank, and keeps nobody waiting meanwhile. */
  readonly longestMs?: number;
}

/** What a request adds to a debt. */
interface Counting {
  /** Whether all that follows belongs to it. */
  readonly isWhole: boolean;
  /** Asked once the request has ended. Without it, all that a request takes is owed, and some of it as soon as its turn has ended. */
  readonly isOwed?: () => boolean;
}

/** Requests of one kind. While others are busy, each owner waits until it has paid back what earlier ones took. */
export class ThreadTurns<Owner extends string> {
  readonly #debts: ThreadDebts<Owner>;
  readonly #owedMs: KindOfTurn['owedMs'];
  readonly #longestMs: number | undefined;
  readonly #slots: FairSlots<Owner>;

  /** @param debts which several kinds may share. */
  constructor(debts: ThreadDebts<Owner>, kind: KindOfTurn, areOthersBusy: (owner: Owner) => boolean) {
    const { alone, beside, inDebt, owedMs, waitMs, longestMs } = kind;
    this.#debts = debts;
    this.#owedMs = owedMs;
    this.#longestMs = longestMs;
    this.#slots = new FairSlots({
      count: Number.POSITIVE_INFINITY,
      perOwner: (owner) => {
        if (!areOthersBusy(owner)) return alone;
        return debts.of(owner) > CREDIT_MS / 2 ? inDebt : beside;
      },
      waitMs,
      restMs: (owner) =>
        areOthersBusy(owner) ? Math.min(LONGEST_REST_MS, Math.max(0, debts.of(owner) - CREDIT_MS)) : 0,
      refusal: tooManyReads,
    });
  }

  /** @throws ApiError 429 if its turn does not come in time; it has not run then. */
  async run<Result>(
    owner: Owner,
    run: () => Promise<Result>,
    part: string,
    counting: Counting,
  ): Promise<Result> {
    const begun = await this.#slots.run(owner, () => this.#begin(owner, run, counting), part);
    return begun.result;
  }

  /** Runs a request, and ends its turn with it or after the longest time. The result is wrapped, so that it is not awaited here. */
  async #begin<Result>(
    owner: Owner,
    run: () => Promise<Result>,
    { isWhole, isOwed }: Counting,
  ): Promise<{ readonly result: Promise<Result> }> {
    const before = costSoFar();
    let owedMs = 0;
    const add = (cost: RequestCost) => {
      if (isOwed?.() === false) return;
      const allMs = this.#owedMs(costSince(before, cost));
      this.#debts.add(owner, allMs - owedMs);
      owedMs = allMs;
    };
    const result = run().finally(() => add(costSoFar()));
    // Sending a large answer takes as long as making it.
    if (isWhole) onCostCounted(add);
    await this.#endOfTurn(result);
    // The turn may end before the request: the pause after it depends on what it has taken so far.
    if (isOwed === undefined) add(costSoFar());
    return { result };
  }

  #endOfTurn(result: Promise<unknown>): Promise<void> {
    return new Promise((resolve) => {
      const longest =
        this.#longestMs === undefined ? undefined : setTimeout(resolve, this.#longestMs).unref();
      const end = () => {
        clearTimeout(longest);
        resolve();
      };
      result.then(end, end);
    });
  }
}

/** What owners have to pay back, in milliseconds. It shrinks as time passes. */
export class ThreadDebts<Owner extends string> {
  readonly #paidBackAtMs = new RecentMap<Owner, number>(MOST_OWNERS);

  add(owner: Owner, owedMs: number): void {
    if (owedMs === 0) return;
    const nowMs = performance.now();
    const fromMs = Math.max(nowMs, this.#paidBackAtMs.get(owner) ?? 0);
    this.#paidBackAtMs.set(owner, Math.min(fromMs + owedMs, nowMs + CREDIT_MS + LONGEST_REST_MS));
  }

  of(owner: Owner): number {
    return Math.max(0, (this.#paidBackAtMs.get(owner) ?? 0) - performance.now());
  }
}
