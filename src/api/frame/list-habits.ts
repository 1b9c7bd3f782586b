import { z } from 'zod';
import { isCivilDate } from '../../domain/civil-date.ts';
import type { Parameters } from './client-habits.ts';
import type { Issue } from './errors.ts';
import type { Route } from './route.ts';

/** Parameters of lists as AbacatePay's published clients and documentation name them. */

const DAY_RULE = 'must be a day, such as 2026-11-01';

/** Documented, beside our own parameters, on every list that can be limited to a time. */
export const publishedDays = z.object({
  startDate: z.string().optional().meta({
    description: 'From the beginning of this day in São Paulo on.',
    example: '2026-11-01',
  }),
  endDate: z.string().optional().meta({
    description: 'Through the end of this day in São Paulo.',
    example: '2026-11-30',
  }),
});

interface Range {
  readonly startDate: string;
  readonly endDate: string;
}

/** The names of a list's own parameters for a time range, by the published names; null if it has no range. */
export function rangeOf({ list, query }: Pick<Route, 'list' | 'query'>): Range | null {
  if (!list) return null;
  if ('createdFrom' in query.shape) return { startDate: 'createdFrom', endDate: 'createdTo' };
  if ('from' in query.shape) return { startDate: 'from', endDate: 'to' };
  return null;
}

/** The parameters of a list with `startDate` and `endDate` under our names, and `cursor` as `after`. */
export function inOurNames(route: Route, sent: Parameters): Parameters {
  if (!route.list) return sent;
  const range = rangeOf(route);
  const wrong = wrongListParameters(route, sent).map(({ path }) => path);
  const ours = Object.entries(sent).filter(([name]) => !wrong.includes(name));
  return Object.fromEntries(ours.map(([name, value]) => [ourName(name, range, sent), value]));
}

function ourName(name: string, range: Range | null, sent: Parameters): string {
  if (range !== null && (name === 'startDate' || name === 'endDate')) return range[name];
  // An empty cursor asks for the first page, and is ignored.
  return name === 'cursor' && sent.cursor !== '' && sent.after === undefined ? 'after' : name;
}

/** A page of a list by number, dates that are no days, dates in the wrong order. */
export function wrongListParameters(route: Route, sent: Parameters): Issue[] {
  if (!route.list) return [];
  const range = rangeOf(route);
  return [...wrongPageNumbers(sent), ...(range === null ? [] : wrongDays(range, sent))];
}

/** A page by number would silently be the first page again, and a client would handle its objects twice. */
function wrongPageNumbers(sent: Parameters): Issue[] {
  const first = { page: '1', offset: '0' };
  return (['page', 'offset'] as const).flatMap((name) => {
    const value = sent[name];
    if (value === undefined || value === '' || value === first[name]) return [];
    const message = `must be ${first[name]}: send pagination.next as after for the next page`;
    return [{ path: name, message, rule: 'WRONG_VALUE' as const }];
  });
}

function wrongDays(range: Range, sent: Parameters): Issue[] {
  const { startDate, endDate } = sent;
  const issues = (['startDate', 'endDate'] as const).flatMap((name): Issue[] => {
    const day = sent[name];
    if (day === undefined) return [];
    if (typeof day !== 'string' || !isCivilDate(day))
      return [{ path: name, message: DAY_RULE, rule: 'WRONG_FORMAT' }];
    if (sent[range[name]] === undefined) return [];
    return [{ path: name, message: `cannot be combined with ${range[name]}`, rule: 'WRONG_VALUE' }];
  });
  const isBackwards = typeof startDate === 'string' && typeof endDate === 'string' && startDate > endDate;
  if (issues.length > 0 || !isBackwards) return issues;
  return [{ path: 'startDate', message: 'must not be after endDate', rule: 'WRONG_VALUE' }];
}
