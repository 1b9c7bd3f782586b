import { membersOf } from '../../../identity/members.ts';
import { type Html, html } from '../../frame/html.ts';
import { badge, link, section } from '../frame/components.ts';
import { form, type Problems } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import type { Reply } from '../frame/route.ts';
import { stepUpFields } from '../frame/step-up.ts';
import type { Visit } from '../frame/visit.ts';

/** Whether the store requires a second factor from everyone, and who has none. */
export async function aboutEverybody(visit: Visit): Promise<Html> {
  const { say, requiresSecondFactor } = visit;
  const members = await membersOf(visit.em, visit.store.id);
  const without = members.filter(({ hasSecondFactor }) => !hasSecondFactor).length;
  const state = requiresSecondFactor
    ? badge('good', say('exigido', 'required'))
    : badge('plain', say('não exigido', 'not required'));
  const still = say(
    `Ainda sem segundo fator: ${without} de ${members.length} na equipe.`,
    `Without a second factor: ${without} of ${members.length} team members.`,
  );
  return html`<p>${state}</p>
${without > 0 && html`<p>${still} ${link(visit, '/team', say('Ver a equipe', 'See the team'))}</p>`}`;
}

/** GET `/controls/second-factor`. Owners without a second factor must set theirs up first. */
export async function renderEverybody(visit: Visit, problems: Problems = {}, status = 200): Promise<Reply> {
  const { say, requiresSecondFactor, user } = visit;
  const title = say('Segundo fator de todos', 'Second factor for everyone');
  const what = say(
    'Vale em teste e produção: quem faz parte da loja só abre as páginas dela com um segundo fator. Quem não tem é levado a ligar um. Em produção, enviar e aprovar dinheiro pede também um código.',
    'In test and production, members can open the store’s pages only with a second factor. Members without one are asked to set it up. In production, sending and approving money also requires a code.',
  );
  const body = html`${section(
    title,
    html`${await aboutEverybody(visit)}
<p>${what}</p>
${requiresSecondFactor || user.hasSecondFactor ? switchForm(visit, problems) : ownFirst(visit)}`,
  )}
<p>${link(visit, '/controls', say('Todos os controles', 'All controls'))}</p>`;
  return page(visit, { title, active: 'controls', body, status });
}

function switchForm(visit: Visit, problems: Problems): Html {
  const { say, requiresSecondFactor } = visit;
  return form(visit, {
    action: '/controls/second-factor',
    fields: html`<input type="hidden" name="required" value="${requiresSecondFactor ? 'no' : 'yes'}">
${stepUpFields(visit, { needsCode: true }, problems)}`,
    submit: requiresSecondFactor
      ? say('Deixar de exigir', 'Stop requiring it')
      : say('Exigir de todos', 'Require it from everyone'),
    style: requiresSecondFactor ? 'danger' : 'plain',
  });
}

function ownFirst(visit: Visit): Html {
  const { say } = visit;
  return html`<p>${say('Para exigir de todos, ligue primeiro o seu, em', 'To require it from everyone, first switch yours on, under')} ${link(visit, '/account', say('Sua conta', 'Your account'))}.</p>`;
}
