import { isDayOnly } from '../../domain/civil-date.ts';
import { type Html, html } from '../frame/html.ts';
import { formatTime, say } from '../frame/language.ts';

/** The check mark of a completed payment. */
export const RECEIPT_CHECK: Html = html`<svg class="receipt__check" viewBox="0 0 20 20" aria-hidden="true"><circle cx="10" cy="10" r="10"/><path d="m5.5 10.5 3 3 6-6.5"/></svg>`;

/** `02/12/2026 às 12:01:00`, in São Paulo time, or `02/12/2026` if only the day is known. */
export function dayAndTime(instant: Date): Html {
  const day = formatTime(instant, { day: '2-digit', month: '2-digit', year: 'numeric' });
  const text = isDayOnly(instant)
    ? day
    : say('payer.at', { day, time: formatTime(instant, { timeStyle: 'medium' }) });
  return html`<time datetime="${instant.toISOString()}">${text}</time>`;
}
