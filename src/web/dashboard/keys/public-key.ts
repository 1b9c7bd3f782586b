import { createKey } from '../../../api/keys/api-keys.ts';
import type { Em } from '../../../database/orm.ts';
import { type Problems, textField } from '../../frame/fields.ts';
import { html } from '../../frame/html.ts';
import { section } from '../frame/components.ts';
import { form } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import { type DashboardRoute, dashboardRoute, type Reply, seeOther } from '../frame/route.ts';
import { realMoneyStepUp, stepUpFields, stepUpProblem } from '../frame/step-up.ts';
import type { Visit } from '../frame/visit.ts';
import { holdKeyAuthority, requireKeys } from './key-access.ts';
import { descriptionProblems } from './key-description.ts';

const newPublicKey = dashboardRoute({
  method: 'GET',
  path: '/keys/new-public',
  action: 'dev-key:manage',
  async handler(visit) {
    requireKeys(visit);
    return renderNewPublicKey(visit, '', {});
  },
});

const create = dashboardRoute({
  method: 'POST',
  path: '/keys/new-public',
  action: 'dev-key:manage',
  async handler(visit) {
    requireKeys(visit);
    const description = visit.field('description');
    const wrong = descriptionProblems(visit, description);
    // A code can be used only once, so the step-up is checked last.
    const problems =
      Object.keys(wrong).length > 0 ? wrong : await stepUpProblem(visit, realMoneyStepUp(visit));
    if (problems !== null) return renderNewPublicKey(visit, description, problems);
    const given = { ...visit.place, description, permissions: [], isPublic: true, creatorId: visit.user.id };
    let id = '';
    const work = async (em: Em) => {
      await holdKeyAuthority(em, visit);
      id = (await createKey(em, given, visit.now)).key.id;
      return id;
    };
    await visit.act('keys/create', 'of environment', work, { isPublic: true });
    return seeOther(visit.link(`/keys/${id}`), visit.say('dashboard.keys.publicKeyCreated'));
  },
});

function renderNewPublicKey(visit: Visit, description: string, problems: Problems): Reply {
  const { say, devMode } = visit;
  const fields = html`${textField({
    name: 'description',
    label: say('dashboard.keys.whatItIsFor'),
    hint: say('dashboard.keys.forExamplePublic'),
    value: description,
    problems,
  })}
${stepUpFields(visit, realMoneyStepUp(visit), problems)}`;
  const body = section(
    devMode ? say('dashboard.keys.publicTestKey') : say('dashboard.keys.publicProductionKey'),
    html`<p>${say('dashboard.keys.whatAPublicKeyMayDo')}</p>
${form(visit, { action: '/keys/new-public', fields, submit: say('dashboard.keys.createPublicKey') })}`,
  );
  const status = Object.keys(problems).length === 0 ? 200 : 422;
  return page(visit, { title: say('dashboard.keys.newPublicKey'), active: 'keys', body, status });
}

/** Keys for browsers, whose text everybody may know and which its page therefore shows again. */
export const publicKeyPages: readonly DashboardRoute[] = [newPublicKey, create];
