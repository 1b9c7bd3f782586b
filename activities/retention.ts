import { Context } from '@temporalio/activity';
import { eraseDueCards } from '../src/cards/erase-due-cards.ts';
import { BROWSER_KNOWN_DAYS } from '../src/database/entities/payer-session.ts';
import { IDEMPOTENCY_WINDOW_MS } from '../src/domain/idempotency-window.ts';
import type { DeletedRows } from '../src/domain/retention.ts';
import { forgetReaders, READER_KEPT_MS } from '../src/events/event-readers.ts';
import { deleteClosedNotes, deleteEndedResends } from '../src/retention/delete-closed-rows.ts';
import { deleteOldEvents } from '../src/retention/delete-old-events.ts';
import { deleteOldReminders, deleteOldSubscriptionReminders } from '../src/retention/delete-old-reminders.ts';
import { eraseEvidence } from '../src/retention/erase-evidence.ts';
import { forgetAnswers } from '../src/retention/forget-answers.ts';
import { forgetPayerSessions, forgetPayerSignIns } from '../src/retention/forget-payer-sign-ins.ts';
import { endStaleCardChanges } from '../src/subscriptions/card-change/end-stale-changes.ts';
import type { ActivityDeps } from './deps.ts';
import { withHeartbeats } from './heartbeats.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** After a dispute has ended, for questions of the payer's bank. */
const EVIDENCE_KEPT_MS = 30 * DAY_MS;

const NOTHING: DeletedRows = { answers: 0, events: 0, deliveries: 0, resends: 0, notes: 0 };

/** Deletes rows whose retention is over. */
export function createRetentionActivities(deps: ActivityDeps) {
  const { database, eventRetentionDays } = deps;
  return {
    /**
     * Deletes idempotency records that are no longer replayed, and rows older than the configured retention:
     * events, finished resends and closed notes. Last, it has stored cards erased that nothing needs any more, as
     * providers may be slow. It can stop at any point and keeps what it has deleted. @param
     * nowMs the workflow's time, in milliseconds since 1970.
     */
    deleteOldRows({ nowMs }: { readonly nowMs: number }): Promise<DeletedRows> {
      const { cancellationSignal } = Context.current();
      const isOver = () => cancellationSignal.throwIfAborted();
      return withHeartbeats(async () => {
        const answers = await forgetAnswers(database, new Date(nowMs - IDEMPOTENCY_WINDOW_MS), isOver);
        await forgetReaders(database, new Date(nowMs - READER_KEPT_MS), isOver);
        await forgetPayerSignIns(database, new Date(nowMs - DAY_MS), isOver);
        await forgetPayerSessions(database, new Date(nowMs - BROWSER_KNOWN_DAYS * DAY_MS), isOver);
        await endStaleCardChanges(database, new Date(nowMs), isOver);
        await eraseEvidence(database, new Date(nowMs - EVIDENCE_KEPT_MS), isOver);
        if (eventRetentionDays === null)
          return { ...NOTHING, answers, cards: await eraseDueCards(deps, new Date(nowMs), isOver) };
        const before = new Date(nowMs - eventRetentionDays * DAY_MS);
        const resends = await deleteEndedResends(database, before, isOver);
        const notes = await deleteClosedNotes(database, before, isOver);
        await deleteOldReminders(database, before, isOver);
        await deleteOldSubscriptionReminders(database, before, isOver);
        const old = await deleteOldEvents(database, before, isOver);
        return { answers, resends, notes, ...old, cards: await eraseDueCards(deps, new Date(nowMs), isOver) };
      });
    },
  };
}
