import { createKey, endKey, limitDetails, limitKey } from '../../../api/keys/api-keys.ts';
import type { Em } from '../../../database/orm.ts';
import type { Permission } from '../../../domain/permission.ts';
import type { Problems } from '../../frame/fields.ts';
import { type DashboardRoute, dashboardRoute, nothingHere, seeOther } from '../frame/route.ts';
import { realMoneyStepUp, stepUpProblem } from '../frame/step-up.ts';
import type { Visit } from '../frame/visit.ts';
import { holdKeyAuthority, requireKey, requireKeys, requireServingKey } from './key-access.ts';
import { descriptionProblems } from './key-description.ts';
import { renderKeys } from './key-list.ts';
import { renderKey } from './key-page.ts';
import { renderCreatedKey, renderLimits, renderNewKey, renderRevokeKey } from './key-pages.ts';
import { limitsIn, typedOf } from './limit-fields.ts';
import { grantedBy, typedPermissions } from './permission-picker.ts';
import { publicKeyPages } from './public-key.ts';
import { keyRotationPages } from './rotation.ts';

const list = dashboardRoute({ method: 'GET', path: '/keys', action: 'dev-key:manage', handler: renderKeys });

const show = dashboardRoute({
  method: 'GET',
  path: '/keys/:id',
  action: 'dev-key:manage',
  handler: renderKey,
});

const newKey = dashboardRoute({
  method: 'GET',
  path: '/keys/new',
  action: 'dev-key:manage',
  async handler(visit) {
    requireKeys(visit);
    return renderNewKey(visit);
  },
});

const create = dashboardRoute({
  method: 'POST',
  path: '/keys/new',
  action: 'dev-key:manage',
  async handler(visit) {
    requireKeys(visit);
    const description = visit.field('description');
    const chosen = typedPermissions(visit);
    const { readOnly, permissions } = grantedBy(chosen);
    const given = limitsIn(visit);
    const wrong = { ...problemsOf(visit, { description, permissions, readOnly }), ...given.problems };
    const problems = await orOwnerProblem(visit, wrong);
    if (Object.keys(problems).length > 0) {
      const typed = { description, permissions: chosen, limits: given.typed, problems };
      return renderNewKey(visit, typed, 422);
    }
    const key = { ...visit.place, description, permissions, readOnly, creatorId: visit.user.id };
    let keyText = '';
    const work = async (em: Em) => {
      await holdKeyAuthority(em, visit);
      const made = await createKey(em, { ...key, ...given.limits }, visit.now);
      keyText = made.keyText;
      return made.key.id;
    };
    await visit.act('keys/create', 'of environment', work, limitDetails({ readOnly, ...given.limits }));
    return renderCreatedKey(visit, keyText);
  },
});

const limitsPage = dashboardRoute({
  method: 'GET',
  path: '/keys/:id/limits',
  action: 'dev-key:manage',
  async handler(visit) {
    requireKeys(visit);
    const key = await requireServingKey(visit);
    return renderLimits(visit, key, typedOf(key));
  },
});

const limit = dashboardRoute({
  method: 'POST',
  path: '/keys/:id/limits',
  action: 'dev-key:manage',
  async handler(visit) {
    requireKeys(visit);
    const key = await requireServingKey(visit);
    const { typed, limits, problems: wrong } = limitsIn(visit, key);
    const problems = await orOwnerProblem(visit, wrong);
    if (Object.keys(problems).length > 0) return renderLimits(visit, key, typed, problems, 422);
    await visit.transaction(async (em) => {
      await holdKeyAuthority(em, visit);
      const limited = await limitKey(em, key.id, visit.place, limits, visit.now);
      if (limited === null) throw nothingHere();
      if (!limited.isChanged) return visit.noteUnchanged();
      return visit.record(em, 'keys/limit', key.id, visit.devMode, limitDetails(limited.key));
    });
    return seeOther(visit.link('/keys'), visit.say('dashboard.keys.theLimitsAreChanged'));
  },
});

const revokePage = dashboardRoute({
  method: 'GET',
  path: '/keys/:id/revoke',
  action: 'dev-key:manage',
  async handler(visit) {
    requireKeys(visit);
    return renderRevokeKey(visit, await requireKey(visit));
  },
});

/** Needs no password: it only removes authority, and nothing may delay it. */
const revoke = dashboardRoute({
  method: 'POST',
  path: '/keys/:id/revoke',
  action: 'dev-key:manage',
  async handler(visit) {
    requireKeys(visit);
    const key = await requireKey(visit);
    await visit.act('keys/revoke', 'of environment', async (em) => {
      await endKey(em, key.id, visit.place, visit.now);
      return key.id;
    });
    return seeOther(visit.link('/keys'), visit.say('dashboard.keys.theKeyIsRevoked'));
  },
});

/** The problems of the form. The step-up is checked last, because a code can be used only once. */
async function orOwnerProblem(visit: Visit, wrong: Problems): Promise<Problems> {
  if (Object.keys(wrong).length > 0) return wrong;
  return (await stepUpProblem(visit, realMoneyStepUp(visit))) ?? {};
}

function problemsOf(
  visit: Visit,
  {
    description,
    permissions,
    readOnly,
  }: {
    readonly description: string;
    readonly permissions: readonly Permission[];
    readonly readOnly: boolean;
  },
): Problems {
  const { say } = visit;
  return {
    ...descriptionProblems(visit, description),
    ...(permissions.length === 0 && {
      permissions: readOnly
        ? say('dashboard.keys.chooseAtLeastOneThat')
        : say('dashboard.keys.chooseOneAtLeast'),
    }),
  };
}

export const keyPages: readonly DashboardRoute[] = [
  list,
  newKey,
  ...publicKeyPages,
  show,
  create,
  limitsPage,
  limit,
  revokePage,
  revoke,
  ...keyRotationPages,
];
