import { findClock } from '../../database/store-clock.ts';
import { requireDevMode } from '../frame/errors.ts';
import { type Route, route } from '../frame/route.ts';
import { advanceClock, resetToRealTime } from './move-clock.ts';
import { advanceBody, clockExample, clockView, presentClock } from './schema.ts';

const WHAT = 'a clock that can be moved is for';

/** The clock of a store's dev environment (contract section 8). */
export const clockRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/dev/clock',
    summary: 'What the clock shows',
    description:
      'The clock of the dev environment of this store: where it stands, and where it is on its way to.',
    permission: 'STORE:READ',
    response: clockView,
    errors: ['WRONG_ENVIRONMENT'],
    example: {
      response: {
        ...clockExample,
        now: clockExample.movedAt ?? '',
        movedFrom: null,
        movedAt: null,
        steps: 0,
      },
    },
    async handler({ em, key, realNow }) {
      requireDevMode(key, WHAT);
      return presentClock(await findClock(em, key.storeId), realNow);
    },
  }),
  route({
    method: 'POST',
    path: '/dev/clock/advance',
    summary: 'Move the clock forward',
    description:
      'Everything of the dev environment of this store follows the clock: what expires, what is charged, what settles. What is due happens strictly in its order, each at its own instant. ' +
      'The answer comes at once; `GET /v2/dev/clock` says when the clock is `ready`. Webhooks are sent in real time, and tell the times of the clock. ' +
      'While it is on its way, another target is refused with 409.',
    permission: 'STORE:CREATE',
    body: advanceBody,
    response: clockView,
    errors: ['WRONG_ENVIRONMENT', 'NOT_ACCEPTABLE', 'CLOCK_ADVANCING'],
    example: {
      body: { by: 'P1M' },
      response: {
        ...clockExample,
        status: 'advancing',
        now: '2027-03-01T12:00:00.000Z',
        target: '2027-04-01T12:00:00.000Z',
        steps: 0,
      },
    },
    async handler(request) {
      requireDevMode(request.key, WHAT);
      return presentClock(await advanceClock(request), request.realNow);
    },
  }),
  route({
    method: 'POST',
    path: '/dev/clock/reset',
    summary: 'Have the clock show real time again',
    description:
      'Only while nothing is open that waits for an instant of the clock: 409 says what is. What was made in the future keeps its date, and so comes first in lists until then.',
    permission: 'STORE:CREATE',
    response: clockView,
    errors: ['WRONG_ENVIRONMENT', 'CLOCK_ADVANCING', 'CLOCK_IN_USE'],
    example: {
      response: {
        ...clockExample,
        now: clockExample.movedAt ?? '',
        movedFrom: null,
        movedAt: null,
        steps: 0,
      },
    },
    async handler(request) {
      requireDevMode(request.key, WHAT);
      return presentClock(await resetToRealTime(request), request.realNow);
    },
  }),
];
