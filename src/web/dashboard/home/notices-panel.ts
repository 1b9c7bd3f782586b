import { noticedLinesSince } from '../../../audit-log/noticed-lines.ts';
import { type Html, html } from '../../frame/html.ts';
import { noticeText } from '../../i18n/notice-text.ts';
import { link, section, time } from '../frame/components.ts';
import { table } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';

const SHOWN_MS = 7 * 24 * 60 * 60 * 1_000;
/** More are shown only if there are more actions. */
const SHOWN = 10;

/** Recent changes that gave someone a way to money or removed a protection of it, for owners. Null if there are none. */
export async function noticesPanel(visit: Visit): Promise<Html | null> {
  const { say, em, store, now } = visit;
  if (!visit.can('audit:read')) return null;
  const lines = await noticedLinesSince(em, store.id, new Date(now.getTime() - SHOWN_MS));
  if (lines.length === 0) return null;
  const title = say('dashboard.home.securityInTheLast7');
  // Someone who does ten other things after they have joined must not push their own line out.
  const shown = Math.max(SHOWN, new Set(lines.map(({ action }) => action)).size);
  const rows = lines
    .slice(0, shown)
    .toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime())
    .map((line) => [noticeText(visit.locale, line), line.actorName ?? '–', time(visit, line.createdAt)]);
  const headings = [say('dashboard.home.whatHappened'), say('dashboard.by'), say('dashboard.when')];
  return section(
    title,
    html`${table({ caption: title, headings, rows, empty: '' })}
${lines.length > shown && html`<p>${say('dashboard.home.seeTheAuditLogFor')}</p>`}
<p>${link(visit, '/audit', say('dashboard.home.seeTheAuditLog'))}</p>`,
  );
}
