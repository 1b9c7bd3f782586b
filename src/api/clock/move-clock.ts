import type { Em } from '../../database/orm.ts';
import {
  beginJourney,
  cancelJourney,
  findClock,
  type MovedClock,
  resetClock,
} from '../../database/store-clock.ts';
import { type CalendarDuration, laterBy } from '../../domain/duration.ts';
import { MOST_CYCLES } from '../../domain/next-cycles.ts';
import { LONGEST_ADVANCE_YEARS } from '../../domain/store-clock.ts';
import { ApiError, brokenRule, fieldError, invalid } from '../frame/errors.ts';
import type { ApiRequest } from '../frame/request.ts';
import { type Advance, forecast } from './forecast.ts';
import { openThings } from './open-things.ts';
import type { AdvanceBody } from './schema.ts';

/**
 * Starts to advance the clock; a preview does not change it. Repeating the same target, for example after a
 * lost response, has no further effect.
 * @throws ApiError VALIDATION_ERROR, NOT_ACCEPTABLE if the target is in the past or beyond a limit,
 * CLOCK_ADVANCING
 */
export async function advanceClock(request: ApiRequest<unknown, AdvanceBody>): Promise<Advance> {
  const { key, now, body } = request;
  const { storeId } = key;
  const target = targetOf(request);
  return request.transaction(async (em) => {
    const clock = await findClock(em, storeId);
    const isUnderWay = clock?.target?.getTime() === target.getTime();
    if (!isUnderWay && clock !== null && clock.target !== null) throw advancing(clock.target);
    if (!isUnderWay) checkReach(body, now, target);
    const expected = { ...(await forecast(em, storeId, target)), target };
    if (isUnderWay) return { clock, expected };
    checkCycles(body, expected.lastFit);
    return { clock: body.preview ? clock : await begin(em, request, target), expected };
  });
}

/** Starts the advance unless another request has started one. @throws ApiError CLOCK_ADVANCING */
async function begin(em: Em, request: ApiRequest<unknown, AdvanceBody>, target: Date): Promise<MovedClock> {
  const { key, now, realNow, deps } = request;
  const { storeId, clock } = key;
  const aheadMs = clock?.aheadMs ?? 0;
  const begun = await beginJourney(em, { storeId, from: now, target, real: realNow, aheadMs });
  const moved = await findClock(em, storeId);
  if (moved === null) throw new Error('a clock that is on its way has a row');
  if (begun.length > 0) {
    request.afterCommit(() => deps.clockRuns.beginSoon(storeId));
    await request.recordAction(em, storeId, { to: target.toISOString() });
  } else if (moved.target?.getTime() !== target.getTime()) throw advancing(moved.target);
  return moved;
}

function targetOf({ body, now }: ApiRequest<unknown, AdvanceBody>): Date {
  const { to, by } = body;
  if (to !== undefined && by !== undefined) throw invalid('by', 'must not be sent together with to');
  if (by !== undefined) {
    // Calendar arithmetic ends at the year 9999.
    if (isBeyondReach(by)) throw tooFar(body, now);
    return laterBy(now, by);
  }
  if (to === undefined) throw invalid('to', 'is required, or else by');
  if (to > now) return to;
  const shown = `the clock shows ${now.toISOString()}, and is only ever moved forward`;
  throw fieldError(422, 'NOT_ACCEPTABLE', 'to', `must be later: ${shown}`);
}

/** The last year that timestamps support. */
const LAST_YEAR = 2999;

/** @throws ApiError CLOCK_TOO_FAR that names the limit and the latest possible target. */
function checkReach(body: AdvanceBody, now: Date, target: Date): void {
  if (target > farthestFrom(now)) throw tooFar(body, now);
  if (target.getUTCFullYear() > LAST_YEAR)
    throw brokenRule('CLOCK_TOO_FAR', fieldOf(body), `leads beyond the year ${LAST_YEAR}`);
}

function farthestFrom(now: Date): Date {
  return laterBy(now, { months: 12 * LONGEST_ADVANCE_YEARS, days: 0, milliseconds: 0 });
}

/** Whether one part of a duration alone is too long, regardless of the calendar. */
function isBeyondReach({ months, days, milliseconds }: CalendarDuration): boolean {
  const mostDays = 366 * LONGEST_ADVANCE_YEARS;
  return months > 12 * LONGEST_ADVANCE_YEARS || days > mostDays || milliseconds > mostDays * DAY_MS;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

function tooFar(body: AdvanceBody, now: Date): ApiError {
  return brokenRule(
    'CLOCK_TOO_FAR',
    fieldOf(body),
    `leads further than ${LONGEST_ADVANCE_YEARS} years at a time: the clock can be advanced to ${farthestFrom(now).toISOString()} at most, and from there again`,
  );
}

/**
 * @param lastFit the latest possible target; null if there are not too many cycles. @throws ApiError
 * CLOCK_TOO_MANY_CYCLES
 */
function checkCycles(body: AdvanceBody, lastFit: Date | null): void {
  if (lastFit === null) return;
  throw brokenRule(
    'CLOCK_TOO_MANY_CYCLES',
    fieldOf(body),
    `has subscriptions open more than ${MOST_CYCLES} cycles at a time: the clock can be advanced to ${lastFit.toISOString()} at most, and from there again`,
  );
}

/** The field that sets the target. */
const fieldOf = ({ by }: AdvanceBody) => (by === undefined ? 'to' : 'by');

function advancing(target: Date | null): ApiError {
  const where = target === null ? 'elsewhere' : `to ${target.toISOString()}`;
  const message = `The clock is being advanced ${where}; ask again once GET /v2/dev/clock says that it is ready, or stop it by POST /v2/dev/clock/cancel`;
  return new ApiError(409, 'CLOCK_ADVANCING', message);
}

/**
 * Stops the clock at its current instant, from where it continues to run. Safe to repeat: a clock that is not
 * advancing stays unchanged.
 */
export function cancelAdvance(request: ApiRequest): Promise<MovedClock | null> {
  const { key, realNow } = request;
  const { storeId } = key;
  return request.transaction(async (em) => {
    const cancelled = await cancelJourney(em, { storeId, real: realNow });
    const clock = await findClock(em, storeId);
    if (cancelled.length > 0) await request.recordAction(em, storeId);
    return clock;
  });
}

/**
 * Resets the clock to real time. @throws ApiError CLOCK_ADVANCING, and CLOCK_IN_USE while objects are open,
 * because their due times would then be far in the future
 */
export function resetToRealTime(request: ApiRequest): Promise<null> {
  const { storeId } = request.key;
  return request.transaction(async (em) => {
    const clock = await findClock(em, storeId);
    if (clock === null) return null;
    if (clock.target !== null) throw advancing(clock.target);
    const open = await openThings(em, storeId);
    if (open.length > 0) {
      const message = `The clock can be reset once nothing is open; there are still ${open.join(', ')}`;
      throw new ApiError(409, 'CLOCK_IN_USE', message);
    }
    const reset = await resetClock(em, { storeId });
    if (reset.length > 0) await request.recordAction(em, storeId);
    return null;
  });
}
