import { Context } from '@temporalio/activity';
import { deleteOldEvents } from '../../src/database/delete-old-events.ts';
import { forgetAnswers } from '../../src/database/forget-answers.ts';
import { type DeletedRows, REPLAY_MS } from '../../src/domain/retention.ts';
import type { ActivityDeps } from '../deps.ts';
import { withHeartbeats } from '../heartbeats.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** What is kept no longer. */
export function createRetentionActivities({ database, eventRetentionDays }: ActivityDeps) {
  return {
    /**
     * Deletes answers that are replayed no more, and events that are older than is configured. Ended in the
     * middle it has deleted what it has. @param nowMs the workflow's time, in milliseconds since 1970.
     */
    deleteOldRows({ nowMs }: { readonly nowMs: number }): Promise<DeletedRows> {
      const { cancellationSignal } = Context.current();
      const isOver = () => cancellationSignal.throwIfAborted();
      return withHeartbeats(async () => {
        const answers = await forgetAnswers(database, new Date(nowMs - REPLAY_MS), isOver);
        if (eventRetentionDays === null) return { answers, events: 0, deliveries: 0 };
        const before = new Date(nowMs - eventRetentionDays * DAY_MS);
        return { answers, ...(await deleteOldEvents(database, before, isOver)) };
      });
    },
  };
}
