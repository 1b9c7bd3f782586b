import { type Html, html } from '../../frame/html.ts';
import type { Visit } from '../frame/visit.ts';
import { shortDay } from '../words.ts';
import { PERIODS, type Period, type PeriodId, type Span } from './period.ts';

const NAMES: Readonly<Record<PeriodId, readonly [string, string]>> = {
  today: ['Hoje', 'Today'],
  '7d': ['7 dias', '7 days'],
  '30d': ['30 dias', '30 days'],
  month: ['Este mês', 'This month'],
  'last-month': ['Mês passado', 'Last month'],
  '12m': ['12 meses', '12 months'],
};

/** Links to the same page for each period. */
export function periodPicker(visit: Visit, { id }: Period): Html {
  const { say } = visit;
  return html`<nav class="periods" aria-label="${say('Período', 'Period')}">
${PERIODS.map((each) => html`<a href="${visit.link('/', { period: each })}"${each === id && html` aria-current="true"`}>${say(...NAMES[each])}</a>\n`)}</nav>`;
}

export function periodName({ say }: Pick<Visit, 'say'>, id: PeriodId): string {
  return say(...NAMES[id]);
}

/** `01/10 a 31/10`. */
export function spanWords({ say, locale }: Pick<Visit, 'say' | 'locale'>, { from, to }: Span): string {
  if (from === to) return shortDay(from, locale);
  const [first, last] = [shortDay(from, locale), shortDay(to, locale)];
  return say(`${first} a ${last}`, `${first} to ${last}`);
}
