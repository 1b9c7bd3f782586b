import type { User } from '../../../database/entities/user.ts';
import type { UserId } from '../../../domain/ids.ts';
import { isPassword } from '../../../identity/password.ts';
import { findKnownBrowser } from '../../../identity/sessions.ts';
import { requireUser } from '../../../identity/users.ts';
import type { Arrival } from '../frame/serve.ts';

interface Tried {
  /** The person; null if the password is not theirs, or was not compared. */
  readonly user: User | null;
  /** Whose password it is not; null if it is theirs, or was not compared. */
  readonly refusedId: UserId | null;
}

const NOT_TRIED: Tried = { user: null, refusedId: null };

/**
 * Compares a password with the account that this browser was signed in to. Strangers who know an address can use up the attempts of
 * its account, and their flood can fill the line. The attempts here are those of a session that gives its password again, so no
 * stranger reaches them, and a browser has no more of them when it signs in.
 */
export async function tryKnownBrowser(
  { ctx, deps, cookies, now }: Arrival,
  email: string,
  password: string,
  storeId: string | null,
): Promise<Tried> {
  // A flood of guesses with made-up sessions must cost no queries.
  if (deps.trafficLimiter.refusedFromMemory(ctx.req, 'wrongPasswordsOfAddress') !== null) return NOT_TRIED;
  const wanted = { email, storeId: storeId ?? '' };
  const browser = await findKnownBrowser(deps.database, cookies.sessionToken(ctx), wanted, now);
  if (browser === null) return NOT_TRIED;
  const em = deps.database.em.fork();
  const user = await requireUser(em, browser.userId);
  if (user.passwordHash === null) return NOT_TRIED;
  const guess = [
    ['wrongStepUpsOfSession', browser.sessionId],
    ['wrongStepUpsOfUser', browser.userId],
  ] as const;
  if ((await deps.trafficLimiter.countKnown(...guess)) !== null) return NOT_TRIED;
  if (!(await isPassword(user.passwordHash, password))) return { user: null, refusedId: user.id };
  await deps.trafficLimiter.uncountKnown(...guess);
  return { user, refusedId: null };
}
