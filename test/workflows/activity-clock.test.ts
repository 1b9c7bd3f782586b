import { expect, it } from '@jest/globals';
import { attemptTimeMs } from '../../activities/activity-clock.ts';

const SCHEDULED_MS = Date.parse('2026-03-06T12:00:00Z');
const SECOND_MS = 1_000;
const DAY_MS = 24 * 60 * 60 * SECOND_MS;

it.each([
  ['that is made at once works with the time of the server', 20, 0],
  ["does so too where this machine's clock is some seconds ahead", 30 * SECOND_MS, 0],
  ['or behind', -30 * SECOND_MS, 0],
  ['that found no worker for three days works with the time at which it begins', 3 * DAY_MS, 3 * DAY_MS],
])('an attempt %s', (_, beginsAfterMs, worksAfterMs) => {
  expect(attemptTimeMs(SCHEDULED_MS, SCHEDULED_MS + beginsAfterMs) - SCHEDULED_MS).toBe(worksAfterMs);
});
