import { Context } from '@temporalio/activity';
import type { StoreId } from '../../src/domain/ids.ts';
import type { ClockProgress } from '../../src/domain/store-clock.ts';
import type { ActivityDeps } from '../deps.ts';
import { withHeartbeats } from '../heartbeats.ts';

/** What has the clocks of dev environments go on. */
export function createClockActivities({ advanceClock }: ActivityDeps) {
  return {
    /** Has a clock go on towards its target for some seconds. @returns how far it has come. */
    advanceClock({ storeId }: { readonly storeId: StoreId }): Promise<ClockProgress> {
      const { cancellationSignal } = Context.current();
      return withHeartbeats(() => advanceClock(storeId, () => cancellationSignal.throwIfAborted()));
    },
  };
}
