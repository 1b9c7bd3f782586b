import { addDays, type CivilDate, civilDate, daysBetween, weekday } from './civil-date.ts';

/**
 * National holidays on a fixed day, `MM-DD`: Lei 662/1949 as amended by Lei 10.607/2002 (1 January, 21 April,
 * 1 May, 7 September, 2 and 15 November, 25 December) and Lei 6.802/1980 (12 October).
 */
const FIXED_HOLIDAYS: ReadonlySet<string> = new Set([
  '01-01',
  '04-21',
  '05-01',
  '09-07',
  '10-12',
  '11-02',
  '11-15',
  '12-25',
]);

/** Dia de Zumbi e da Consciência Negra, national by Lei 14.759/2023, in force for the first time in 2024. */
const BLACK_CONSCIOUSNESS_DAY = '11-20';
const BLACK_CONSCIOUSNESS_SINCE_YEAR = 2024;

/**
 * Days without banking that move with Easter, counted from it: Carnival Monday and Tuesday, Good Friday and
 * Corpus Christi (Resolução CMN 4.880/2020, and Resolução CMN 2.932/2002 before it).
 */
const EASTER_HOLIDAY_OFFSETS: ReadonlySet<number> = new Set([-48, -47, -2, 60]);

/**
 * Whether banks settle on `date` nationwide: neither weekend nor national bank holiday (Resolução CMN
 * 4.880/2020). State and city holidays do not count, nor does 31 December, on which branches stay closed to
 * the public but banks settle with each other.
 */
export function isBusinessDay(date: CivilDate): boolean {
  const day = weekday(date);
  return day !== 0 && day !== 6 && !isBankHoliday(date);
}

/** `date` itself when it is a business day, else the first one after it. */
export function nextBusinessDay(date: CivilDate): CivilDate {
  let day = date;
  while (!isBusinessDay(day)) day = addDays(day, 1);
  return day;
}

/**
 * The `count`-th business day after `date`, which itself is not counted; with 0, {@link nextBusinessDay}.
 *
 * @throws RangeError when `count` is negative or not whole.
 */
export function addBusinessDays(date: CivilDate, count: number): CivilDate {
  if (!Number.isInteger(count) || count < 0) throw new RangeError('business days are counted forward');
  if (count === 0) return nextBusinessDay(date);
  let day = date;
  for (let counted = 0; counted < count; counted++) day = nextBusinessDay(addDays(day, 1));
  return day;
}

/** Whether banks are closed nationwide on `date` although it may be a weekday. */
export function isBankHoliday(date: CivilDate): boolean {
  const monthDay = date.slice(5);
  if (FIXED_HOLIDAYS.has(monthDay)) return true;
  const year = Number(date.slice(0, 4));
  if (monthDay === BLACK_CONSCIOUSNESS_DAY && year >= BLACK_CONSCIOUSNESS_SINCE_YEAR) return true;
  return EASTER_HOLIDAY_OFFSETS.has(daysBetween(easterOf(year), date));
}

/**
 * Easter Sunday of a Gregorian year, by the anonymous algorithm (Nature, 1876; Meeus, Astronomical
 * Algorithms, ch. 8).
 */
function easterOf(year: number): CivilDate {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const g = Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3);
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const n = h + l - 7 * m + 114;
  const month = String(Math.floor(n / 31)).padStart(2, '0');
  const day = String((n % 31) + 1).padStart(2, '0');
  return civilDate(`${year}-${month}-${day}`);
}
