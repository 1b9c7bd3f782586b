import { addDays, type CivilDate, weekday } from '../../../domain/civil-date.ts';
import type { Balance } from '../../../ledger/balance.ts';
import type { SettlingDay } from '../../../ledger/settling.ts';
import { type Html, html } from '../../frame/html.ts';
import { shortDay, weekdayName } from '../../i18n/dates.ts';
import { link, section } from '../frame/components.ts';
import type { Visit } from '../frame/visit.ts';
import { amount } from '../words.ts';

/** Five weeks from Monday: card payments settle after a month. */
const CALENDAR_DAYS = 35;

/** The first and last day of the calendar. */
export function calendarSpan(today: CivilDate): { readonly first: CivilDate; readonly last: CivilDate } {
  const first = addDays(today, -((weekday(today) + 6) % 7));
  return { first, last: addDays(first, CALENDAR_DAYS - 1) };
}

/** What becomes available on which day. Days without money are shown only where the calendar has columns. */
export function settlementCalendar(
  visit: Visit,
  balance: Balance,
  settling: readonly SettlingDay[],
  today: CivilDate,
): Html {
  const { say } = visit;
  const soonCents = settling.reduce((sum, { netCents }) => sum + netCents, 0);
  const laterCents = balance.pendingCents - soonCents;
  const title = say('dashboard.home.whenMoneyBecomesAvailable');
  const sum = html`<p>${say('dashboard.home.pending', { pending: amount(balance.pendingCents) })}${laterCents > 0 && html` <span class="soft">${say('dashboard.home.afterTheseDays', { later: amount(laterCents) })}</span>`}. ${link(visit, '/balance?account=PENDING', say('dashboard.home.seeFromWhat'))}</p>`;
  if (settling.length === 0)
    return section(title, html`<p class="empty">${say('dashboard.home.noPaymentIsWaitingTo')}</p>`);
  return section(title, html`${sum}${calendar(visit, settling, today)}`);
}

function calendar({ locale }: Visit, settling: readonly SettlingDay[], today: CivilDate): Html {
  const { first } = calendarSpan(today);
  const centsOf = centsByDay(settling, today);
  const days = Array.from({ length: CALENDAR_DAYS }, (_, index) => addDays(first, index));
  const cells = days.map((day) => {
    const cents = centsOf.get(day) ?? 0;
    const name = `${weekdayName(locale, day)}, ${shortDay(locale, day)}`;
    const kind = day < today ? 'past' : cents === 0 ? 'none' : 'some';
    return html`<li class="day day--${kind}"${day === today && html` aria-current="date"`}><span class="day__name"><span class="day__weekday">${name}</span><span class="day__number" aria-hidden="true">${Number(day.slice(8))}</span></span>${cents !== 0 && html` <span class="day__amount">${amount(cents)}</span>`}</li>`;
  });
  const heads = days.slice(0, 7).map((day) => html`<span>${weekdayName(locale, day).slice(0, 3)}</span>`);
  return html`<div class="calendar"><div class="calendar__heads" aria-hidden="true">${heads}</div>
<ol class="calendar__days">
${cells}</ol></div>`;
}

/** What should have become available before today counts for today. */
function centsByDay(settling: readonly SettlingDay[], today: CivilDate): ReadonlyMap<CivilDate, number> {
  const cents = new Map<CivilDate, number>();
  for (const { day, netCents } of settling) {
    const shown = day < today ? today : day;
    cents.set(shown, (cents.get(shown) ?? 0) + netCents);
  }
  return cents;
}
