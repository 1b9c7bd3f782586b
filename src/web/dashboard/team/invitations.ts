import { can } from '../../../domain/role.ts';
import { type PendingInvitation, pendingInvitations } from '../../../identity/invitations.ts';
import { ROLE_NAMES } from '../../../identity/role-names.ts';
import { type Html, html } from '../../frame/html.ts';
import { badge, copyable, link, section, time } from '../frame/components.ts';
import { form, selectField } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import type { Reply } from '../frame/route.ts';
import { table } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';

/** Whether the invitation is mailed: if mail is configured, unless the inviter wants to hand the link over. */
export function isMailed(visit: Visit): boolean {
  return visit.deps.config.mail !== null && visit.field('by') !== 'link';
}

/** How the invitation reaches the person. */
export function wayField({ say, deps }: Visit): Html | null {
  if (deps.config.mail === null) return null;
  const options = [
    ['mail', say('por e-mail', 'by e-mail')],
    ['link', say('um link que eu mesmo envio', 'a link that I send myself')],
  ] as const;
  return selectField({ name: 'by', label: say('Enviar', 'Send'), value: 'mail', options });
}

/** Invitations that were not accepted yet, each with a button that revokes it. */
export async function openInvitations(visit: Visit): Promise<Html | null> {
  const { say } = visit;
  const invitations = await pendingInvitations(visit.em, visit.store.id, visit.now);
  if (invitations.length === 0) return null;
  const title = say('Convites em aberto', 'Open invitations');
  const headings = [
    'E-mail',
    say('Papel', 'Role'),
    say('Convidado por', 'Invited by'),
    say('Convidado', 'Invited'),
    say('Vale até', 'Good until'),
    say('Situação', 'Status'),
    '',
  ];
  const rows = invitations.map((invitation) => [
    invitation.email,
    say(...ROLE_NAMES[invitation.role]),
    invitation.inviterEmail ?? say('linha de comando', 'command line'),
    time(visit, invitation.createdAt),
    invitation.expiresAt === null ? '–' : time(visit, invitation.expiresAt),
    stateOf(visit, invitation),
    form(visit, {
      action: `/team/${invitation.userId}/revoke-invitation`,
      submit: say('Revogar', 'Revoke'),
      style: 'quiet',
    }),
  ]);
  return section(title, table({ caption: title, headings, rows, empty: '' }));
}

function stateOf({ say }: Visit, invitation: PendingInvitation): Html {
  const { inviterEmail, inviterRole, expiresAt, isGivenUp } = invitation;
  const isBacked = inviterEmail === null || (inviterRole !== null && can(inviterRole, 'team'));
  if (!isBacked)
    return badge(
      'bad',
      say('quem convidou não pode mais convidar', 'the inviter may no longer invite people'),
    );
  if (isGivenUp)
    return badge(
      'bad',
      say(
        'não foi aceito: crie outro, com um link',
        'could not be delivered: create another one, with a link',
      ),
    );
  if (expiresAt === null) return badge('waiting', say('a caminho', 'on its way'));
  return badge('good', say('pode ser usado', 'can be used'));
}

/** The only page that shows the link: anyone who opens it may join. */
export function renderInvitation(visit: Visit, email: string, url: string): Reply {
  const { say } = visit;
  const body = section(
    email,
    html`<p>${say('Envie este link à pessoa. Ele vale uma vez, por 7 dias, e não será mostrado de novo.', 'Send this link to the person. It can be used once within 7 days and will not be shown again.')}</p>
${copyable(visit, 'link', url)}
<p>${link(visit, '/team', say('Voltar à equipe', 'Back to the team'))}</p>`,
  );
  return page(visit, { title: say('Convite criado', 'Invitation created'), active: 'team', body });
}
