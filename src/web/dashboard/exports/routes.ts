import { type CivilDate, lastOfMonth, monthStart, saoPauloDateOf } from '../../../domain/civil-date.ts';
import { selectField, textField } from '../../frame/fields.ts';
import { type Html, html } from '../../frame/html.ts';
import { icon } from '../../frame/icons.ts';
import { monthName } from '../../i18n/dates.ts';
import { section } from '../frame/components.ts';
import { page } from '../frame/layout.ts';
import { type DashboardRoute, dashboardRoute, nothingHere } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { downloadOf } from './download.ts';
import { paidSheet } from './payments-sheet.ts';
import { SHEETS } from './sheets.ts';

const SHOWN_MONTHS = 12;

const show = dashboardRoute({
  method: 'GET',
  path: '/exports',
  action: 'read',
  async handler(visit) {
    const { say } = visit;
    const body = html`${section(say('dashboard.exports.aMonthForYourAccountant'), months(visit))}
${section(say('dashboard.exports.anotherListOrPeriod'), choices(visit))}
<p class="soft">${say('dashboard.exports.sheetsOpenDirectlyInExcel')}</p>`;
    return page(visit, { title: say('dashboard.export'), active: 'exports', body });
  },
});

/** Links to what was paid in each of the last months, last month first: it is what an accountant asks for. */
function months(visit: Visit): Html {
  const { say, locale, storeNow } = visit;
  const now = saoPauloDateOf(storeNow);
  const firsts = Array.from({ length: SHOWN_MONTHS }, (_, index) => monthStart(now, -index));
  return html`<p>${say('dashboard.exports.everythingThatWasPaidIn')}</p>
<ul class="tiles">
${firsts.map((first, index) => html`<li><a class="tiles__link" href="${visit.link('/exports/file', { sheet: 'paid', ...monthOf(first) })}">${icon('download')}<span>${monthName(locale, first)}${index === 0 && html` <span class="soft">${say('dashboard.exports.soFar')}</span>`}</span></a></li>\n`)}</ul>`;
}

function monthOf(first: CivilDate) {
  return { from: first, to: lastOfMonth(first) };
}

function choices(visit: Visit): Html {
  const { say, query } = visit;
  const day = (name: string, label: string) =>
    textField({ name, label, type: 'date', required: false, value: query.get(name) ?? '' });
  const chosen = query.get('sheet') ?? 'paid';
  return html`<form class="filters" method="get" action="${visit.link('/exports/file')}">
${selectField({ name: 'sheet', label: say('dashboard.what'), value: chosen, options: SHEETS.map(({ id, name }) => [id, say(name)]) })}
${day('from', say('dashboard.from'))}
${day('to', say('dashboard.to'))}
<button class="button">${icon('download')}${say('dashboard.exports.download')}</button>
</form>`;
}

const file = dashboardRoute({
  method: 'GET',
  path: '/exports/file',
  action: 'read',
  async handler(visit) {
    const { query } = visit;
    const sheet = SHEETS.find(({ id }) => id === query.get('sheet'));
    if (sheet === undefined) throw nothingHere();
    const [from, to] = sheet.days;
    const days = { [from]: query.get('from') || undefined, [to]: query.get('to') || undefined };
    return downloadOf(visit, sheet, sheet === paidSheet ? { ...SINCE_EVER, ...defined(days) } : days);
  },
});

/** Keeps unpaid charges out also when no day is chosen. */
const SINCE_EVER = { paidFrom: '2000-01-01' };

function defined(days: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(days).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
}

export const exportPages: readonly DashboardRoute[] = [show, file];
