import { ROLES, type Role } from '../../../domain/role.ts';
import { type Member, membersOf } from '../../../identity/members.ts';
import { ROLE_NAMES } from '../../../identity/role-names.ts';
import { html } from '../../frame/html.ts';
import { badge, link, section, time } from '../frame/components.ts';
import { form, type Problems, selectField, textField } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import type { Reply } from '../frame/route.ts';
import { ownStepUp, stepUpFields } from '../frame/step-up.ts';
import { table } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { moneyWaits, waitMark, waitPart } from './confirmation.ts';
import { openInvitations, wayField } from './invitations.ts';
import { knownKeys } from './known-keys.ts';

/** What each role is for, in the choice of roles. */
const ROLE_TASKS: Readonly<Record<Role, readonly [portuguese: string, english: string]>> = {
  owner: ['tudo, inclusive a equipe', 'everything, including the team'],
  developer: ['chaves de teste e webhooks', 'test keys and webhooks'],
  finance: ['reembolsos e repasses', 'refunds and payouts'],
  support: ['recibos e webhooks de novo', 'receipts and webhooks again'],
  viewer: ['vê os dados, não muda nada', 'sees the data, changes nothing'],
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
    caption: say('Equipe', 'Team'),
    headings: [
      say('Pessoa', 'Person'),
      say('Papel', 'Role'),
      say('Segundo fator', 'Second factor'),
      say('Desde', 'Since'),
    ],
    rows: members.map((member) => rowOf(visit, member, waits.get(member.userId))),
    empty: '',
  })}
${section(
  say('Convidar', 'Invite'),
  form(visit, {
    action: '/team/invite',
    fields: html`${textField({ name: 'email', label: 'E-mail', type: 'email', value: email, maxLength: 254, problems })}
${roleField(visit, role)}${wayField(visit)}${stepUpFields(visit, ownStepUp(visit), problems)}`,
    submit: say('Criar o convite', 'Make the invitation'),
  }),
)}
${await openInvitations(visit)}`;
  return page(visit, { title: say('Equipe', 'Team'), active: 'team', body, status });
}

function rowOf(
  visit: Visit,
  { userId, email, name, role, hasSecondFactor, createdAt }: Member,
  waitsUntil: Date | undefined,
) {
  const { say } = visit;
  const cells = [
    html`${name === '' ? email : html`${name}<br><span class="soft">${email}</span>`}`,
    html`${say(...ROLE_NAMES[role])}${waitMark(visit, waitsUntil)}`,
    hasSecondFactor ? badge('good', say('ligado', 'on')) : badge('waiting', say('desligado', 'off')),
    time(visit, createdAt),
  ];
  return { href: visit.link(`/team/${userId}`), cells };
}

function roleField({ say }: Visit, value: Role) {
  const options = ROLES.map(
    (role) => [role, `${say(...ROLE_NAMES[role])}: ${say(...ROLE_TASKS[role])}`] as const,
  );
  return selectField({ name: 'role', label: say('Papel', 'Role'), value, options });
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
  say('Papel', 'Role'),
  form(visit, {
    action: `/team/${member.userId}/role`,
    fields: html`${roleField(visit, member.role)}${stepUpFields(visit, ownStepUp(visit), problems)}`,
    submit: say('Mudar o papel', 'Change the role'),
  }),
)}
<p>${link(visit, `/team/${member.userId}/remove`, say('Tirar da equipe…', 'Take out of the team…'))}</p>`;
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
    say('Tirar da equipe', 'Take out of the team'),
    html`${await knownKeys(visit, member)}<p>${say('A próxima página que a pessoa abrir desta loja é recusada.', 'They lose access to this store immediately.')}</p>
${form(visit, {
  action: `/team/${member.userId}/remove`,
  fields: html`${stepUpFields(visit, ownStepUp(visit), problems)}`,
  submit: say('Tirar da equipe', 'Take out'),
  style: 'danger',
})}`,
  );
  return page(visit, { title: nameOf(member), active: 'team', body, status });
}

function nameOf({ name, email }: Member): string {
  return name === '' ? email : name;
}
