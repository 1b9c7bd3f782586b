import { z } from 'zod';
import { addDays, isCivilDate, saoPauloMidnight } from '../../domain/civil-date.ts';

export const INSTANT_RULE =
  'must be an instant with its offset, such as 2026-11-01T12:00:00Z, or a day in São Paulo, such as 2026-11-01';

/** From the year 2000: within the date range of JavaScript and Postgres. */
const INSTANT = /^2\d{3}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/**
 * The instant of a parameter. A day gives its first instant, or the first instant after it. Null for any
 * other text.
 */
export function instantOf(text: string, edge: 'first' | 'after'): Date | null {
  if (text.startsWith('2') && isCivilDate(text))
    return saoPauloMidnight(edge === 'first' ? text : addDays(text, 1));
  // An unencoded plus sign arrives as a blank.
  const instant = text.replace(' ', '+');
  const ms = INSTANT.test(instant) ? Date.parse(instant) : Number.NaN;
  return Number.isNaN(ms) ? null : new Date(ms);
}

/** An instant, or a day in São Paulo, as a field or parameter. @param edge what a day means: its beginning, or its end. */
export function instantText(edge: 'first' | 'after') {
  return z.string().transform((text, context): Date => {
    const named = instantOf(text, edge);
    if (named !== null) return named;
    context.addIssue({ code: 'custom', message: INSTANT_RULE });
    return z.NEVER;
  });
}

function instant(edge: 'first' | 'after', description: string) {
  return instantText(edge).optional().meta({ description });
}

/** A parameter for the start of a time range. @param what the past participle, such as `Created`. */
export function fromInstant(what: string) {
  return instant(
    'first',
    `${what} at this instant or later. A day, such as 2026-11-01, counts from its beginning in São Paulo.`,
  );
}

/** A parameter for the end of a time range. */
export function toInstant(what: string) {
  return instant(
    'after',
    `${what} before this instant. A day, such as 2026-11-30, counts through its end in São Paulo.`,
  );
}

/** Filters by creation time. */
export const createdRange = {
  createdFrom: fromInstant('Created'),
  createdTo: toInstant('Created'),
};

interface CreatedRange {
  readonly createdFrom?: Date | undefined;
  readonly createdTo?: Date | undefined;
}

/** The same filters as a query condition. */
export function createdWithin({ createdFrom, createdTo }: CreatedRange) {
  if (createdFrom === undefined && createdTo === undefined) return {};
  return { createdAt: { ...(createdFrom && { $gte: createdFrom }), ...(createdTo && { $lt: createdTo }) } };
}
