import { clockMovedSignal } from '../../workflows/store-clock.contract.ts';
import type { StoreId } from '../domain/ids.ts';
import { byKind } from '../recovery/audit.ts';
import type { OpenItem } from '../recovery/page.ts';
import { type ResumeDeps, resume, startsOf } from '../recovery/resume.ts';
import { type Startable, signalOrStart } from '../temporal/workflow-start.ts';
import type { DueItem } from './due-rows.ts';

/** What waking needs: everything of a resume, announcements and reminders, which have no workflow. */
export interface WakeDeps extends ResumeDeps {
  /** Makes the due announcements of a dev environment at that time. */
  readonly announce: (storeId: StoreId, now: Date) => Promise<unknown>;
  /** Writes the due reminders of a dev environment at that time, and tries once to send them. */
  readonly remind: (storeId: StoreId, now: Date) => Promise<unknown>;
}

/**
 * Signals to each run that the clock has reached its instant. A lost run is started by the same call.
 * @throws if Temporal is unavailable.
 */
export async function wake(deps: WakeDeps, items: readonly DueItem[], now: Date): Promise<void> {
  const [announced] = items.filter(({ kind }) => kind === 'announcement');
  if (announced !== undefined) await deps.announce(announced.storeId, now);
  const [reminded] = items.filter(({ kind }) => kind === 'reminder');
  if (reminded !== undefined) await deps.remind(reminded.storeId, now);
  const others = items.filter(({ kind }) => kind !== 'announcement' && kind !== 'reminder');
  for (const [kind, some] of byKind(others as OpenItem[])) {
    const starts = await startsOf(deps, kind, some);
    await Promise.all([...starts.values()].map((start) => notify(deps, start, now)));
    const withoutRun = some.filter(({ id }) => !starts.has(id));
    await resume(deps, kind, withoutRun, now);
  }
}

function notify({ client, taskQueue }: ResumeDeps, start: Startable, now: Date): Promise<void> {
  return signalOrStart(client, taskQueue, start, clockMovedSignal, [{ nowMs: now.getTime() }]);
}
