import { findClock } from '../../database/store-clock.ts';
import { requireDevMode } from '../frame/errors.ts';
import { type Route, route } from '../frame/route.ts';
import { advanceClock, cancelAdvance, resetToRealTime } from './move-clock.ts';
import {
  ADVANCE_LIMITS,
  advanceBody,
  advanceView,
  clockExample,
  clockView,
  presentAdvance,
  presentClock,
} from './schema.ts';

const WHAT = 'a clock that can be moved is for';

const realTime = {
  ...clockExample,
  now: clockExample.movedAt ?? '',
  movedFrom: null,
  movedAt: null,
  steps: 0,
};

/** The clock of a store's dev environment (contract section 8), for the API and for the dashboard. */
export const clockOperations = {
  get: route({
    method: 'GET',
    path: '/dev/clock',
    summary: 'What the clock shows',
    description:
      'The clock of the dev environment of this store: where it stands, and where it is on its way to.',
    permission: 'STORE:READ',
    response: clockView,
    errors: ['WRONG_ENVIRONMENT'],
    example: { response: realTime },
    async handler({ em, key, realNow }) {
      requireDevMode(key, WHAT);
      return presentClock(await findClock(em, key.storeId), realNow);
    },
  }),
  advance: route({
    method: 'POST',
    path: '/dev/clock/advance',
    summary: 'Move the clock forward',
    description:
      'Everything of the dev environment of this store follows the clock: what expires, what is charged, what settles. What is due happens strictly in its order, each at its own instant. ' +
      'The answer comes at once; `GET /v2/dev/clock` says when the clock is `ready`. Webhooks are sent in real time, and tell the times of the clock. ' +
      `While it is on its way, another target is refused with 409. It goes ${ADVANCE_LIMITS}; what is more is refused with 422, which says how far it can go. ` +
      '`expected` says what will happen; with `preview` nothing does.',
    permission: 'STORE:CREATE',
    body: advanceBody,
    response: advanceView,
    errors: ['WRONG_ENVIRONMENT', 'NOT_ACCEPTABLE', 'CLOCK_ADVANCING'],
    example: {
      body: { by: 'P1M' },
      response: {
        ...clockExample,
        status: 'advancing',
        now: '2027-03-01T12:00:00.000Z',
        target: '2027-04-01T12:00:00.000Z',
        steps: 0,
        expected: { target: '2027-04-01T12:00:00.000Z', cycles: 1, expiries: 0 },
      },
    },
    async handler(request) {
      requireDevMode(request.key, WHAT);
      return presentAdvance(await advanceClock(request), request.realNow);
    },
  }),
  cancel: route({
    method: 'POST',
    path: '/dev/clock/cancel',
    summary: 'Stop a clock that is being advanced',
    description:
      'The clock stops at the instant that it has come to, and runs on from there. What has happened stays; what is under way at that instant still ends. It can be advanced again at once. ' +
      'A clock that is `ready` stays as it is.',
    permission: 'STORE:CREATE',
    response: clockView,
    errors: ['WRONG_ENVIRONMENT'],
    example: { response: realTime },
    async handler(request) {
      requireDevMode(request.key, WHAT);
      return presentClock(await cancelAdvance(request), request.realNow);
    },
  }),
  reset: route({
    method: 'POST',
    path: '/dev/clock/reset',
    summary: 'Have the clock show real time again',
    description:
      'Only while nothing is open that waits for an instant of the clock: 409 says what is. What was made in the future keeps its date, and so comes first in lists until then.',
    permission: 'STORE:CREATE',
    response: clockView,
    errors: ['WRONG_ENVIRONMENT', 'CLOCK_ADVANCING', 'CLOCK_IN_USE'],
    example: { response: realTime },
    async handler(request) {
      requireDevMode(request.key, WHAT);
      return presentClock(await resetToRealTime(request), request.realNow);
    },
  }),
};

export const clockRoutes: readonly Route[] = Object.values(clockOperations);
