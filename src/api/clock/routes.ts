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
    summary: 'Get the clock',
    description: "The clock of this store's dev environment: its current time and its target.",
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
      "Everything in this store's dev environment follows the clock: expiry, recurring charges and settlement. Due events happen strictly in order, each at its own time. " +
      'The response comes at once; `GET /v2/dev/clock` shows when the clock is `ready`. Webhooks are sent in real time, but contain times of the clock. ' +
      `While the clock advances, a request with another target gets a 409. It advances ${ADVANCE_LIMITS}. If the target is further away, you get a 422 that names the latest possible target. ` +
      '`expected` lists what will happen; with `preview` nothing happens.',
    permission: 'STORE:CREATE',
    audited: true,
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
      'The clock stops at its current time and continues to run from there. Effects that already happened remain, and work due at that time still finishes. You can advance it again at once. ' +
      'A clock that is `ready` stays unchanged.',
    permission: 'STORE:CREATE',
    audited: true,
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
    summary: 'Reset the clock to real time',
    description:
      'Works only while no object waits for a time of the clock; otherwise the 409 lists the open objects. Objects created in the future keep their dates, so they stay first in lists until then.',
    permission: 'STORE:CREATE',
    audited: true,
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
