import { membersOf } from '../../../identity/members.ts';
import type { Problems } from '../../frame/fields.ts';
import { type Html, html } from '../../frame/html.ts';
import { badge, link, section } from '../frame/components.ts';
import { form } from '../frame/form.ts';
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
    ? badge('good', say('dashboard.controls.required'))
    : badge('plain', say('dashboard.controls.notRequired'));
  const still = say('dashboard.controls.withoutASecondFactor', { without, count: members.length });
  return html`<p>${state}</p>
${without > 0 && html`<p>${still} ${link(visit, '/team', say('dashboard.controls.seeTheTeam'))}</p>`}`;
}

/** GET `/controls/second-factor`. Owners without a second factor must set theirs up first. */
export async function renderEverybody(visit: Visit, problems: Problems = {}, status = 200): Promise<Reply> {
  const { say, requiresSecondFactor, user } = visit;
  const title = say('dashboard.controls.secondFactorForEveryone');
  const what = say('dashboard.controls.inTestAndProductionMembers');
  const body = html`${section(
    title,
    html`${await aboutEverybody(visit)}
<p>${what}</p>
${requiresSecondFactor || user.hasSecondFactor ? switchForm(visit, problems) : ownFirst(visit)}`,
  )}
<p>${link(visit, '/controls', say('dashboard.controls.allControls'))}</p>`;
  return page(visit, { title, active: 'controls', body, status });
}

function switchForm(visit: Visit, problems: Problems): Html {
  const { say, requiresSecondFactor } = visit;
  return form(visit, {
    action: '/controls/second-factor',
    fields: html`<input type="hidden" name="required" value="${requiresSecondFactor ? 'no' : 'yes'}">
${stepUpFields(visit, { needsCode: true }, problems)}`,
    submit: requiresSecondFactor
      ? say('dashboard.controls.stopRequiringIt')
      : say('dashboard.controls.requireItFromEveryone'),
    style: requiresSecondFactor ? 'danger' : 'plain',
  });
}

function ownFirst(visit: Visit): Html {
  const { say } = visit;
  return html`<p>${say('dashboard.controls.toRequireItFromEveryone')} ${link(visit, '/account', say('dashboard.yourAccount'))}.</p>`;
}
