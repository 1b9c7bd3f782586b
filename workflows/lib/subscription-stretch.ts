import type { SubscriptionId } from '../../src/domain/ids.ts';
import type { SubscriptionInput } from '../subscription.contract.ts';
import { cyclesIn } from './activity-options.ts';
import { type CollectCycle, cycleCollection } from './cycle-collection.ts';
import { Mutex } from './mutex.ts';
import type { RunClock } from './run-clock.ts';
import { SubscriptionProgress } from './subscription-progress.ts';

/** A stretch of a subscription: from one position of its row to the next one that a request moves it to. */
export interface SubscriptionStretch {
  readonly subscriptionId: SubscriptionId;
  readonly input: SubscriptionInput;
  readonly progress: SubscriptionProgress;
  readonly clock: RunClock;
  readonly cycles: ReturnType<typeof cyclesIn>;
  readonly collect: CollectCycle;
  /** One change of the row at a time: the last one to end is the last one in the row. */
  readonly changes: Mutex;
}

/** Begins a stretch, which receives the ends of charges from now on. */
export function newStretch(input: SubscriptionInput, clock: RunClock): SubscriptionStretch {
  const { subscriptionId } = input;
  const progress = new SubscriptionProgress(input);
  const mutex = new Mutex();
  return {
    subscriptionId,
    input,
    progress,
    clock,
    cycles: cyclesIn(mutex),
    collect: cycleCollection({ subscriptionId, progress, mutex, clock }),
    changes: new Mutex(),
  };
}
