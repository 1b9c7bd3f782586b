import { saoPauloDateOf, saoPauloMidnight } from '../../../domain/civil-date.ts';
import type { Say } from '../frame/locale.ts';

/** One past or future event in words. */
export interface TimelineEntry {
  readonly at: Date;
  readonly tone: 'plain' | 'good' | 'bad' | 'waiting';
  readonly text: string;
  /** A page with details, relative to store and environment; null if there is none. */
  readonly path: string | null;
  /** True if only the day means something, not its hour. */
  readonly isDay?: true;
}

/** The functions that format texts and instants. */
export interface TimelineFormatter {
  readonly say: Say;
  /** An instant in the reader's language. */
  readonly when: (at: Date) => string;
  /** The day of an instant: money settles at its start. */
  readonly day: (at: Date) => string;
  readonly now: Date;
}

/** Shorthand for an entry without a page. */
export function timelineEntry(
  at: Date,
  tone: TimelineEntry['tone'],
  text: string,
  path: string | null = null,
): TimelineEntry {
  return { at, tone, text, path };
}

/** Shorthand for what is still to come on a day. */
export function dayEntry(at: Date, text: string): TimelineEntry {
  return { ...timelineEntry(at, 'waiting', text), isDay: true };
}

/** Whether a deadline is the end of the day before it. */
function endsADay(deadline: Date): boolean {
  return deadline.getTime() === saoPauloMidnight(saoPauloDateOf(deadline)).getTime();
}

/** Until when something is possible. At midnight it is the end of a day, which people take for the day that begins. */
export function untilText({ say, when, day }: TimelineFormatter, deadline: Date): string {
  return endsADay(deadline)
    ? say('dashboard.theEndOf', { day: day(new Date(deadline.getTime() - 1)) })
    : when(deadline);
}

/** Shorthand for a deadline: on the day that it ends, if it ends one. */
export function deadlineEntry(deadline: Date, text: string): TimelineEntry {
  return endsADay(deadline)
    ? dayEntry(new Date(deadline.getTime() - 1), text)
    : timelineEntry(deadline, 'waiting', text);
}
