import fc from 'fast-check';
import { addDays, type CivilDate, civilDate, daysBetween } from '../../src/domain/civil-date.ts';

/** Any day between two others, both included. */
export function civilDateBetween(first: string, last: string): fc.Arbitrary<CivilDate> {
  const start = civilDate(first);
  return fc.nat(daysBetween(start, civilDate(last))).map((days) => addDays(start, days));
}
