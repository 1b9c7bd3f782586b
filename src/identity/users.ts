import { z } from 'zod';
import { MembershipEntity } from '../database/entities/membership.ts';
import { type User, UserEntity } from '../database/entities/user.ts';
import { insertNew } from '../database/insert-new.ts';
import type { Em } from '../database/orm.ts';
import type { StoreId, UserId } from '../domain/ids.ts';
import { mintId } from '../ids.ts';
import { endSignInLinks } from './links.ts';
import { isPassword } from './password.ts';

const EMAIL = z.email().max(254);

/** An e-mail address as users are found by it; null where it is none. */
export function normalEmail(text: string): string | null {
  const email = text.trim().toLowerCase();
  return EMAIL.safeParse(email).success ? email : null;
}

/** The account of an address for the whole service, made if there is none: without a password, it cannot sign in. */
export function userOf(em: Em, email: string, now: Date): Promise<User> {
  return accountOf(em, email, null, now);
}

/**
 * The account that an invitation of a store is for: the member with this address if there is one. Otherwise it depends on
 * what the invitation proves. One that is mailed, or that an operator makes, is for the account of the whole service. One
 * that the store hands over proves nothing, and anybody who has it may choose a password: it is for an account that can be in
 * this store alone.
 * @throws MemberWithoutPassword if the link itself would give a password to somebody who is a member already.
 */
export async function inviteeOf(
  em: Em,
  {
    email,
    storeId,
    isProven,
  }: { readonly email: string; readonly storeId: StoreId; readonly isProven: boolean },
  now: Date,
): Promise<User> {
  // Two invitations at once could each make an account of the address, and not end each other.
  await em.execute('select pg_advisory_xact_lock(hashtextextended(:key, 0))', { key: `account/${email}` });
  const member = await memberBy(em, email, storeId);
  if (member === null) return accountOf(em, email, isProven ? null : storeId, now);
  // Whoever has the link would choose the password of the account that the person has in all stores.
  if (!isProven && member.localStoreId === null && member.passwordHash === null)
    throw new MemberWithoutPassword();
  return member;
}

/** A link that nobody mails would give a password to a member who has none, and signs in by links of the operator. */
export class MemberWithoutPassword extends Error {
  constructor() {
    super('the member has no password yet');
    this.name = 'MemberWithoutPassword';
  }
}

/** The member of a store with an address; null if there is none. */
export async function memberBy(em: Em, email: string, storeId: StoreId): Promise<User | null> {
  const accounts = await accountsOf(em, email);
  const members = await em.find(
    MembershipEntity,
    { storeId, userId: { $in: accounts.map(({ id }) => id) } },
    { disableIdentityMap: true },
  );
  return accounts.find(({ id }) => members.some(({ userId }) => userId === id)) ?? null;
}

async function accountOf(em: Em, email: string, localStoreId: StoreId | null, now: Date): Promise<User> {
  const user: User = {
    id: mintId<UserId>('user', now),
    email,
    localStoreId,
    name: '',
    passwordHash: null,
    totpSecret: null,
    totpSecretKeyId: null,
    totpConfirmedAt: null,
    totpLastStep: null,
    createdAt: now,
    updatedAt: now,
  };
  await insertNew(em, UserEntity, user);
  const where = { email, localStoreId };
  return em.findOneOrFail(UserEntity, where, { disableIdentityMap: true }) as Promise<User>;
}

/** The accounts of an address: that of the whole service first, then those of single stores. */
export function accountsOf(em: Em, email: string): Promise<User[]> {
  return em.find(
    UserEntity,
    { email: email.trim().toLowerCase() },
    { disableIdentityMap: true, orderBy: [{ localStoreId: 'asc nulls first' }] },
  ) as Promise<User[]>;
}

/** An address has one account more for each store that invited it without a mail; of more than these, none is compared. */
const MOST_COMPARED = 20;

/**
 * Whose address and password these are. An address that nobody has takes as long as a wrong password, and reads the
 * same.
 *
 * @param storeId the store that somebody wants to enter: its own account of the address comes first. Without it the account
 *   of the whole service does.
 */
export async function userBy(
  em: Em,
  email: string,
  password: string,
  storeId: string | null = null,
): Promise<User | null> {
  const accounts = (await accountsOf(em, email)).filter(({ passwordHash }) => passwordHash !== null);
  const wanted = accounts.slice(0, MOST_COMPARED);
  const isOfStore = ({ localStoreId }: User) => localStoreId !== null && localStoreId === storeId;
  const inOrder = [...wanted.filter(isOfStore), ...wanted.filter((account) => !isOfStore(account))];
  for (const account of inOrder) if (await isPassword(account.passwordHash, password)) return account;
  if (inOrder.length === 0) await isPassword(null, password);
  return null;
}

/** The same for the account of the whole service alone. */
export async function userOfAllStoresBy(em: Em, email: string, password: string): Promise<User | null> {
  const accounts = await accountsOf(em, email);
  const user = accounts.find(({ localStoreId }) => localStoreId === null) ?? null;
  return (await isPassword(user?.passwordHash ?? null, password)) ? user : null;
}

/**
 * Holds a person until the transaction ends, with every account of their address, so that links of theirs are used, made and
 * revoked one after the other. Who locks a store's memberships as well does so before.
 * @returns the ids of these accounts.
 */
export async function lockUser(em: Em, userId: UserId): Promise<UserId[]> {
  const rows = await em.execute<{ id: UserId }[]>(
    `select id from users where email = (select email from users where id = :userId)
     order by id for no key update`,
    { userId },
  );
  return rows.map(({ id }) => id);
}

/**
 * Gives somebody another password. Links by which they could sign in or choose one end.
 * @param change the hashes of the password that was compared, null for a first one, and of the new one.
 * @returns false if they have another password by now.
 */
export async function setPassword(
  em: Em,
  id: UserId,
  { from, to }: { readonly from: string | null; readonly to: string },
  now: Date,
): Promise<boolean> {
  const where = { id, passwordHash: from };
  if ((await em.nativeUpdate(UserEntity, where, { passwordHash: to, updatedAt: now })) === 0) return false;
  await endSignInLinks(em, id);
  return true;
}
