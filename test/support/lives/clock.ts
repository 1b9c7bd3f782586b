import type { ClockView } from '../../../src/api/clock/schema.ts';
import { type ApiClient, dataOf } from '../api/api-client.ts';
import { eventually } from '../waiting/eventually.ts';

/** Years of a hundred subscriptions take minutes on a busy machine. */
const ADVANCED_WITHIN_MS = 900_000;

/** What the clock of a store's dev environment shows. */
export async function clockOf(api: ApiClient): Promise<ClockView> {
  return dataOf(await api.get('/v2/dev/clock'));
}

/** Moves the clock, and waits until everything has happened that is due by then. */
export async function advance(api: ApiClient, to: { to: string } | { by: string }): Promise<ClockView> {
  const moved = dataOf<ClockView>(await api.post('/v2/dev/clock/advance', to));
  return arrivedAt(api, moved.target ?? '');
}

/** Waits until the clock has come to where it is on its way to. */
export function arrivedAt(api: ApiClient, target: string): Promise<ClockView> {
  return eventually(async () => {
    const clock = await clockOf(api);
    if (clock.status === 'advancing')
      throw new Error(`still on its way to ${target}: ${JSON.stringify(clock)}`);
    return clock;
  }, ADVANCED_WITHIN_MS);
}
