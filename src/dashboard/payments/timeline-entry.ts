import type { Say } from '../frame/locale.ts';

/** One thing that happened, or will, in words. */
export interface TimelineEntry {
  readonly at: Date;
  readonly tone: 'plain' | 'good' | 'bad' | 'waiting';
  readonly text: string;
  /** A page behind store and environment that says more; null for none. */
  readonly path: string | null;
}

/** What sentences are made with. */
export interface TimelineFormatter {
  readonly say: Say;
  /** An instant in the reader's language. */
  readonly when: (at: Date) => string;
  readonly now: Date;
}

/** Shorthand: something without a page of its own. */
export function timelineEntry(
  at: Date,
  tone: TimelineEntry['tone'],
  text: string,
  path: string | null = null,
): TimelineEntry {
  return { at, tone, text, path };
}
