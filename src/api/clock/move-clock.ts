import { beginJourney, findClock, type MovedClock, resetClock } from '../../database/store-clock.ts';
import { laterBy } from '../../domain/duration.ts';
import { ApiError, fieldError, invalid } from '../frame/errors.ts';
import type { ApiRequest } from '../frame/request.ts';
import { openThings } from './open-things.ts';
import type { AdvanceBody } from './schema.ts';

/**
 * Sends the clock on its way. The same target again, as in a request whose answer was lost, is the same journey.
 * @throws ApiError VALIDATION_ERROR, NOT_ACCEPTABLE where it would go back, CLOCK_ADVANCING
 */
export async function advanceClock(request: ApiRequest<unknown, AdvanceBody>): Promise<MovedClock> {
  const { key, now, realNow, deps } = request;
  const { storeId, clock } = key;
  const target = targetOf(request);
  return request.transaction(async (em) => {
    const aheadMs = clock?.aheadMs ?? 0;
    const begun = await beginJourney(em, { storeId, from: now, target, real: realNow, aheadMs });
    const moved = await findClock(em, storeId);
    if (moved === null) throw new Error('a clock that is on its way has a row');
    if (begun.length > 0) request.afterCommit(() => deps.clockJourneys.beginSoon(storeId));
    else if (moved.target?.getTime() !== target.getTime()) throw advancing(moved.target);
    return moved;
  });
}

function targetOf({ body, now }: ApiRequest<unknown, AdvanceBody>): Date {
  const { to, by } = body;
  if (to !== undefined && by !== undefined) throw invalid('by', 'must not be sent together with to');
  if (by !== undefined) return inRange(laterBy(now, by));
  if (to === undefined) throw invalid('to', 'is required, or else by');
  if (to > now) return to;
  const shown = `the clock shows ${now.toISOString()}, and is only ever moved forward`;
  throw fieldError(422, 'NOT_ACCEPTABLE', 'to', `must be later: ${shown}`);
}

/** As far as instants can be named. */
const LAST_YEAR = 2999;

function inRange(target: Date): Date {
  if (target.getUTCFullYear() <= LAST_YEAR) return target;
  throw fieldError(422, 'NOT_ACCEPTABLE', 'by', `leads beyond the year ${LAST_YEAR}`);
}

function advancing(target: Date | null): ApiError {
  const where = target === null ? 'elsewhere' : `to ${target.toISOString()}`;
  const message = `The clock is being advanced ${where}; ask again once GET /v2/dev/clock says that it is ready`;
  return new ApiError(409, 'CLOCK_ADVANCING', message);
}

/**
 * Has the clock show real time again. @throws ApiError CLOCK_ADVANCING, and CLOCK_IN_USE while something is open, whose
 *   instants would then be far away
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
    await resetClock(em, { storeId });
    return null;
  });
}
