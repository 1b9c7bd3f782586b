import { Context } from '@temporalio/activity';
import type { StoreId } from '../../src/domain/ids.ts';
import type { ClockProgress } from '../../src/domain/store-clock.ts';
import type { ActivityDeps } from '../deps.ts';
import { notYet } from '../failures.ts';
import { withHeartbeats } from '../heartbeats.ts';

/** After which another worker may have room, or this one: clocks beyond the first ones take turns by the seconds. */
const ASKED_AGAIN_MS = 2_000;

/** What has the clocks of dev environments go on. */
export function createClockActivities({ advanceClock }: ActivityDeps) {
  return {
    /** Has a clock go on towards its target for some seconds. @returns how far it has come. */
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
