import { isDayOnly } from '../../domain/civil-date.ts';
import { type Html, html } from '../frame/html.ts';
import { pageLocale, sayDay, sayHtml } from '../frame/language.ts';
import { exactTimeText } from '../i18n/dates.ts';

/** The check mark of a completed payment. */
export const RECEIPT_CHECK: Html = html`<svg class="receipt__check" viewBox="0 0 20 20" aria-hidden="true"><circle cx="10" cy="10" r="10"/><path d="m5.5 10.5 3 3 6-6.5"/></svg>`;

/** To the second, as banks write it on their receipts; the day if nothing else is known. */
export function dayAndTime(instant: Date): Html {
  const text = isDayOnly(instant) ? sayDay(instant) : exactTimeText(pageLocale(), instant);
  return html`<time datetime="${instant.toISOString()}">${text}</time>`;
}

/** The same with its time zone, which a day alone does not need. */
export function dayAndZonedTime(instant: Date): Html {
  const time = dayAndTime(instant);
  return isDayOnly(instant) ? time : sayHtml('receipt.brasiliaTime', { time });
}
