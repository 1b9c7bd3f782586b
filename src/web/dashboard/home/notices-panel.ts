import { noticedLinesSince } from '../../../audit-log/noticed-lines.ts';
import { noticeWords } from '../../../identity/notice-words.ts';
import { type Html, html } from '../../frame/html.ts';
import { link, section, time } from '../frame/components.ts';
import { table } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';

const SHOWN_MS = 7 * 24 * 60 * 60 * 1_000;
const SHOWN = 10;

/** Recent changes that gave someone a way to money or removed a protection of it, for owners. Null if there are none. */
export async function noticesPanel(visit: Visit): Promise<Html | null> {
  const { say, em, store, now } = visit;
  if (!visit.can('audit:read')) return null;
  const lines = await noticedLinesSince(em, store.id, new Date(now.getTime() - SHOWN_MS), SHOWN + 1);
  if (lines.length === 0) return null;
  const title = say('Segurança nos últimos 7 dias', 'Security in the last 7 days');
  const rows = lines
    .slice(0, SHOWN)
    .map((line) => [say(...noticeWords(line)), line.actorName ?? '–', time(visit, line.createdAt)]);
  const headings = [say('O que houve', 'What happened'), say('Por', 'By'), say('Quando', 'When')];
  return section(
    title,
    html`${table({ caption: title, headings, rows, empty: '' })}
${lines.length > SHOWN && html`<p>${say('Houve mais, que está na auditoria.', 'See the audit log for more.')}</p>`}
<p>${link(visit, '/audit', say('Ver a auditoria', 'See the audit log'))}</p>`,
  );
}
