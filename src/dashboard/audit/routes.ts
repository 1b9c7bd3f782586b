import { type CsvColumns, csvOf } from '../../api/frame/csv.ts';
import { paginate } from '../../api/frame/pagination.ts';
import { type AuditLine, AuditLineEntity } from '../../database/entities/audit-line.ts';
import { UserEntity } from '../../database/entities/user.ts';
import type { UserId } from '../../domain/ids.ts';
import { membersOf } from '../../identity/members.ts';
import { ROLE_NAMES } from '../../identity/role-names.ts';
import { html } from '../../pages/frame/html.ts';
import { filters, pager, table, time } from '../frame/components.ts';
import { selectField, textField } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import { csvFile, type DashboardRoute, dashboardRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';

const LINES_OF_PAGE = 50;
/** As many as lists of the API have in a file. */
const LINES_OF_FILE = 10_000;

/** A line with the address of who did it, who may be out of the team since. */
type Shown = AuditLine & { readonly email: string };

const show = dashboardRoute({
  method: 'GET',
  path: '/audit',
  action: 'audit:read',
  async handler(visit) {
    const { say } = visit;
    const { items, pagination } = await linesOf(visit, LINES_OF_PAGE);
    const members = await membersOf(visit.em, visit.store.id);
    const fields = html`${selectField({
      name: 'user',
      label: say('Quem', 'Who'),
      value: visit.query.get('user') ?? '',
      options: [['', say('todos', 'all')], ...members.map(({ userId, email }) => [userId, email] as const)],
    })}
${textField({ name: 'action', label: say('O quê', 'What'), value: visit.query.get('action') ?? '', hint: 'keys/create', required: false, maxLength: 100 })}`;
    const body = html`${filters(visit, fields)}
${table({
  caption: say('Auditoria', 'Audit log'),
  headings: [
    say('Quando', 'When'),
    say('Quem', 'Who'),
    say('O quê', 'What'),
    say('Sobre', 'To what'),
    say('Ambiente', 'Environment'),
    say('De onde', 'From'),
  ],
  rows: items.map((line) => [
    time(visit, line.createdAt),
    html`${line.email} <span class="soft">${say(...ROLE_NAMES[line.role])}</span>`,
    html`<code>${line.action}</code>`,
    line.subjectId === null ? '–' : html`<code>${line.subjectId}</code>`,
    line.devMode === null ? '–' : line.devMode ? say('teste', 'test') : say('produção', 'production'),
    line.address,
  ]),
  empty: say('Ninguém fez nada ainda.', 'Nobody has done anything yet.'),
})}
${pager(visit, pagination)}`;
    const csv = html`<a class="button button--quiet" href="${`${visit.link('/audit.csv')}?${visit.query}`}">CSV</a>`;
    return page(visit, { title: say('Auditoria', 'Audit log'), active: 'audit', body, actions: csv });
  },
});

const file = dashboardRoute({
  method: 'GET',
  path: '/audit.csv',
  action: 'audit:read',
  async handler(visit) {
    const { items } = await linesOf(visit, LINES_OF_FILE);
    const columns: CsvColumns<Shown> = {
      createdAt: ({ createdAt }) => createdAt.toISOString(),
      email: ({ email }) => email,
      role: ({ role }) => role,
      action: ({ action }) => action,
      subjectId: ({ subjectId }) => subjectId,
      devMode: ({ devMode }) => devMode,
      address: ({ address }) => address,
    };
    return csvFile('audit.csv', csvOf(columns, items));
  },
});

/** Lines of the store, newest first, of both environments: who looks for what somebody did looks for all of it. */
async function linesOf(visit: Visit, limit: number) {
  const { user, action, after, before } = Object.fromEntries(visit.query);
  const where = {
    storeId: visit.store.id,
    ...(user && { userId: user as UserId }),
    ...(action && { action }),
  };
  const query = { limit, ...(after && { after }), ...(before && { before }) };
  const { items, pagination } = await paginate(
    { em: visit.em, path: '/audit', query },
    AuditLineEntity,
    where,
  );
  const ids = [...new Set(items.map(({ userId }) => userId))];
  const users = await visit.em.find(UserEntity, { id: { $in: ids } }, { fields: ['id', 'email'] });
  const emailOf = new Map(users.map(({ id, email }) => [id, email]));
  return {
    pagination,
    items: items.map((line): Shown => ({ ...line, email: emailOf.get(line.userId) ?? '' })),
  };
}

export const auditPages: readonly DashboardRoute[] = [show, file];
