import { Context } from '@temporalio/activity';
import type { StoreId } from '../src/domain/ids.ts';
import type { ClockProgress } from '../src/domain/store-clock.ts';
import { notYet } from '../src/providers/not-yet.ts';
import type { ActivityDeps } from './deps.ts';
import { withHeartbeats } from './heartbeats.ts';

/**
 * After this pause this or another worker may have a free slot. When all slots are taken, clocks alternate every
 * few seconds.
 */
const ASKED_AGAIN_MS = 2_000;

/** Advances the clocks of dev environments. */
export function createClockActivities({ advanceClock }: ActivityDeps) {
  return {
    /** Advances a clock towards its target for some seconds. @returns its progress. */
    async advanceClock({ storeId }: { readonly storeId: StoreId }): Promise<ClockProgress> {
      const { cancellationSignal } = Context.current();
      const progress = await withHeartbeats(() =>
        advanceClock(storeId, () => cancellationSignal.throwIfAborted()),
      );
      if (progress === null) throw notYet('This worker advances as many clocks as it may', ASKED_AGAIN_MS);
      return progress;
    },
  };
}
