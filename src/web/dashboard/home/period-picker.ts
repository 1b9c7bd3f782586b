import { type Html, html } from '../../frame/html.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';
import { clockText, shortDay } from '../../i18n/dates.ts';
import type { Visit } from '../frame/visit.ts';
import { PERIODS, type Period, type PeriodId, type Span } from './period.ts';

const NAMES: Readonly<Record<PeriodId, MessageKey>> = {
  today: 'dashboard.home.names.today',
  '7d': 'dashboard.home.names.7d',
  '30d': 'dashboard.home.names.30d',
  month: 'dashboard.home.names.month',
  'last-month': 'dashboard.home.names.lastMonth',
  '12m': 'dashboard.home.names.12m',
};

/** Links to the same page for each period. */
export function periodPicker(visit: Visit, { id }: Period): Html {
  const { say } = visit;
  return html`<nav class="periods" aria-label="${say('dashboard.home.period')}">
${PERIODS.map((each) => html`<a href="${visit.link('/', { period: each })}"${each === id && html` aria-current="true"`}>${say(NAMES[each])}</a>\n`)}</nav>`;
}

/** `01/10 a 31/10`. */
export function spanWords({ say, locale }: Pick<Visit, 'say' | 'locale'>, { from, to }: Span): string {
  if (from === to) return shortDay(locale, from);
  const [first, last] = [shortDay(locale, from), shortDay(locale, to)];
  return say('dashboard.home.to', { first, last });
}

/** `Comparado com 01/10 a 31/10.`, and up to when a day is compared with one that is not over. */
export function comparedWords(
  visit: Pick<Visit, 'say' | 'locale'>,
  { before }: Pick<Period, 'before'>,
): string {
  const { say, locale } = visit;
  const span = spanWords(visit, before);
  if (!before.isCut) return say('dashboard.home.comparedWith', { span });
  const time = clockText(locale, before.until);
  return before.from === before.to
    ? say('dashboard.home.comparedWithPartOfDay', { span, time })
    : say('dashboard.home.comparedWithPartOfLastDay', { span, time });
}
