import type { User } from '../../../database/entities/user.ts';
import type { UserId } from '../../../domain/ids.ts';
import { deviceUser } from '../../../identity/device.ts';
import { isPassword } from '../../../identity/password.ts';
import { orUncounted } from '../frame/count-guesses.ts';
import { WITHOUT_SESSION } from '../frame/member-queue.ts';
import type { Arrival } from '../frame/serve.ts';
import { deviceIn } from '../frame/strangers.ts';

interface Tried {
  /** The person; null if the password is not theirs, or was not compared. */
  readonly user: User | null;
  /** Whose password it is not; null if it is theirs, or was not compared. */
  readonly refusedId: UserId | null;
}

const NOT_TRIED: Tried = { user: null, refusedId: null };

/**
 * Compares a password with the account of this device. Strangers who know an address can use up the attempts of its account, or of the
 * client address that they share with its owner, and their flood can fill the line. None of these counts here. Cookies that this service
 * has not signed cost no query. Only members wait here, so a person who signs in very often is compared like everybody else.
 */
export async function tryKnownDevice(
  arrival: Arrival,
  password: string,
  wanted: { readonly email: string; readonly storeId: string | null },
): Promise<Tried> {
  const { trafficLimiter, memberQueue, database } = arrival.deps;
  const device = deviceIn(arrival);
  if (device === null) return NOT_TRIED;
  const guess = ['wrongGuessesOfDevice', device.id] as const;
  const user = await deviceUser(database.em.fork(), device, wanted);
  if (user === null || (await trafficLimiter.countKnown(guess)) !== null) return NOT_TRIED;
  const signIn = ['signInsOfUserByDevice', user.id] as const;
  if ((await trafficLimiter.countKnown(signIn)) !== null) {
    await trafficLimiter.uncountKnown(guess);
    return NOT_TRIED;
  }
  const isRight = await orUncounted(trafficLimiter, [guess, signIn], () =>
    memberQueue.compare(user.localStoreId ?? user.id, WITHOUT_SESSION, () =>
      isPassword(user.passwordHash, password),
    ),
  );
  // Only right passwords count for the person, so that someone with a stolen cookie takes nothing from the other browsers.
  await trafficLimiter.uncountKnown(isRight ? guess : signIn);
  return isRight ? { user, refusedId: null } : { user: null, refusedId: user.id };
}
