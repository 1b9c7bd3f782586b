import { type ApiKey, findKey, isServing } from '../../../api/keys/api-keys.ts';
import type { Em } from '../../../database/orm.ts';
import type { ApiKeyId } from '../../../domain/ids.ts';
import { holdAuthority } from '../frame/money-wait.ts';
import { nothingHere, Refusal } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';

/** Whether this role may create, rotate, limit and revoke keys of this environment. */
export function mayManageKeys(visit: Visit): boolean {
  return visit.can(visit.devMode ? 'dev-key:manage' : 'prod-key:manage');
}

/** Developers may see production's keys; only owners create, rotate, limit and revoke them. @throws Refusal 403 */
export function requireKeys(visit: Visit): void {
  if (mayManageKeys(visit)) return;
  throw new Refusal(403, 'dashboard.keys.keysOfProductionAreCreated');
}

/** A production key may send money. */
export function holdKeyAuthority(em: Em, visit: Visit): Promise<void> {
  return holdAuthority(em, visit, visit.devMode ? 'dev-key:manage' : 'prod-key:manage', 'of environment');
}

/** A key that is not revoked; it may be expired. @throws Refusal 404 */
export async function requireKey(visit: Visit): Promise<ApiKey> {
  const key = await findKey(visit.em, visit.params.id as ApiKeyId, visit.place);
  if (key === null || key.revokedAt !== null) throw nothingHere();
  return key;
}

/** @throws Refusal 404 */
export async function requireServingKey(visit: Visit): Promise<ApiKey> {
  const key = await requireKey(visit);
  if (!isServing(key, visit.now)) throw nothingHere();
  return key;
}
