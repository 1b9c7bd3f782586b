import { setTimeout as sleep } from 'node:timers/promises';
import { addDays, saoPauloDateOf, saoPauloMidnight } from '../../src/domain/civil-date.ts';
import { type Money, PAYOUT_INTERVAL_MS } from './money.model.ts';

// Where time passes by itself, model and service look at the clock one after the other. At an instant that
// changes what is allowed they would see different sides of it, so nothing is done around one.

/** Longer than a story lasts on a slow machine. */
const STORY_MS = 3 * 60_000;
/** Longer than a step. */
const STEP_MS = 10_000;

/**
 * Waits for midnight in São Paulo where a story could meet it: payments settle then, by a calendar that the
 * model has for some months only.
 */
export async function untilScenarioFits(): Promise<void> {
  const now = new Date();
  const midnightMs = saoPauloMidnight(addDays(saoPauloDateOf(now), 1)).getTime();
  const leftMs = midnightMs - now.getTime();
  if (leftMs < STORY_MS) await sleep(leftMs + STEP_MS);
}

/** Waits for the end of the minute in which a store may make no second payout, where a step could meet it. */
export async function untilStepFits({ lastPayoutAtMs }: Money): Promise<void> {
  const leftMs = lastPayoutAtMs + PAYOUT_INTERVAL_MS - Date.now();
  if (Math.abs(leftMs) < STEP_MS) await sleep(leftMs + STEP_MS);
}
