import { Context } from '@temporalio/activity';
import type { Announced } from '../../src/domain/announcement.ts';
import type { ActivityDeps } from '../deps.ts';
import { withHeartbeats } from '../heartbeats.ts';
import { announceDue } from './announce-due.ts';

/** What is told before it happens. */
export function createAnnouncementActivities(deps: ActivityDeps) {
  return {
    /**
     * Tells of all that is charged soon. Ended in the middle it has told what it has; told again is told once.
     * @param nowMs the workflow's time, in milliseconds since 1970.
     */
    announceDue({ nowMs }: { readonly nowMs: number }): Promise<Announced> {
      const { cancellationSignal } = Context.current();
      const isOver = () => cancellationSignal.throwIfAborted();
      return withHeartbeats(() => announceDue(deps, { now: new Date(nowMs), isOver }));
    },
  };
}
