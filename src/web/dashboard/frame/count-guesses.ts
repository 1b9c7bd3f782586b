import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Counted } from '../../../http/anonymous-traffic.ts';
import type { TrafficLimiter } from '../../../http/traffic-limiter.ts';
import { type Device, type DeviceOwner, isDeviceOf } from '../../../identity/device.ts';
import { tooManyAttempts } from './too-many-attempts.ts';

/** Identifies who guesses and whose password or code. */
interface Guess {
  readonly trafficLimiter: TrafficLimiter;
  readonly request: IncomingMessage;
  /** The email address that was typed. Only its hash is stored. */
  readonly account: string;
}

/**
 * Counts an attempt at a password, as a wrong and a right one, and refunds what it was not. The limits per IP address and per account
 * are checked before anything is compared. An attacker can lock an account for minutes; a one-time link still signs its owner in.
 * @param compare returns null if the password or code is wrong.
 * @throws Refusal 429 after too many wrong attempts.
 */
export async function limitGuesses<Result>(
  { trafficLimiter, request, account }: Guess,
  compare: () => Promise<Result | null>,
): Promise<Result | null> {
  const guess = {
    request,
    ofAddress: 'wrongPasswordsOfAddress',
    always: true,
    also: ['wrongPasswordsOfAccount', hash('sha256', account.trim().toLowerCase(), 'hex')],
  } as const;
  const seconds = await trafficLimiter.count(guess);
  if (seconds !== null) throw tooManyAttempts(seconds);
  const right = { request, ofAddress: 'rightPasswordsOfAddress' } as const;
  const secondsOfRight = await trafficLimiter.count(right);
  if (secondsOfRight !== null) {
    await trafficLimiter.uncount(guess);
    throw tooManyAttempts(secondsOfRight);
  }
  const result = await compare();
  await trafficLimiter.uncount(result === null ? right : guess);
  return result;
}

/** Whose password or code may be wrong, and who gives it. */
interface Attempts {
  readonly trafficLimiter: TrafficLimiter;
  /** The browser, if it was signed in to some account before. */
  readonly device: Device | null;
  readonly owner: DeviceOwner;
  readonly factor: 'password' | 'code';
  /** The limits of any other browser, or of one that has used up its own. */
  readonly others: readonly Counted[];
}

/** A code is short enough to be guessed in some months, even slowly. */
function limitsOfDevice({ id }: Device, factor: Attempts['factor']): readonly Counted[] {
  const ofDevice: Counted = ['wrongGuessesOfDevice', id];
  return factor === 'code' ? [ofDevice, ['wrongCodesOfDeviceInDay', id]] : [ofDevice];
}

/** Counts towards the limits of the browser, or else of the others. @returns what was counted, or the seconds until a retry. */
export async function countAttempt({ trafficLimiter, device, owner, factor, others }: Attempts) {
  const own = isDeviceOf(device, owner) ? limitsOfDevice(device, factor) : [];
  return countOneOf(trafficLimiter, own, others);
}

/** Counts towards the first limits, if there are any that are not used up, or else towards the others. @returns as {@link countAttempt} does. */
export async function countOneOf(
  trafficLimiter: TrafficLimiter,
  own: readonly Counted[],
  others: readonly Counted[],
) {
  if (own.length > 0 && (await trafficLimiter.countKnown(...own)) === null) return { counted: own };
  const seconds = await trafficLimiter.countKnown(...others);
  return seconds === null ? { counted: others } : { seconds };
}

/**
 * The same for the code of someone whose password was right. Strangers who guess the password do not count: otherwise they would keep
 * the person out although they have the password. Someone who has stolen the password does not use up the attempts of the person's
 * own browsers.
 */
export async function limitCodes<Result>(
  { trafficLimiter, device, owner }: Omit<Attempts, 'factor' | 'others'>,
  compare: () => Promise<Result | null>,
): Promise<Result | null> {
  const attempt = await countAttempt({
    ...{ trafficLimiter, device, owner },
    factor: 'code',
    others: [
      ['wrongCodesOfUser', owner.id],
      ['wrongCodesOfUserInDay', owner.id],
    ],
  });
  if (attempt.counted === undefined) throw tooManyAttempts(attempt.seconds);
  const result = await compare();
  if (result !== null) await trafficLimiter.uncountKnown(...attempt.counted);
  return result;
}

/**
 * The same for the password of somebody who has an invitation. Strangers who guess the password of its account do not count: they would
 * keep the person from joining a store.
 * @param attempt the limits that it counts towards.
 */
export async function limitInvited<Result>(
  trafficLimiter: TrafficLimiter,
  attempt: readonly Counted[],
  compare: () => Promise<Result | null>,
): Promise<Result | null> {
  const seconds = await trafficLimiter.countKnown(...attempt);
  if (seconds !== null) throw tooManyAttempts(seconds);
  const result = await orUncounted(trafficLimiter, attempt, compare);
  if (result !== null) await trafficLimiter.uncountKnown(...attempt);
  return result;
}

/** Compares, and gives the attempt back if that fails before its outcome is known, such as while it waits for its turn. */
export async function orUncounted<Result>(
  trafficLimiter: TrafficLimiter,
  counted: readonly Counted[],
  compare: () => Promise<Result>,
): Promise<Result> {
  try {
    return await compare();
  } catch (error) {
    await trafficLimiter.uncountKnown(...counted);
    throw error;
  }
}
