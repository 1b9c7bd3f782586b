import { Context } from '@temporalio/activity';
import type { Announced } from '../src/domain/announcement.ts';
import { requestDueConsents } from '../src/mandates/consent/request-due-consents.ts';
import { endMandates } from '../src/mandates/end-mandates.ts';
import { followMandates } from '../src/mandates/follow-mandates.ts';
import { planDebits } from '../src/mandates/plan-debits.ts';
import { writeReminders } from '../src/reminders/reminder-round.ts';
import { announceDue } from '../src/subscriptions/announce-due.ts';
import type { ActivityDeps } from './deps.ts';
import { withHeartbeats } from './heartbeats.ts';

/** Announcements of future charges, and reminders of unpaid ones. */
export function createAnnouncementActivities(deps: ActivityDeps) {
  return {
    /**
     * Announces all charges that are due soon, orders their debits, asks about mandates, ends those that nobody needs, asks payers for new ones,
     * and writes the reminders of unpaid charges. It can stop at any point and run again: each announcement and reminder is made once.
     * @param nowMs the workflow's time, in milliseconds since 1970.
     */
    announceDue({ nowMs }: { readonly nowMs: number }): Promise<Announced> {
      const { cancellationSignal } = Context.current();
      const isOver = () => cancellationSignal.throwIfAborted();
      const round = { now: new Date(nowMs), isOver };
      return withHeartbeats(async () => {
        const announced = await announceDue(deps, round);
        await planDebits(deps, round);
        const reminders = await writeReminders(deps, round);
        // Banks that do not answer must delay nothing else.
        await followMandates(deps, round.now, isOver);
        await endMandates(deps, round.now, isOver);
        await requestDueConsents(deps, round);
        return { ...announced, reminders };
      });
    },
  };
}
