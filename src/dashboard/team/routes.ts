import type { UserId } from '../../domain/ids.ts';
import { ROLES, type Role } from '../../domain/role.ts';
import { inviteByLink, inviteByMail, revokeInvitations } from '../../identity/invitations.ts';
import { changeMember, LastOwner, type Member, membersOf } from '../../identity/members.ts';
import { ROLE_NAMES } from '../../identity/role-names.ts';
import { normalEmail, userOf } from '../../identity/users.ts';
import { html } from '../../pages/frame/html.ts';
import { badge, link, section, table, time } from '../frame/components.ts';
import { form, type Problems, selectField, textField } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import {
  type DashboardRoute,
  dashboardRoute,
  nothingHere,
  Refusal,
  type Reply,
  refused,
  seeOther,
} from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { isMailed, openInvitations, renderInvitation, wayField } from './invitations.ts';

const show = dashboardRoute({
  method: 'GET',
  path: '/team',
  action: 'team',
  handler: (visit) => renderTeam(visit),
});

async function renderTeam(visit: Visit, email = '', problems: Problems = {}, status = 200): Promise<Reply> {
  const { say } = visit;
  const members = await membersOf(visit.em, visit.store.id);
  const body = html`${table({
    caption: say('Equipe', 'Team'),
    headings: [
      say('Pessoa', 'Person'),
      say('Papel', 'Role'),
      say('Segundo fator', 'Second factor'),
      say('Desde', 'Since'),
      '',
    ],
    rows: members.map((member) => rowOf(visit, member)),
    empty: '',
  })}
${section(
  say('Convidar', 'Invite'),
  form(visit, {
    action: '/team/invite',
    fields: html`${textField({ name: 'email', label: 'E-mail', type: 'email', value: email, maxLength: 254, problems })}
${roleField(visit, 'support')}${wayField(visit)}`,
    submit: say('Criar o convite', 'Make the invitation'),
  }),
)}
${await openInvitations(visit)}`;
  return page(visit, { title: say('Equipe', 'Team'), active: 'team', body, status });
}

function rowOf(visit: Visit, { userId, email, name, role, hasSecondFactor, createdAt }: Member) {
  const { say } = visit;
  return [
    html`${name === '' ? email : html`${name}<br><span class="soft">${email}</span>`}`,
    say(...ROLE_NAMES[role]),
    hasSecondFactor ? badge('good', say('ligado', 'on')) : badge('waiting', say('desligado', 'off')),
    time(visit, createdAt),
    link(visit, `/team/${userId}`, say('Mudar…', 'Change…')),
  ];
}

function roleField({ say }: Visit, value: Role) {
  const options = ROLES.map((role) => [role, say(...ROLE_NAMES[role])] as const);
  return selectField({ name: 'role', label: say('Papel', 'Role'), value, options });
}

const invite = dashboardRoute({
  method: 'POST',
  path: '/team/invite',
  action: 'team',
  async handler(visit) {
    const { say, store, now } = visit;
    const email = normalEmail(visit.field('email'));
    if (email === null) {
      const problem = say(
        'Escreva um e-mail, como ana@exemplo.com.br',
        'Write an e-mail address, such as ana@example.com',
      );
      return renderTeam(visit, visit.field('email'), { email: problem }, 422);
    }
    const role = roleIn(visit);
    if (isMailed(visit)) {
      await limitMails(visit);
      await visit.act('team/invite', 'of store', async (em) => {
        const { id: userId } = await userOf(em, email, now);
        const given = { userId, storeId: store.id, role, inviterId: visit.user.id };
        await inviteByMail(em, { ...given, language: visit.locale, createdAt: now });
        return userId;
      });
      return seeOther(
        visit.link('/team'),
        say(`O convite vai por e-mail a ${email}.`, `The invitation goes to ${email} by e-mail.`),
      );
    }
    let path = '';
    await visit.act('team/invite', 'of store', async (em) => {
      const { id: userId } = await userOf(em, email, now);
      path = await inviteByLink(em, { userId, storeId: store.id, role, inviterId: visit.user.id }, now);
      return userId;
    });
    return renderInvitation(visit, email, visit.deps.publicUrl + path);
  },
});

const revoke = dashboardRoute({
  method: 'POST',
  path: '/team/:userId/revoke-invitation',
  action: 'team',
  async handler(visit) {
    const { say, store } = visit;
    const userId = visit.params.userId as UserId;
    await visit.act('team/revoke-invitation', 'of store', async (em) => {
      if (!(await revokeInvitations(em, store.id, userId))) throw nothingHere();
      return userId;
    });
    return seeOther(visit.link('/team'), say('O convite não vale mais.', 'The invitation is revoked.'));
  },
});

/** @throws Refusal 429 where the store has mailed so many invitations that no team needs more of them today. */
async function limitMails({ deps, store }: Visit): Promise<void> {
  if ((await deps.gate.countKnown(['invitationMailsOfStore', store.id])) === null) return;
  throw new Refusal(
    429,
    'Muitos convites por e-mail hoje. Crie um link e envie-o você, ou espere até amanhã.',
    'Too many invitations by e-mail today. Make a link and send it yourself, or wait until tomorrow.',
  );
}

const member = dashboardRoute({
  method: 'GET',
  path: '/team/:userId',
  action: 'team',
  async handler(visit) {
    const { say } = visit;
    const found = await requireMember(visit);
    const body = html`${section(
      say('Papel', 'Role'),
      form(visit, {
        action: `/team/${found.userId}/role`,
        fields: roleField(visit, found.role),
        submit: say('Mudar o papel', 'Change the role'),
      }),
    )}
${section(
  say('Tirar da equipe', 'Take out of the team'),
  html`<p>${say('A próxima página que a pessoa abrir desta loja é recusada.', 'The next page of this store that they open is refused.')}</p>
${form(visit, { action: `/team/${found.userId}/remove`, submit: say('Tirar da equipe', 'Take out'), style: 'danger' })}`,
)}`;
    return page(visit, { title: found.name === '' ? found.email : found.name, active: 'team', body });
  },
});

/** @throws Refusal 404 */
async function requireMember(visit: Visit): Promise<Member> {
  const members = await membersOf(visit.em, visit.store.id);
  const found = members.find(({ userId }) => userId === visit.params.userId);
  if (found === undefined) throw nothingHere();
  return found;
}

const changeRole = dashboardRoute({
  method: 'POST',
  path: '/team/:userId/role',
  action: 'team',
  handler: (visit) =>
    change(visit, 'team/role', roleIn(visit), visit.say('O papel foi mudado.', 'The role is changed.')),
});

const remove = dashboardRoute({
  method: 'POST',
  path: '/team/:userId/remove',
  action: 'team',
  handler: (visit) =>
    change(
      visit,
      'team/remove',
      null,
      visit.say('Não faz mais parte da equipe.', 'They are out of the team.'),
    ),
});

async function change(visit: Visit, action: string, role: Role | null, done: string): Promise<Reply> {
  const userId = visit.params.userId as UserId;
  try {
    await visit.act(action, 'of store', async (em) => {
      if (!(await changeMember(em, visit.store.id, userId, role))) throw nothingHere();
      return userId;
    });
  } catch (error) {
    if (!(error instanceof LastOwner)) throw error;
    const why = visit.say('A loja precisa de pelo menos um dono.', 'The store needs one owner at least.');
    return refused(visit.link('/team'), why);
  }
  // Who has taken themselves out reads the first page; all others the team.
  return seeOther(userId === visit.user.id ? '/dashboard' : visit.link('/team'), done);
}

/** What was chosen; the least, where nothing was. */
function roleIn(visit: Visit): Role {
  return ROLES.find((role) => role === visit.field('role')) ?? 'support';
}

export const teamPages: readonly DashboardRoute[] = [show, invite, revoke, member, changeRole, remove];
