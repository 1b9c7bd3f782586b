import type { User } from '../../../database/entities/user.ts';
import { hashPassword, isGoodPassword, isPassword } from '../../../identity/password.ts';
import { userOfAllStoresBy } from '../../../identity/users.ts';
import type { Problems } from '../../frame/fields.ts';
import { limitGuesses } from '../frame/count-guesses.ts';
import { sayIn } from '../frame/locale.ts';
import type { Arrival } from '../frame/serve.ts';
import { type Entry, isForNewLocalAccount } from './entry-form.ts';
import { notingRefusals } from './note-refused.ts';
import { passwordHint } from './password-hint.ts';
import { guessAt } from './sign-in.ts';

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
  const guess = guessAt(arrival, user.email);
  const attempt = { email: user.email, factor: 'password', storeId: link.storeId } as const;
  if (isForNewLocalAccount(entry) && form.get('account') === 'own') {
    const em = arrival.deps.database.em.fork();
    const given = form.get('ownPassword') ?? '';
    const own = await notingRefusals(arrival, attempt, () =>
      limitGuesses(guess, () => userOfAllStoresBy(em, user.email, given)),
    );
    if (own !== null) return { user: own, passwordHash: null, name };
    return { problems: { ownPassword: say('dashboard.thePasswordIsWrong') } };
  }
  if (link.kind === 'INVITE' && user.passwordHash !== null) {
    const known = await notingRefusals(arrival, { ...attempt, userId: user.id }, () =>
      limitGuesses(guess, () => isRight(user, password)),
    );
    if (known !== null) return { user, passwordHash: null, name };
    return { problems: { password: say('dashboard.thePasswordIsWrong') } };
  }
  if (!isGoodPassword(password, user.email)) return { problems: { password: passwordHint(say) } };
  return { user, passwordHash: await hashPassword(password), name };
}

async function isRight(user: User, password: string): Promise<true | null> {
  return (await isPassword(user.passwordHash, password)) || null;
}
