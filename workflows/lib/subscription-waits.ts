import { condition } from '@temporalio/workflow';
import type { MovedSubscription } from '../../src/subscriptions/pause-subscription.ts';
import { moment } from './run-clock.ts';
import type { SubscriptionStretch } from './subscription-stretch.ts';

/** Waits until the next cycle begins. Its debit may have opened it already, and has then collected it when its charge ends. */
export async function awaitNextCycle(stretch: SubscriptionStretch): Promise<void> {
  const { progress, changes, clock } = stretch;
  let seen: number;
  do {
    seen = progress.endsBetweenCycles;
    if (seen > 0) await changes.take(() => moveOnIfOpened(stretch));
    if (progress.isOver) return;
    const sooner = () => progress.isOver || progress.endsBetweenCycles > seen;
    await clock.waitUntil(progress.nextChargeAtMs, sooner, `cycle ${progress.nextNumber} begins`);
  } while (progress.endsBetweenCycles > seen);
}

/** Waits until the pause ends by itself, or a request moves this run on. */
export async function sleepThroughPause(stretch: SubscriptionStretch, untilMs: number | null): Promise<void> {
  const { progress, changes, clock } = stretch;
  progress.showPause(untilMs);
  if (untilMs === null) await condition(() => progress.isOver);
  else await clock.waitUntil(untilMs, () => progress.isOver, 'pause ends');
  if (!progress.isOver) await changes.take(() => endPause(stretch));
  // What comes after a pause that is over is in its row: a new run reads it, or the end of the period has come.
  await condition(() => progress.isOver);
}

/**
 * Waits until the unpaid cycle is paid, somebody has another attempt made, or a request moves this run on. A payment that was
 * made in time may be notified late: its signal, or its row at the start of this run, ends the wait.
 */
export async function awaitPayment(stretch: SubscriptionStretch): Promise<void> {
  const { progress, changes } = stretch;
  progress.showUnpaidCycle();
  while (!progress.isOver) {
    const seen = progress.endedCharges;
    await changes.take(() => moveOnUnlessAwaiting(stretch));
    await condition(() => progress.isOver || progress.endedCharges > seen);
  }
}

/** The row has moved: the run continues from its new position, or ends with its status. */
export function moveOn({ progress }: SubscriptionStretch, { status, position }: MovedSubscription): void {
  progress.moveTo(status);
  if (progress.isActive && position !== null) progress.moveOn(position);
}

async function moveOnIfOpened(stretch: SubscriptionStretch): Promise<void> {
  const { subscriptionId, progress, cycles } = stretch;
  if (progress.hasMoved) return;
  const { status, position } = await cycles.readPosition({ subscriptionId, ...moment() });
  const isOpened = position?.resumes !== undefined || (position?.nextNumber ?? 0) > progress.nextNumber;
  if (status !== 'ACTIVE' || isOpened) moveOn(stretch, { status, position });
  if (position !== null && position.resumes === undefined && isOpened) progress.showCollected(position);
}

async function endPause(stretch: SubscriptionStretch): Promise<void> {
  const { subscriptionId, progress, cycles } = stretch;
  if (!progress.hasMoved) moveOn(stretch, await cycles.endPause({ subscriptionId, ...moment() }));
}

async function moveOnUnlessAwaiting(stretch: SubscriptionStretch): Promise<void> {
  const { subscriptionId, progress, cycles } = stretch;
  if (progress.hasMoved) return;
  const read = await cycles.readPosition({ subscriptionId, ...moment() });
  if (read.status !== 'ACTIVE' || !read.position?.awaitsPayment) moveOn(stretch, read);
}
