import { z } from 'zod';
import { addDays, isCivilDate, saoPauloMidnight } from '../../domain/civil-date.ts';

export const INSTANT_RULE =
  'must be an instant with its offset, such as 2026-11-01T12:00:00Z, or a day in São Paulo, such as 2026-11-01';

/** From the year 2000 on: far from the ends of what JavaScript and Postgres know. */
const INSTANT = /^2\d{3}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** The instant that a parameter names; of a day its first one, or the first one after it. Null for any other text. */
export function instantOf(text: string, edge: 'first' | 'after'): Date | null {
  if (text.startsWith('2') && isCivilDate(text))
    return saoPauloMidnight(edge === 'first' ? text : addDays(text, 1));
  // A plus sign that is not encoded arrives as a blank.
  const instant = text.replace(' ', '+');
  const ms = INSTANT.test(instant) ? Date.parse(instant) : Number.NaN;
  return Number.isNaN(ms) ? null : new Date(ms);
}

function instant(edge: 'first' | 'after', description: string) {
  return z
    .string()
    .transform((text, context): Date => {
      const named = instantOf(text, edge);
      if (named !== null) return named;
      context.addIssue({ code: 'custom', message: INSTANT_RULE });
      return z.NEVER;
    })
    .optional()
    .meta({ description });
}

/** A parameter for the beginning of a time. @param what happened then: `Created`. */
export function fromInstant(what: string) {
  return instant(
    'first',
    `${what} at this instant or later. A day, such as 2026-11-01, means from its beginning on in São Paulo.`,
  );
}

/** A parameter for the end of a time. */
export function toInstant(what: string) {
  return instant(
    'after',
    `${what} before this instant. A day, such as 2026-11-30, means through its end in São Paulo.`,
  );
}

/** Parameters of lists of what is created. */
export const createdRange = {
  createdFrom: fromInstant('Created'),
  createdTo: toInstant('Created'),
};

interface CreatedRange {
  readonly createdFrom?: Date | undefined;
  readonly createdTo?: Date | undefined;
}

/** The same as a condition of a list. */
export function createdWithin({ createdFrom, createdTo }: CreatedRange) {
  if (createdFrom === undefined && createdTo === undefined) return {};
  return { createdAt: { ...(createdFrom && { $gte: createdFrom }), ...(createdTo && { $lt: createdTo }) } };
}
