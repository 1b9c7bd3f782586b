import { type CsvColumns, csvOf, csvRows } from '../../../api/frame/csv.ts';
import { keysOf } from '../../../api/keys/api-keys.ts';
import type { NamedLine } from '../../../audit-log/actor-names.ts';
import { ACTOR_KINDS, type ActorKind } from '../../../domain/audit-actor.ts';
import { withoutBidiControls } from '../../../domain/bidi.ts';
import { membersOf } from '../../../identity/members.ts';
import { selectField } from '../../frame/fields.ts';
import { type Html, html } from '../../frame/html.ts';
import { icon } from '../../frame/icons.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';
import { downloadParts, recordDownload } from '../exports/download.ts';
import { exactTime, filters, pager } from '../frame/components.ts';
import { page } from '../frame/layout.ts';
import type { Say } from '../frame/locale.ts';
import { type DashboardRoute, dashboardRoute } from '../frame/route.ts';
import { table } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { ACTION_WORDS, actionText } from './action-words.ts';
import { allAuditLines, auditLines } from './audit-lines.ts';
import { detailsOf, idsIn } from './detail-words.ts';
import { subjectOf, whoOf } from './line-links.ts';
import { subjectNames } from './subject-names.ts';

const LINES_OF_PAGE = 50;
/** Lines of the file that are read at once. */
const LINES_OF_PART = 500;

const KIND_NAMES: Readonly<Record<ActorKind, MessageKey>> = {
  PERSON: 'dashboard.audit.kindNames.person',
  API_KEY: 'dashboard.audit.kindNames.apiKey',
  CLI: 'dashboard.commandLine',
  SYSTEM: 'dashboard.audit.theServiceItself',
  PAYER: 'dashboard.audit.kindNames.payer',
};

const show = dashboardRoute({
  method: 'GET',
  path: '/audit',
  action: 'audit:read',
  async handler(visit) {
    const { say } = visit;
    const { after = '', before = '' } = Object.fromEntries(visit.query);
    const { items, pagination } = await auditLines(visit, { limit: LINES_OF_PAGE, after, before });
    const names = await subjectNames(visit, items.flatMap(idsIn));
    const body = html`${filters(visit, await filterFields(visit))}
${table({
  caption: say('dashboard.auditLog'),
  headings: [
    say('dashboard.when'),
    say('dashboard.who'),
    say('dashboard.what'),
    say('dashboard.audit.toWhat'),
    say('dashboard.audit.environment'),
    say('dashboard.from2'),
  ],
  rows: items.map((line) => [
    exactTime(visit, line.createdAt),
    whoOf(visit, line),
    html`${actionText(say, line.action)} <code class="code-of">${line.action}</code>${detailsOf(visit, line, names)}`,
    subjectOf(visit, line, names),
    line.devMode === null ? '–' : line.devMode ? say('dashboard.test') : say('dashboard.production'),
    line.address ?? '–',
  ]),
  empty: say('dashboard.audit.noActivityYet'),
})}
${pager(visit, pagination)}`;
    const csv = html`<a class="button button--quiet" href="${`${visit.link('/audit.csv')}?${visit.query}`}">${icon('download')}${say('dashboard.lists.csvForPrograms')}</a>`;
    return page(visit, { title: say('dashboard.auditLog'), active: 'audit', body, actions: csv });
  },
});

async function filterFields({ em, store, query, say }: Visit): Promise<Html> {
  const members = await membersOf(em, store.id);
  const keys = await keysOf(em, { storeId: store.id });
  const chosen = (name: string) => query.get(name) ?? '';
  return html`${selectField({
    name: 'actor',
    label: say('dashboard.by'),
    value: chosen('actor'),
    options: [
      ['', say('dashboard.all')],
      ...ACTOR_KINDS.map((kind) => [kind, say(KIND_NAMES[kind])] as const),
    ],
  })}
${selectField({
  name: 'user',
  label: say('dashboard.person'),
  value: chosen('user'),
  options: [['', say('dashboard.all2')], ...members.map(({ userId, email }) => [userId, email] as const)],
})}
${selectField({
  name: 'key',
  label: say('dashboard.key'),
  value: chosen('key'),
  options: [
    ['', say('dashboard.all2')],
    ...keys.map(({ id, description, lastFour }) => [id, `${description} …${lastFour}`] as const),
  ],
})}
${selectField({
  name: 'action',
  label: say('dashboard.what'),
  value: chosen('action'),
  options: actionOptions(say, chosen('action')),
})}`;
}

/** All actions in words. One without words is offered only while it is chosen. */
function actionOptions(say: Say, chosen: string): readonly (readonly [string, string])[] {
  const known = Object.keys(ACTION_WORDS);
  const names = chosen === '' || known.includes(chosen) ? known : [...known, chosen];
  const options = names.map((name) => [name, actionText(say, name)] as const);
  return [['', say('dashboard.audit.everything')], ...options];
}

const COLUMNS: CsvColumns<NamedLine> = {
  createdAt: ({ createdAt }) => createdAt.toISOString(),
  email: ({ email }) => email,
  role: ({ role }) => role,
  action: ({ action }) => action,
  subjectId: ({ subjectId }) => subjectId,
  devMode: ({ devMode }) => devMode,
  address: ({ address }) => address,
  // New columns go last: programs may read the others by position.
  actorKind: ({ actorKind }) => actorKind,
  keyId: ({ keyId }) => keyId,
  keyDescription: ({ keyDescription }) => readable(keyDescription),
  operator: ({ operator }) => readable(operator),
  details: ({ details }) => readable(details),
  id: ({ id }) => id,
  subjectEmail: ({ subjectEmail }) => subjectEmail,
};

/** Every line that matches the filters: nobody can push a line out of the file by causing others. */
const file = dashboardRoute({
  method: 'GET',
  path: '/audit.csv',
  action: 'audit:read',
  async handler(visit) {
    await recordDownload(visit, { sheet: 'audit.csv' });
    return downloadParts(visit, 'audit.csv', partsOf(visit));
  },
});

/** Without controls that would reorder the text in a spreadsheet. */
function readable(text: string | null): string | null {
  return text === null ? null : withoutBidiControls(text);
}

async function* partsOf(visit: Visit): AsyncGenerator<string> {
  yield csvOf(COLUMNS, []);
  for await (const lines of allAuditLines(visit, LINES_OF_PART)) yield csvRows(COLUMNS, lines);
}

export const auditPages: readonly DashboardRoute[] = [show, file];
