import { createKey, endKey } from '../../api/keys/api-keys.ts';
import { type ApiKey, ApiKeyEntity } from '../../database/entities/api-key.ts';
import type { ApiKeyId } from '../../domain/ids.ts';
import { PERMISSIONS } from '../../domain/permission.ts';
import type { Problems } from '../frame/form.ts';
import { passwordProblem } from '../frame/password-again.ts';
import { type DashboardRoute, dashboardRoute, nothingHere, Refusal, seeOther } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import {
  mayManageKeys,
  renderCreatedKey,
  renderKeys,
  renderNewKey,
  renderRevokeKey,
  type TypedKey,
} from './key-pages.ts';

const MAX_DESCRIPTION = 200;

const list = dashboardRoute({ method: 'GET', path: '/keys', action: 'dev-key:manage', handler: renderKeys });

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
    const permissions = PERMISSIONS.filter((name) => visit.form.getAll('permissions').includes(name));
    const problems = { ...problemsOf(visit, { description, permissions }), ...(await ownerProblem(visit)) };
    if (Object.keys(problems).length > 0)
      return renderNewKey(visit, { description, permissions, problems }, 422);
    let keyText = '';
    await visit.act('keys/create', 'of environment', async (em) => {
      const { id: storeId } = visit.store;
      const made = await createKey(
        em,
        { storeId, devMode: visit.devMode, description, permissions, creatorId: visit.user.id },
        visit.now,
      );
      keyText = made.keyText;
      return made.key.id;
    });
    return renderCreatedKey(visit, keyText);
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

const revoke = dashboardRoute({
  method: 'POST',
  path: '/keys/:id/revoke',
  action: 'dev-key:manage',
  async handler(visit) {
    requireKeys(visit);
    const key = await requireKey(visit);
    const problems = await ownerProblem(visit);
    if (problems !== null) return renderRevokeKey(visit, key, problems, 422);
    await visit.act('keys/revoke', 'of environment', async (em) => {
      await endKey(em, key.id, visit.place, visit.now);
      return key.id;
    });
    return seeOther(visit.link('/keys'), visit.say('A chave foi revogada.', 'The key is revoked.'));
  },
});

/** Developers read which keys production has; to make and revoke them is for owners. @throws Refusal 403 */
function requireKeys(visit: Visit): void {
  if (mayManageKeys(visit)) return;
  throw new Refusal(
    403,
    'Chaves de produção são criadas e revogadas por donos da loja.',
    'Keys of production are created and revoked by owners of the store.',
  );
}

/** @throws Refusal 404 */
async function requireKey(visit: Visit): Promise<ApiKey> {
  const { id } = visit.params;
  const key = await visit.em.findOne(ApiKeyEntity, { ...visit.place, id: id as ApiKeyId, revokedAt: null });
  if (key === null) throw nothingHere();
  return key as ApiKey;
}

/** In production the password is asked for again. */
function ownerProblem(visit: Visit): Promise<Problems | null> {
  return visit.devMode ? Promise.resolve(null) : passwordProblem(visit);
}

function problemsOf({ say }: Visit, { description, permissions }: Omit<TypedKey, 'problems'>): Problems {
  const isNamed = description !== '' && description.length <= MAX_DESCRIPTION && !/\p{Cc}/u.test(description);
  return {
    ...(!isNamed && {
      description: say(
        `Escreva de 1 a ${MAX_DESCRIPTION} caracteres.`,
        `Write 1 to ${MAX_DESCRIPTION} characters.`,
      ),
    }),
    ...(permissions.length === 0 && { permissions: say('Escolha pelo menos uma.', 'Choose one at least.') }),
  };
}

export const keyPages: readonly DashboardRoute[] = [list, newKey, create, revokePage, revoke];
