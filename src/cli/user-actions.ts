import type { Em } from '../database/orm.ts';
import type { StoreId } from '../domain/ids.ts';
import type { Role } from '../domain/role.ts';
import { invitationSubject } from '../identity/invitees.ts';
import { storesOf } from '../identity/members.ts';
import type { CliAction } from './operator.ts';
import { requireUser } from './users.ts';

/** The audit action for an invitation to a store. */
export async function invitationActions(
  em: Em,
  { store, email, role }: { readonly store: string; readonly email: string; readonly role: Role },
): Promise<CliAction[]> {
  const storeId = store as StoreId;
  const { id: userId } = await requireUser(em, email, store);
  const subjectId = await invitationSubject(em, storeId, userId);
  return [{ action: 'team/invite', storeId, subjectId, devMode: null, details: { role } }];
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
