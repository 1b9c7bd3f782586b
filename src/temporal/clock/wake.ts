import { type ClockMoved, clockMovedSignal } from '../../../workflows/store-clock.contract.ts';
import type { StoreId } from '../../domain/ids.ts';
import { byKind } from '../audit/audit.ts';
import type { OpenItem } from '../audit/page.ts';
import { type ResumeDeps, resume, type Start, startsOf } from '../audit/resume.ts';
import { taskQueueOf } from '../task-queues.ts';
import type { DueItem } from './due-rows.ts';

/** What is resumed with, and what has no workflow to be told. */
export interface WakeDeps extends ResumeDeps {
  /** Announces what is to be announced of a dev environment at that time. */
  readonly announce: (storeId: StoreId, now: Date) => Promise<unknown>;
}

/**
 * Tells the run of each of these that the clock has come to what it waits for. One that was lost is started with it.
 * @throws where Temporal is out of reach.
 */
export async function wake(deps: WakeDeps, items: readonly DueItem[], now: Date): Promise<void> {
  const [announced] = items.filter(({ kind }) => kind === 'announcement');
  if (announced !== undefined) await deps.announce(announced.storeId, now);
  for (const [kind, some] of byKind(items.filter((item) => item.kind !== 'announcement') as OpenItem[])) {
    const starts = await startsOf(deps, kind, some);
    await Promise.all([...starts.values()].map((start) => notify(deps, start, now)));
    const others = some.filter(({ id }) => !starts.has(id));
    await resume(deps, kind, others, now);
  }
}

/** With a start: a signal alone does not wake a run that was started asleep. */
async function notify(
  { client, taskQueue }: ResumeDeps,
  { workflowType, devMode, options }: Start,
  now: Date,
): Promise<void> {
  await client.workflow.signalWithStart(workflowType, {
    ...options,
    args: options.args ?? [],
    taskQueue: taskQueueOf(taskQueue, { workflowType, devMode }),
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    signal: clockMovedSignal,
    signalArgs: [{ nowMs: now.getTime() }] as [ClockMoved],
  });
}
