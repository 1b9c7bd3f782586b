import { UNSENT_INVITATIONS } from '../../database/invitation-mails.ts';
import { ROLE_NAMES } from '../../identity/role-names.ts';
import { type Html, html } from '../../pages/frame/html.ts';
import { badge, copyable, link, section, table, time } from '../frame/components.ts';
import { selectField } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import type { Reply } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';

/** Where mails are sent at all, unless whoever invites wants to hand the link over. */
export function isMailed(visit: Visit): boolean {
  return visit.deps.config.mail !== null && visit.field('by') !== 'link';
}

/** How the invitation reaches whom it is for. */
export function wayField({ say, deps }: Visit): Html | null {
  if (deps.config.mail === null) return null;
  const options = [
    ['mail', say('por e-mail', 'by e-mail')],
    ['link', say('um link que eu mesmo envio', 'a link that I send myself')],
  ] as const;
  return selectField({ name: 'by', label: say('Enviar', 'Send'), value: 'mail', options });
}

/** Invitations that are on their way, or that no mail server takes. */
export async function unsentInvitations(visit: Visit): Promise<Html | null> {
  const { say } = visit;
  const invitations = await UNSENT_INVITATIONS(visit.em, { storeId: visit.store.id });
  if (invitations.length === 0) return null;
  const title = say('Convites a enviar', 'Invitations to be sent');
  const rows = invitations.map(({ email, role, createdAt, isGivenUp }) => [
    email,
    say(...ROLE_NAMES[role]),
    time(visit, createdAt),
    isGivenUp
      ? badge(
          'bad',
          say('não foi aceito: crie outro, com um link', 'was not taken: make another one, with a link'),
        )
      : badge('waiting', say('a caminho', 'on its way')),
  ]);
  return section(
    title,
    table({
      caption: title,
      headings: ['E-mail', say('Papel', 'Role'), say('Convidado', 'Invited'), say('Situação', 'Status')],
      rows,
      empty: '',
    }),
  );
}

/** The only page that ever has the link: whoever opens it may join. */
export function renderInvitation(visit: Visit, email: string, url: string): Reply {
  const { say } = visit;
  const body = section(
    email,
    html`<p>${say('Envie este link à pessoa. Ele vale uma vez, por 7 dias, e não será mostrado de novo.', 'Send this link to them. It is good once, for 7 days, and will not be shown again.')}</p>
${copyable(visit, 'link', url)}
<p>${link(visit, '/team', say('Voltar à equipe', 'Back to the team'))}</p>`,
  );
  return page(visit, { title: say('Convite criado', 'Invitation made'), active: 'team', body });
}
