import { Context } from '@temporalio/activity';
import type { Announced } from '../src/domain/announcement.ts';
import { announceDue } from '../src/subscriptions/announce-due.ts';
import type { ActivityDeps } from './deps.ts';
import { withHeartbeats } from './heartbeats.ts';

/** Announcements of future charges. */
export function createAnnouncementActivities(deps: ActivityDeps) {
  return {
    /**
     * Announces all charges that are due soon. It can stop at any point and run again: each announcement is made
     * once.
     * @param nowMs the workflow's time, in milliseconds since 1970.
     */
    announceDue({ nowMs }: { readonly nowMs: number }): Promise<Announced> {
      const { cancellationSignal } = Context.current();
      const isOver = () => cancellationSignal.throwIfAborted();
      return withHeartbeats(() => announceDue(deps, { now: new Date(nowMs), isOver }));
    },
  };
}
