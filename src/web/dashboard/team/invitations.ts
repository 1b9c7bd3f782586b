import { can } from '../../../domain/role.ts';
import { type PendingInvitation, pendingInvitations } from '../../../identity/invitations.ts';
import { selectField } from '../../frame/fields.ts';
import { type Html, html } from '../../frame/html.ts';
import { ROLE_NAMES } from '../../i18n/role-names.ts';
import { badge, copyable, day, link, section, time } from '../frame/components.ts';
import { formDialog } from '../frame/dialog.ts';
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
    ['mail', say('dashboard.team.byEMail')],
    ['link', say('dashboard.team.aLinkThatISend')],
  ] as const;
  return selectField({ name: 'by', label: say('dashboard.team.send'), value: 'mail', options });
}

/** Invitations that were not accepted yet, each with a button that revokes it. */
export async function openInvitations(visit: Visit): Promise<Html | null> {
  const { say } = visit;
  const invitations = await pendingInvitations(visit.em, visit.store.id, visit.now);
  if (invitations.length === 0) return null;
  const title = say('dashboard.team.openInvitations');
  const headings = [
    say('dashboard.eMail'),
    say('dashboard.team.role'),
    say('dashboard.team.invitedBy'),
    say('dashboard.team.goodUntil'),
    say('dashboard.status'),
    '',
  ];
  const rows = invitations.map((invitation) => [
    invitation.email,
    say(ROLE_NAMES[invitation.role]),
    // In one cell, so that the button is in view.
    html`${invitation.inviterEmail ?? say('dashboard.commandLine')}<br><span class="soft">${day(visit, invitation.createdAt)}</span>`,
    invitation.expiresAt === null ? '–' : time(visit, invitation.expiresAt),
    stateOf(visit, invitation),
    revokeDialog(visit, invitation),
  ]);
  return section(title, table({ caption: title, headings, rows, empty: '' }));
}

function revokeDialog(visit: Visit, { inviteeId, email }: PendingInvitation): Html {
  const { say } = visit;
  return formDialog(visit, {
    name: `revoke-${inviteeId}`,
    button: say('dashboard.revoke'),
    title: say('dashboard.team.revokeTheInvitation', { email }),
    text: say('dashboard.team.revokeMeans'),
    action: `/team/${inviteeId}/revoke-invitation`,
    isDangerous: true,
  });
}

function stateOf({ say }: Visit, invitation: PendingInvitation): Html {
  const { inviterEmail, inviterRole, expiresAt, isGivenUp } = invitation;
  const isBacked = inviterEmail === null || (inviterRole !== null && can(inviterRole, 'team'));
  if (!isBacked) return badge('bad', say('dashboard.team.theInviterMayNoLonger'));
  if (isGivenUp) return badge('bad', say('dashboard.team.couldNotBeDelivered'));
  if (expiresAt === null) return badge('waiting', say('dashboard.team.onItsWay'));
  return badge('good', say('dashboard.team.canBeUsed'));
}

/** The only page that shows the link: anyone who opens it may join. */
export function renderInvitation(visit: Visit, email: string, url: string): Reply {
  const { say } = visit;
  const body = section(
    email,
    html`<p>${say('dashboard.team.sendThisLinkToThe')}</p>
${copyable(visit, 'link', url)}
<p>${link(visit, '/team', say('dashboard.team.backToTheTeam'))}</p>`,
  );
  return page(visit, { title: say('dashboard.team.invitationCreated'), active: 'team', body });
}
