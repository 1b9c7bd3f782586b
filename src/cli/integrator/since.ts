import { UsageError } from '../usage-error.ts';
import type { Api } from './api.ts';

const UNITS_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** How `--since` is described. */
export const SINCE = 'a point in time such as 2026-11-22T10:00:00Z, or how long ago: 30m, 12h, 3d';

/** @throws UsageError if the text is neither an instant before `now` nor a duration. */
export function instantBefore(text: string, now: Date): Date {
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const at =
    unit === undefined
      ? new Date(text)
      : new Date(now.getTime() - Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS]);
  if (!Number.isNaN(at.getTime()) && at < now) return at;
  throw new UsageError(
    '--since: must be a point in time that has passed, such as 2026-11-22T10:00:00Z, or 30m, 12h, 3d',
  );
}

/** The position before every event (`Last-Event-ID`). */
const BEFORE_ALL = '0';

/**
 * The position of a stream that begins with the events since an instant.
 * @returns the id of the last event before the instant. @throws ApiFailure
 */
export async function positionAt(api: Api, since: Date): Promise<string> {
  const before = { to: since.toISOString(), limit: '1' };
  const [last] = await api.get<{ readonly id: string }[]>('events/list', before);
  return last?.id ?? BEFORE_ALL;
}
