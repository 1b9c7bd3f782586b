import type { Locale } from '../../i18n/catalogs.ts';
import type { Say } from '../frame/locale.ts';
import { percent } from '../words.ts';

/** From ten times as much a percentage says nothing: "129453 % more". */
const MANY_TIMES = 10;

/** Whether two numbers differ by less than people write, such as 810 and 809. */
export function isAboutTheSame(now: number, before: number): boolean {
  return before > 0 && Math.round((100 * Math.abs(now - before)) / before) === 0;
}

/** How a number differs from an earlier one, in words. Both are at least zero, and they differ. */
export function differenceWords(
  { say, locale }: { readonly say: Say; readonly locale: Locale },
  now: number,
  before: number,
): string {
  if (before === 0) return say('dashboard.home.new');
  if (now >= MANY_TIMES * before) return say('dashboard.home.muchMore');
  const share = `${percent(Math.abs(now - before), before, locale)} `;
  return say(now > before ? 'dashboard.home.more' : 'dashboard.home.less', { share });
}
