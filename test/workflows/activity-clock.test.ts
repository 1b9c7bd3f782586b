import { expect, it } from '@jest/globals';
import { attemptTimeMs } from '../../activities/activity-clock.ts';

const SCHEDULED_MS = Date.parse('2026-03-06T12:00:00Z');
const SECOND_MS = 1_000;
const DAY_MS = 24 * 60 * 60 * SECOND_MS;

it.each([
  ['returns the time of the server for an attempt without delay', 20, 0],
  ['returns the time of the server if the local clock is some seconds ahead', 30 * SECOND_MS, 0],
  ['returns the time of the server if the local clock is some seconds behind', -30 * SECOND_MS, 0],
  ['returns the time of the start for an attempt that waited three days', 3 * DAY_MS, 3 * DAY_MS],
])('%s', (_, beginsAfterMs, worksAfterMs) => {
  expect(attemptTimeMs(SCHEDULED_MS, SCHEDULED_MS + beginsAfterMs) - SCHEDULED_MS).toBe(worksAfterMs);
});
