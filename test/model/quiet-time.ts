import { setTimeout as sleep } from 'node:timers/promises';
import { addDays, saoPauloDateOf, saoPauloMidnight } from '../../src/domain/civil-date.ts';
import { type Money, PAYOUT_INTERVAL_MS } from './money.model.ts';

// In real time, model and service read the clock one after the other. Around an instant that changes a rule
// they could apply different rules, so no step runs around one.

/** Longer than a scenario takes on a slow machine. */
const SCENARIO_MS = 3 * 60_000;
/** Longer than a step. */
const STEP_MS = 10_000;

/**
 * Waits for midnight in São Paulo if a scenario could reach it: payments settle then, and the model's
 * calendar covers only some months.
 */
export async function untilScenarioFits(): Promise<void> {
  const now = new Date();
  const midnightMs = saoPauloMidnight(addDays(saoPauloDateOf(now), 1)).getTime();
  const leftMs = midnightMs - now.getTime();
  if (leftMs < SCENARIO_MS) await sleep(leftMs + STEP_MS);
}

/** Waits for the end of the minute in which a store may make no second payout, if a step could reach it. */
export async function untilStepFits({ lastPayoutAtMs }: Money): Promise<void> {
  const leftMs = lastPayoutAtMs + PAYOUT_INTERVAL_MS - Date.now();
  if (Math.abs(leftMs) < STEP_MS) await sleep(leftMs + STEP_MS);
}
