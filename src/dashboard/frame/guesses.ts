import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { TrafficLimiter } from '../../traffic/traffic-limiter.ts';
import { Refusal } from './route.ts';
import type { Visit } from './visit.ts';

/** Who guesses, and at whose password or code. */
interface Guess {
  readonly trafficLimiter: TrafficLimiter;
  readonly request: IncomingMessage;
  /** The e-mail address that was typed. It is counted by its hash. */
  readonly account: string;
}

/**
 * Counts a password or code that may be a guess, and takes it back where it was right: guesses end, for an address and for
 * an account, before any is compared. Whoever guesses at somebody keeps them out for minutes; a one-time link still lets
 * them in.
 * @param compare answers null where it was wrong.
 * @throws Refusal 429 where there were too many.
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
  if (seconds !== null) throw tooMany(seconds);
  const result = await compare();
  if (result !== null) await trafficLimiter.uncount(guess);
  return result;
}

/**
 * The same for a password or code that somebody who is signed in gives again. It is counted by their session and by
 * them, and not by address: nobody without a session of theirs can use their guesses up. A wrong one leaves a line in the
 * audit log, as who has only a session may be guessing.
 * @param compare answers null where it was wrong.
 * @throws Refusal 429 where there were too many.
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
    throw tooMany(seconds);
  }
  const result = await compare();
  if (result === null) await visit.recordRefused('step-up/refused', factor);
  else await deps.trafficLimiter.uncountKnown(...guess);
  return result;
}

function tooMany(seconds: number): Refusal {
  const minutes = Math.ceil(seconds / 60);
  return new Refusal(
    429,
    `Muitas tentativas. Espere ${minutes} min e tente de novo.`,
    `Too many attempts. Wait ${minutes} min and try again.`,
  );
}
