import type { User } from '../../../database/entities/user.ts';
import type { StoreId, UserId } from '../../../domain/ids.ts';
import type { Counted } from '../../../http/anonymous-traffic.ts';
import { hashPassword, isGoodPassword, isPassword } from '../../../identity/password.ts';
import { userOfAllStoresBy } from '../../../identity/users.ts';
import type { Problems } from '../../frame/fields.ts';
import { limitInvited } from '../frame/count-guesses.ts';
import { sayIn } from '../frame/locale.ts';
import { WITHOUT_SESSION } from '../frame/member-queue.ts';
import type { Arrival } from '../frame/serve.ts';
import { type Entry, isForNewLocalAccount } from './entry-form.ts';
import { noted } from './note-refused.ts';
import { passwordHint } from './password-hint.ts';

/** The person who uses a link, and what they submitted. */
export interface LinkUser {
  readonly user: User;
  /** The new password; null if they keep theirs. */
  readonly passwordHash: string | null;
  readonly name: string;
}

/** Checks or hashes the password of the form. @throws Refusal 429 after too many wrong attempts. */
export async function linkUserOf(
  arrival: Arrival,
  entry: Entry,
  form: URLSearchParams,
  name: string,
): Promise<LinkUser | { readonly problems: Problems }> {
  const { link, user } = entry;
  const say = sayIn(arrival.locale);
  const password = form.get('password') ?? '';
  if (link.kind === 'SIGN_IN') return { user, passwordHash: null, name };
  if (isForNewLocalAccount(entry) && form.get('account') === 'own') {
    const em = arrival.deps.database.em.fork();
    const given = form.get('ownPassword') ?? '';
    const own = await compared(arrival, entry, () => userOfAllStoresBy(em, user.email, given));
    if (own !== null) return { user: own, passwordHash: null, name };
    return { problems: { ownPassword: say('dashboard.thePasswordIsWrong') } };
  }
  if (link.kind === 'INVITE' && user.passwordHash !== null) {
    const known = await compared(arrival, entry, () => isRight(user, password), user.id);
    if (known !== null) return { user, passwordHash: null, name };
    return { problems: { password: say('dashboard.thePasswordIsWrong') } };
  }
  if (!isGoodPassword(password, user.email)) return { problems: { password: passwordHint(say) } };
  // The same link may be sent hundreds of times at once, until one of them has used it up.
  const { memberQueue } = arrival.deps;
  const passwordHash = await memberQueue.compare(placeOf(entry), WITHOUT_SESSION, () =>
    hashPassword(password),
  );
  return { user, passwordHash, name };
}

/**
 * Compares a password of somebody with an invitation. They wait with members: a flood of strangers keeps nobody from joining a store.
 * @param userId whose password it is; omitted while it may belong to any account of the address.
 * @throws Refusal 429 after too many wrong ones.
 */
function compared<Result>(
  arrival: Arrival,
  entry: Entry,
  compare: () => Promise<Result | null>,
  userId?: UserId,
): Promise<Result | null> {
  const { link, user } = entry;
  const { trafficLimiter, memberQueue } = arrival.deps;
  const attempt = { email: user.email, factor: 'password', storeId: link.storeId } as const;
  const inviter = link.storeId ?? '';
  const invitee: Counted = ['wrongPasswordsOfInvitee', `${inviter} ${user.id}`];
  const counted: Counted[] =
    userId === undefined ? [invitee, ['wrongPasswordsOfInviter', inviter]] : [invitee];
  return noted(arrival, userId === undefined ? attempt : { ...attempt, userId }, () =>
    limitInvited(trafficLimiter, counted, () =>
      memberQueue.compare(placeOf(entry), WITHOUT_SESSION, compare),
    ),
  );
}

/** Whose turn the link takes. A store can make any number of accounts of its own. */
function placeOf({ link, user }: Entry): StoreId | UserId {
  return link.storeId ?? user.localStoreId ?? user.id;
}

async function isRight(user: User, password: string): Promise<true | null> {
  return (await isPassword(user.passwordHash, password)) || null;
}
