import { clockMovedSignal } from '../../workflows/store-clock.contract.ts';
import type { StoreId } from '../domain/ids.ts';
import { byKind } from '../recovery/audit.ts';
import type { OpenItem } from '../recovery/page.ts';
import { type ResumeDeps, resume, startsOf } from '../recovery/resume.ts';
import { type Startable, signalOrStart } from '../temporal/workflow-start.ts';
import { LONGEST_TURN_MS } from './clock-scheduler.ts';
import type { DueItem } from './due-rows.ts';

/** What waking needs: everything of a resume, announcements and reminders, which have no workflow. */
export interface WakeDeps extends ResumeDeps {
  /** Makes the due announcements of a dev environment at that time. */
  readonly announce: Writing;
  /** Writes the due reminders of a dev environment at that time. */
  readonly remind: Writing;
}

/** @param isOver called between two batches; throws to stop early. What is left stays due. */
type Writing = (storeId: StoreId, now: Date, isOver: () => void) => Promise<unknown>;

class TimeIsOver extends Error {}

/**
 * Signals to each run that the clock has reached its instant. A lost run is started by the same call. Announcements and reminders,
 * of which any number may be due, are written for as long as a turn lasts.
 * @returns announcements and reminders that need more time.
 * @throws if Temporal is unavailable.
 */
export async function wake(
  deps: WakeDeps,
  items: readonly DueItem[],
  now: Date,
): Promise<readonly DueItem[]> {
  const endsAtMs = performance.now() + LONGEST_TURN_MS;
  const unfinished = [
    ...(await leftAfter(deps.announce, ofKind(items, 'announcement'), now, endsAtMs)),
    ...(await leftAfter(deps.remind, ofKind(items, 'reminder'), now, endsAtMs)),
  ];
  const others = items.filter((item) => !isWritten(item));
  for (const [kind, some] of byKind(others as OpenItem[])) {
    const starts = await startsOf(deps, kind, some);
    await Promise.all([...starts.values()].map((start) => notify(deps, start, now)));
    const withoutRun = some.filter(({ id }) => !starts.has(id));
    await resume(deps, kind, withoutRun, now);
  }
  return unfinished;
}

/** Whether an item is an announcement or a reminder, which have no run. */
export function isWritten({ kind }: DueItem): boolean {
  return kind === 'announcement' || kind === 'reminder';
}

const ofKind = (items: readonly DueItem[], wanted: DueItem['kind']) =>
  items.filter(({ kind }) => kind === wanted);

/** Writes what is due to an environment. @returns the items if the time was over before. */
async function leftAfter(
  write: Writing,
  items: readonly DueItem[],
  now: Date,
  endsAtMs: number,
): Promise<readonly DueItem[]> {
  const [first] = items;
  if (first === undefined) return [];
  try {
    await write(first.storeId, now, () => {
      if (performance.now() > endsAtMs) throw new TimeIsOver();
    });
    return [];
  } catch (error) {
    if (error instanceof TimeIsOver) return items;
    throw error;
  }
}

function notify({ client, taskQueue }: ResumeDeps, start: Startable, now: Date): Promise<void> {
  return signalOrStart(client, taskQueue, start, clockMovedSignal, [{ nowMs: now.getTime() }]);
}
