import type { Em } from '../database/orm.ts';
import type { StoreId } from '../domain/ids.ts';
import type { Role } from '../domain/role.ts';
import { storesOf } from '../identity/members.ts';
import type { CliAction } from './operator.ts';
import { requireUser } from './users.ts';

/** The audit actions for a change to a person in one store. */
export async function memberActions(
  em: Em,
  action: string,
  { store, email, role }: { readonly store: string; readonly email: string; readonly role?: Role },
): Promise<CliAction[]> {
  const { id: subjectId } = await requireUser(em, email, store);
  const done = { action, storeId: store as StoreId, subjectId, devMode: null };
  return [role === undefined ? done : { ...done, details: { role } }];
}

/**
 * The audit actions for a change to a person in all of their stores. For a person without stores it is one action on the whole
 * service.
 */
export async function personActions(
  em: Em,
  action: string,
  { email, store }: { readonly email: string; readonly store?: string | undefined },
): Promise<CliAction[]> {
  const { id: userId } = await requireUser(em, email, store);
  const done = { action, subjectId: userId, devMode: null };
  const stores = await storesOf(em, userId);
  return stores.length === 0
    ? [{ ...done, storeId: null }]
    : stores.map(({ id: storeId }) => ({ ...done, storeId }));
}
