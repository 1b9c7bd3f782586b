import type { Counted } from '../../../http/anonymous-traffic.ts';
import { type DeviceOwner, isDeviceOf } from '../../../identity/device.ts';
import { countAttempt, countOneOf, orUncounted } from './count-guesses.ts';
import { tooManyAttempts } from './too-many-attempts.ts';
import type { Visit } from './visit.ts';

type Factor = 'password' | 'code';

/**
 * Limits attempts at a password or code that a signed-in person must give again. The limits are per browser that was signed in before,
 * and per session and person otherwise, not per IP address: nobody without a session of theirs can use up their attempts, and stolen
 * sessions do not use up those of the person's own browsers. Attempts of a person run one after the other, so that right ones that are
 * sent at the same time do not refuse each other. Each wrong attempt is recorded in the audit log, because someone with a stolen session
 * may be guessing.
 * @param compare returns null if the password or code is wrong.
 * @throws Refusal 429 after too many wrong attempts, or too many right passwords; ApiError 429 or 503 if its turn does not come.
 */
export function limitStepUps<Result>(
  visit: Visit,
  owner: DeviceOwner,
  factor: Factor,
  compare: () => Promise<Result | null>,
): Promise<Result | null> {
  return visit.deps.memberQueue.alone(visit.user, async () => {
    const { trafficLimiter } = visit.deps;
    const wrong = await countWrong(visit, owner, factor);
    // A code takes no time to compare, and comes after a password.
    const right =
      factor === 'code' ? [] : await orUncounted(trafficLimiter, wrong, () => countRight(visit, owner));
    const result = await orUncounted(trafficLimiter, [...wrong, ...right], compare);
    await trafficLimiter.uncountKnown(...(result === null ? right : wrong));
    if (result === null) await visit.recordRefused('step-up/refused', factor);
    return result;
  });
}

/** Counts an attempt as a wrong one before it is compared. @throws Refusal 429 after too many; the audit log has one line for each lock. */
async function countWrong(visit: Visit, owner: DeviceOwner, factor: Factor): Promise<readonly Counted[]> {
  const { user, device, deps } = visit;
  const { trafficLimiter } = deps;
  const others: Counted[] = [
    ['wrongStepUpsOfSession', user.sessionId],
    ['wrongStepUpsOfUser', user.id],
  ];
  if (factor === 'code') others.push(['wrongStepUpCodesOfUserInDay', user.id]);
  const attempt = await countAttempt({ trafficLimiter, device, owner, factor, others });
  if (attempt.counted !== undefined) return attempt.counted;
  const isNoted = (await trafficLimiter.countKnown(['notedLocksOfAccount', user.sessionId])) !== null;
  if (!isNoted) await visit.recordRefused('step-up/locked', factor);
  throw tooManyAttempts(attempt.seconds);
}

/**
 * Counts an attempt as a right one before it is compared. Someone who knows the password and has another browser does not use up what the
 * person's own browsers have. @throws Refusal 429 after too many.
 */
async function countRight({ user, device, deps }: Visit, owner: DeviceOwner): Promise<readonly Counted[]> {
  const own: Counted[] = isDeviceOf(device, owner) ? [['rightStepUpsOfDevice', device.id]] : [];
  const right = await countOneOf(deps.trafficLimiter, own, [['rightStepUpsOfUser', user.id]]);
  if (right.counted === undefined) throw tooManyAttempts(right.seconds);
  return right.counted;
}
