import { type Html, html } from '../../frame/html.ts';
import { link, time } from './components.ts';
import type { Visit } from './visit.ts';

/** A difference below this is no advance: clocks of machines differ too. */
const AHEAD_MS = 60_000;

/**
 * Says on every page that the test clock is ahead of real time, and which time it shows: all dates on the page follow it. Null in
 * production and at real time.
 */
export function clockBar(visit: Visit): Html | null {
  const { say, caller, storeNow, now } = visit;
  if (caller.clock === null || storeNow.getTime() - now.getTime() < AHEAD_MS) return null;
  const isMoving = caller.clock.standsAt !== null;
  const state = isMoving
    ? say('dashboard.frame.theTestClockIsAdvancing')
    : say('dashboard.frame.theTestClockIsAhead');
  return html`<aside class="clock-bar" aria-label="${say('dashboard.testClock')}"><p>${state} <strong>${time(visit, storeNow)}</strong></p>
${visit.can('sandbox') && link(visit, '/sandbox/clock', isMoving ? say('dashboard.frame.seeOrStop') : say('dashboard.change'))}</aside>`;
}
