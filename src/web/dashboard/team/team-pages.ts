import { ROLES, type Role } from '../../../domain/role.ts';
import { type Member, membersOf } from '../../../identity/members.ts';
import { type Problems, selectField, textField } from '../../frame/fields.ts';
import { html } from '../../frame/html.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';
import { ROLE_NAMES } from '../../i18n/role-names.ts';
import { badge, day, linkButton, section } from '../frame/components.ts';
import { form } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import type { Reply } from '../frame/route.ts';
import { ownStepUp, stepUpFields } from '../frame/step-up.ts';
import { table } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { moneyWaits, waitMark, waitPart } from './confirmation.ts';
import { openInvitations, wayField } from './invitations.ts';
import { knownKeys } from './known-keys.ts';

/** What each role is for, in the choice of roles. */
const ROLE_TASKS: Readonly<Record<Role, MessageKey>> = {
  owner: 'dashboard.team.roleTasks.owner',
  developer: 'dashboard.team.roleTasks.developer',
  finance: 'dashboard.team.roleTasks.finance',
  support: 'dashboard.team.roleTasks.support',
  viewer: 'dashboard.team.roleTasks.viewer',
};

/** The submitted invitation and its problems. */
export interface TypedInvitation {
  readonly email: string;
  readonly role: Role;
  readonly problems: Problems;
}

/** GET `/team`: members and invitations. */
export async function renderTeam(
  visit: Visit,
  { email, role, problems }: TypedInvitation = { email: '', role: 'viewer', problems: {} },
  status = 200,
): Promise<Reply> {
  const { say } = visit;
  const members = await membersOf(visit.em, visit.store.id);
  const waits = await moneyWaits(visit, members);
  const body = html`${table({
    caption: say('dashboard.team'),
    headings: [
      say('dashboard.person'),
      say('dashboard.team.role'),
      say('dashboard.secondFactor'),
      say('dashboard.since'),
    ],
    rows: members.map((member) => rowOf(visit, member, waits.get(member.userId))),
    empty: '',
  })}
${section(
  say('dashboard.team.invite'),
  form(visit, {
    action: '/team/invite',
    fields: html`${textField({ name: 'email', label: say('dashboard.eMail'), type: 'email', value: email, maxLength: 254, problems })}
${roleField(visit, role)}${wayField(visit)}${stepUpFields(visit, ownStepUp(visit), problems)}`,
    submit: say('dashboard.team.makeTheInvitation'),
  }),
)}
${await openInvitations(visit)}`;
  return page(visit, { title: say('dashboard.team'), active: 'team', body, status });
}

function rowOf(
  visit: Visit,
  { userId, email, name, role, hasSecondFactor, createdAt, mayAlreadySend }: Member,
  waitsUntil: Date | undefined,
) {
  const { say } = visit;
  const cells = [
    html`${name === '' ? email : html`${name}<br><span class="soft">${email}</span>`}`,
    html`${say(ROLE_NAMES[role])}${waitMark(visit, { mayAlreadySend }, waitsUntil)}`,
    hasSecondFactor ? badge('good', say('dashboard.on')) : badge('waiting', say('dashboard.off')),
    day(visit, createdAt),
  ];
  return { href: visit.link(`/team/${userId}`), cells };
}

function roleField({ say }: Visit, value: Role) {
  const options = ROLES.map((role) => [role, `${say(ROLE_NAMES[role])}: ${say(ROLE_TASKS[role])}`] as const);
  return selectField({ name: 'role', label: say('dashboard.team.role'), value, options });
}

/** GET `/team/:userId`: the role of a member. */
export async function renderMember(
  visit: Visit,
  member: Member,
  problems: Problems = {},
  status = 200,
): Promise<Reply> {
  const { say } = visit;
  const body = html`${await waitPart(visit, member)}${await knownKeys(visit, member)}
${section(
  say('dashboard.team.role'),
  form(visit, {
    action: `/team/${member.userId}/role`,
    fields: html`${roleField(visit, member.role)}${stepUpFields(visit, ownStepUp(visit), problems)}`,
    submit: say('dashboard.team.changeTheRole'),
  }),
)}
<p>${linkButton(visit, `/team/${member.userId}/remove`, say('dashboard.team.takeOutOfTheTeam'), 'danger')}</p>`;
  return page(visit, { title: nameOf(member), active: 'team', body, status });
}

/** GET `/team/:userId/remove`. */
export async function renderRemoval(
  visit: Visit,
  member: Member,
  problems: Problems = {},
  status = 200,
): Promise<Reply> {
  const { say } = visit;
  const body = section(
    say('dashboard.team.takeOutOfTheTeam2'),
    html`${await knownKeys(visit, member)}<p>${say('dashboard.team.theyLoseAccessToThis')}</p>
${form(visit, {
  action: `/team/${member.userId}/remove`,
  fields: html`${stepUpFields(visit, ownStepUp(visit), problems)}`,
  submit: say('dashboard.team.takeOut'),
  style: 'danger',
})}`,
  );
  return page(visit, { title: nameOf(member), active: 'team', body, status });
}

function nameOf({ name, email }: Member): string {
  return name === '' ? email : name;
}
