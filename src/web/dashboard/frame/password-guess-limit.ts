import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { UserId } from '../../../domain/ids.ts';
import type { TrafficLimiter } from '../../../http/traffic-limiter.ts';
import { tooManyAttempts } from './too-many-attempts.ts';
import type { Visit } from './visit.ts';

/** Identifies who guesses and whose password or code. */
interface Guess {
  readonly trafficLimiter: TrafficLimiter;
  readonly request: IncomingMessage;
  /** The email address that was typed. Only its hash is stored. */
  readonly account: string;
}

/**
 * Counts an attempt at a password or code, and refunds it if it was right. The limits per IP address and per account are checked
 * before anything is compared. An attacker can lock an account for minutes; a one-time link still signs its owner in.
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
  const result = await compare();
  if (result !== null) await trafficLimiter.uncount(guess);
  return result;
}

/**
 * The same for the code of someone whose password was right. Strangers who guess the password do not count: otherwise they would keep
 * the person out although they have the password.
 */
export async function limitCodes<Result>(
  trafficLimiter: TrafficLimiter,
  userId: UserId,
  compare: () => Promise<Result | null>,
): Promise<Result | null> {
  const seconds = await trafficLimiter.countKnown(['wrongCodesOfUser', userId]);
  if (seconds !== null) throw tooManyAttempts(seconds);
  const result = await compare();
  if (result !== null) await trafficLimiter.uncountKnown(['wrongCodesOfUser', userId]);
  return result;
}

/**
 * The same for a password or code that a signed-in person must give again. The limits are per session and per person, not per IP
 * address: nobody without a session of theirs can use up their attempts. Each wrong attempt is recorded in the audit log, because
 * someone with a stolen session may be guessing.
 * @param compare returns null if the password or code is wrong.
 * @throws Refusal 429 after too many wrong attempts.
 */
export async function limitStepUps<Result>(
  visit: Visit,
  factor: 'password' | 'code',
  compare: () => Promise<Result | null>,
): Promise<Result | null> {
  const { user, deps } = visit;
  const guess = [
    ['wrongStepUpsOfSession', user.sessionId],
    ['wrongStepUpsOfUser', user.id],
  ] as const;
  const seconds = await deps.trafficLimiter.countKnown(...guess);
  if (seconds !== null) {
    const isNoted = (await deps.trafficLimiter.countKnown(['notedLocksOfAccount', user.sessionId])) !== null;
    if (!isNoted) await visit.recordRefused('step-up/locked', factor);
    throw tooManyAttempts(seconds);
  }
  const result = await compare();
  if (result === null) await visit.recordRefused('step-up/refused', factor);
  else await deps.trafficLimiter.uncountKnown(...guess);
  return result;
}
