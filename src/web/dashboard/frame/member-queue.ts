import { FairSlots, tooManyReads } from '../../../api/limits/fair-slots.ts';
import type { SessionId, StoreId, UserId } from '../../../domain/ids.ts';

/** In each line. Then the browser is asked to try again. */
const WAIT_MS = 10_000;

/**
 * Comparisons and new hashes of all members at once, each of which keeps a core busy for 20 ms. Together with those of strangers
 * (`PasswordQueue`) they leave one of libuv's four threads to files, compression and name look-ups.
 */
const AT_ONCE = 1;

/** The same pause as the work took: a flood takes half of a core from payments, and less while the machine is busy. */
const restOf = (_: string, tookMs: number) => tookMs;

/** Only the person's own attempts are in the way. */
const ONE_EACH = {
  count: Number.POSITIVE_INFINITY,
  perOwner: () => 1,
  waitMs: WAIT_MS,
  refusal: tooManyReads,
} as const;

/** The people of a store who have no session yet: they use a link, or sign in. */
export const WITHOUT_SESSION = 'without session';

/**
 * Where members wait until their password is compared: signed-in people who give it again, people who sign in with a browser of
 * theirs, and people who accept an invitation. It is apart from the queue of strangers, whose floods delay no member. A right password
 * costs no attempt, so without this line two people could take all cores from payments.
 */
export class MemberQueue {
  /** Sessions of a person take turns, so that a stolen one delays its owner by one comparison. */
  readonly #sessions = new FairSlots<SessionId>(ONE_EACH);
  readonly #people = new FairSlots<UserId>(ONE_EACH);
  readonly #places = new FairSlots<StoreId | UserId>({
    count: AT_ONCE,
    perOwner: () => 1,
    waitMs: WAIT_MS,
    restMs: restOf,
  });

  /**
   * Runs an attempt while no other one of the person runs in this process, in the order of their sessions.
   * @throws ApiError 429 if the person's other attempts take too long; the attempt has not run then.
   */
  alone<Result>(
    { id, sessionId }: { readonly id: UserId; readonly sessionId: SessionId },
    attempt: () => Promise<Result>,
  ): Promise<Result> {
    return this.#sessions.run(sessionId, () => this.#people.run(id, attempt));
  }

  /**
   * Compares or hashes when it is its turn. Stores take turns, so that the members of one delay those of another by one comparison. So do
   * the members of a store, and those whom it has invited have one turn together: it may invite thousands of people who do not exist.
   * @param owner the store; a person only if their account is proven, because a store can make any number of others.
   * @param part of the store, such as a member.
   * @throws ApiError 503 if no turn comes in time; nothing was compared then.
   */
  compare<Result>(
    owner: StoreId | UserId,
    part: UserId | typeof WITHOUT_SESSION,
    work: () => Promise<Result>,
  ): Promise<Result> {
    return this.#places.run(owner, work, part);
  }
}
