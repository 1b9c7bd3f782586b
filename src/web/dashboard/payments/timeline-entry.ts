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
