import type { RequestCost } from '../../request-cost.ts';
import { tooManyReads } from './fair-slots.ts';
import { type KindOfTurn, ThreadDebts, ThreadTurns } from './thread-turns.ts';
import { WaitingRequests } from './waiting-requests.ts';

/** What a change may take of the main thread without owing anything. A charge takes three on a fast machine. */
const FREE_CHANGE_MS = 6;
/** The same for a read: the status of a charge takes one, and a list of large objects twenty. */
const FREE_READ_MS = 4;
/**
 * How long an owner pays back what a request took beyond that. With what is free, and with what is not counted, such as memory that is cleared
 * and sockets, expensive requests get about a quarter of the time.
 */
const PAID_BACK = 8;

/** The same for its statements. They take longer while others keep Postgres busy, so more of them is free; and Postgres has several cores. */
const FREE_STATEMENTS_MS = 5;
const STATEMENTS_PAID_BACK = 8;

const WAIT_MS = 5_000;
/** A change that takes longer waits for a bank, a name server or Postgres. */
const LONGEST_CHANGE_MS = 250;

/** Statements of a change are not paid back: they may wait for another change, and take nothing meanwhile. */
function owedForChange({ mainThreadMs }: RequestCost): number {
  return Math.max(0, (mainThreadMs - FREE_CHANGE_MS) * PAID_BACK);
}

function owedForRead({ mainThreadMs, postgresMs }: RequestCost): number {
  return Math.max(
    0,
    (mainThreadMs - FREE_READ_MS) * PAID_BACK,
    (postgresMs - FREE_STATEMENTS_MS) * STATEMENTS_PAID_BACK,
  );
}

const READ = { owedMs: owedForRead, waitMs: WAIT_MS } as const;

/** Hundreds at once would also delay the owner's own payments by their sum. */
const LISTS: KindOfTurn = { ...READ, alone: 4, beside: 4, inDebt: 1 };
/** Nearly all wait for Postgres only: more at once would hold the connections that a store needs which comes back. */
const GETS: KindOfTurn = { ...READ, alone: 8, beside: 4, inDebt: 1 };
/** Some wait for a file of the same person, or for Temporal. Each session opens one at a time while others are busy (`early-refusal.ts`). */
const PAGES: KindOfTurn = {
  ...READ,
  alone: Number.POSITIVE_INFINITY,
  beside: Number.POSITIVE_INFINITY,
  inDebt: 2,
};

const CHANGES: KindOfTurn = {
  alone: Number.POSITIVE_INFINITY,
  beside: Number.POSITIVE_INFINITY,
  inDebt: 4,
  owedMs: owedForChange,
  waitMs: WAIT_MS,
  longestMs: LONGEST_CHANGE_MS,
};

/** How requests take turns. */
export type TurnKind = 'list' | 'get' | 'page' | 'post' | 'form';

/** Their waiting requests are counted apart. What a stolen key has waiting keeps no owner from opening a page and revoking it. */
const BY_MEMBERS: ReadonlySet<TurnKind> = new Set<TurnKind>(['page', 'form']);

/**
 * Divides the main thread among the owners of requests, such as stores, by the time that their requests really take. What makes a
 * request expensive need not be known: whatever it is, such as the objects of a store or its clock, it is paid back.
 */
export class ThreadShares<Owner extends string> {
  readonly #waiting: Readonly<Record<'ofKeys' | 'ofMembers', WaitingRequests>>;
  readonly #turns: Readonly<Record<TurnKind, ThreadTurns<Owner>>>;

  /**
   * @param areOthersBusy whether somebody else needs the process. Nobody waits for a debt otherwise.
   * @param connections the most that the process has.
   */
  constructor(areOthersBusy: (owner: Owner) => boolean, connections: number) {
    this.#waiting = { ofKeys: new WaitingRequests(connections), ofMembers: new WaitingRequests(connections) };
    // Who reads much can still sell.
    const [reads, changes] = [new ThreadDebts<Owner>(), new ThreadDebts<Owner>()];
    this.#turns = {
      list: new ThreadTurns(reads, LISTS, areOthersBusy),
      get: new ThreadTurns(reads, GETS, areOthersBusy),
      page: new ThreadTurns(reads, PAGES, areOthersBusy),
      post: new ThreadTurns(changes, CHANGES, areOthersBusy),
      // In a line of their own, so that what a stolen key sends keeps no owner from revoking it.
      form: new ThreadTurns(changes, CHANGES, areOthersBusy),
    };
  }

  /**
   * Runs a request when its owner has paid back what earlier ones took.
   * @param part of the owner, such as a key, a member or a session. What one part sends does not keep the others waiting: parts take turns.
   * @throws ApiError 429 if that takes too long, or if too many of the owner wait; the request has not run then.
   */
  inTurn<Result>(owner: Owner, kind: TurnKind, run: () => Promise<Result>, part: string): Promise<Result> {
    return this.#run(owner, kind, run, part, true);
  }

  /**
   * The same for the beginning of a request whose rest has turns of its own, such as a file: only the beginning is paid back.
   * @throws ApiError 429 if its turn takes too long.
   */
  beginInTurn<Result>(
    owner: Owner,
    kind: TurnKind,
    begin: () => Promise<Result>,
    part: string,
  ): Promise<Result> {
    return this.#run(owner, kind, begin, part, false);
  }

  async #run<Result>(
    owner: Owner,
    kind: TurnKind,
    run: () => Promise<Result>,
    part: string,
    isWhole: boolean,
  ): Promise<Result> {
    const { ofKeys, ofMembers } = this.#waiting;
    const endWait = BY_MEMBERS.has(kind) ? ofMembers.begin(`${owner} ${part}`) : ofKeys.begin(owner);
    if (endWait === null) throw tooManyReads();
    const begin = () => {
      endWait();
      return run();
    };
    return this.#turns[kind].run(owner, begin, part, { isWhole }).finally(endWait);
  }
}
