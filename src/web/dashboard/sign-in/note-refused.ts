import { hash } from 'node:crypto';
import { recordActions } from '../../../audit-log/record-action.ts';
import type { Em } from '../../../database/orm.ts';
import type { UserId } from '../../../domain/ids.ts';
import { membershipsOf } from '../../../identity/members.ts';
import { accountsOf } from '../../../identity/users.ts';
import { Refusal } from '../frame/route.ts';
import type { Arrival } from '../frame/serve.ts';
import { tooManyAttempts } from '../frame/too-many-attempts.ts';

/** A sign-in that may be refused. */
interface Attempt {
  readonly email: string;
  readonly factor: 'password' | 'code';
  /** Whose code it is; omitted while the password may belong to any account of the address. */
  readonly userId?: UserId;
  /** The store that they want to open; null if none is named. */
  readonly storeId: string | null;
}

/** How long somebody waits who finds a flood of passwordQueue. */
const BUSY_SECONDS = 60;

/**
 * Runs a sign-in. A refusal is recorded in the audit log of each store of the address (`sign-in/refused`), and so is a lock after
 * too many wrong attempts (`sign-in/locked`, once per lock; `sign-in/codes-locked`, once a day, if the password was right). Like the attempts, these lines are limited: forty per hour and
 * account.
 * They are written in the background. Otherwise response times would reveal which addresses have an account.
 * @param compare returns null if the password or code is wrong.
 */
export async function notingRefusals<Result>(
  arrival: Arrival,
  given: Attempt,
  compare: () => Promise<Result | null>,
): Promise<Result | null> {
  const { trafficLimiter } = arrival.deps;
  // Nothing is compared, and the lock was recorded when it began.
  const seconds = trafficLimiter.refusedFromMemory(arrival.ctx.req, 'wrongPasswordsOfAddress');
  if (seconds !== null) throw tooManyAttempts(seconds);
  if (trafficLimiter.passwordQueue.isFull) throw tooManyAttempts(BUSY_SECONDS);
  return noted(arrival, given, () => trafficLimiter.passwordQueue.compare(compare));
}

/** The same without waiting in line, for what takes no time to compare. */
export async function noted<Result>(
  arrival: Arrival,
  given: Attempt,
  compare: () => Promise<Result | null>,
): Promise<Result | null> {
  try {
    const result = await compare();
    if (result === null) noteRefused(arrival, given);
    return result;
  } catch (error) {
    if (error instanceof Refusal && error.status === 429)
      inBackground(arrival, () => noteLock(arrival, given));
    throw error;
  }
}

/** Records a wrong password or code, in the background. */
export function noteRefused(arrival: Arrival, given: Attempt): void {
  inBackground(arrival, () => note(arrival, given, 'sign-in/refused'));
}

function inBackground({ ctx }: Arrival, work: () => Promise<void>): void {
  work().catch((error: unknown) => ctx.state.log.error({ err: error }, 'a refused sign-in was not recorded'));
}

async function noteLock(arrival: Arrival, given: Attempt): Promise<void> {
  const { trafficLimiter } = arrival.deps;
  if (given.factor === 'code' && given.userId !== undefined) {
    const isNoticed =
      (await trafficLimiter.countKnown(['noticedCodeLocksOfUserInDay', given.userId])) !== null;
    if (!isNoticed) return note(arrival, given, 'sign-in/codes-locked');
  }
  const account = hash('sha256', given.email.trim().toLowerCase(), 'hex');
  const noted = await trafficLimiter.countKnown(['notedLocksOfAccount', account]);
  if (noted === null) await note(arrival, given, 'sign-in/locked');
}

async function note(
  { ctx, deps, now }: Arrival,
  attempt: Attempt,
  action: 'sign-in/refused' | 'sign-in/locked' | 'sign-in/codes-locked',
): Promise<void> {
  const { factor } = attempt;
  const address = deps.trafficLimiter.shortAddressOf(ctx.req);
  const noted = await placesOf(deps.database.em.fork(), attempt);
  await deps.database.em.fork().transactional((em) =>
    recordActions(
      em,
      noted.map(({ storeId, userId, showsAddress }) => ({
        actor: { kind: 'SYSTEM', storeId, ...(showsAddress && { address }) },
        done: { action, subjectId: userId, devMode: null, now, details: { factor } },
      })),
    ),
  );
}

/**
 * Where to record a refused sign-in: the stores of the address's accounts. A store may have created an account for an address
 * that nobody has verified. It must not learn from which IP address the owner signs in to other stores, so its line has an IP
 * address only if the sign-in was to that store. A line without an IP address says nothing about whether there are other accounts.
 */
async function placesOf(em: Em, { email, userId, storeId: wanted }: Attempt) {
  const accounts = (await accountsOf(em, email)).filter(({ id }) => userId === undefined || id === userId);
  const byId = new Map(accounts.map((account) => [account.id, account]));
  const memberships = await membershipsOf(em, [...byId.keys()]);
  return memberships.map(({ userId, storeId }) => {
    const localStoreId = byId.get(userId)?.localStoreId ?? null;
    const showsAddress = localStoreId === null || localStoreId === wanted;
    return { userId, storeId, showsAddress };
  });
}
