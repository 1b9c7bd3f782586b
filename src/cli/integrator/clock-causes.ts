import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from './api.ts';
import type { Cause, Make } from './cause-steps.ts';

const POLL_MS = 250;

/** @param by an ISO 8601 duration. */
export function afterwards(how: string, make: Make, by: string, moves: string): Cause {
  return {
    how: `${how}, and moves the clock by ${moves}`,
    moves,
    async cause(api) {
      const id = await make(api);
      await advance(api, { by });
      return id;
    },
  };
}

/** Moves the clock, and waits until everything due by then has happened. @throws ApiFailure */
export async function advance(
  api: Api,
  target: { readonly by: string } | { readonly to: string },
): Promise<void> {
  let clock = await api.post<{ readonly status: string }>('dev/clock/advance', target);
  while (clock.status === 'advancing') {
    await sleep(POLL_MS);
    clock = await api.get<{ readonly status: string }>('dev/clock');
  }
}
