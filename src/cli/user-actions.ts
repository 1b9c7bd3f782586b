import { UserEntity } from '../database/entities/user.ts';
import type { Em } from '../database/orm.ts';
import type { StoreId, UserId } from '../domain/ids.ts';
import type { Role } from '../domain/role.ts';
import { storesOf } from '../identity/members.ts';
import { normalEmail } from '../identity/users.ts';
import type { CliAction } from './operator.ts';

/** What was done to somebody in one store. */
export async function memberActions(
  em: Em,
  action: string,
  { store, email, role }: { readonly store: string; readonly email: string; readonly role?: Role },
): Promise<CliAction[]> {
  const done = { action, storeId: store as StoreId, subjectId: await userIdOf(em, email), devMode: null };
  return [role === undefined ? done : { ...done, details: { role } }];
}

/** What was done to somebody in all of their stores; in none, it is an action on the whole service. */
export async function personActions(em: Em, action: string, email: string): Promise<CliAction[]> {
  const userId = await userIdOf(em, email);
  const done = { action, subjectId: userId, devMode: null };
  const stores = await storesOf(em, userId);
  return stores.length === 0
    ? [{ ...done, storeId: null }]
    : stores.map(({ id: storeId }) => ({ ...done, storeId }));
}

async function userIdOf(em: Em, email: string): Promise<UserId> {
  const where = { email: normalEmail(email) ?? '' };
  return (await em.findOneOrFail(UserEntity, where, { fields: ['id'] })).id;
}
