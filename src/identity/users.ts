import { z } from 'zod';
import { MembershipEntity } from '../database/entities/membership.ts';
import { type User, UserEntity } from '../database/entities/user.ts';
import { insertNew } from '../database/insert-new.ts';
import type { Em } from '../database/orm.ts';
import type { StoreId, UserId } from '../domain/ids.ts';
import { mintId } from '../ids.ts';
import { endSignInLinks } from './one-time-links.ts';
import { isPassword } from './password.ts';

const EMAIL = z.email().max(254);

/** Normalizes an email address for lookups; null if it is invalid. */
export function normalEmail(text: string): string | null {
  const email = text.trim().toLowerCase();
  return EMAIL.safeParse(email).success ? email : null;
}

/** The account of an email address for the whole service, created if missing. Without a password it cannot sign in. */
export function userOf(em: Em, email: string, now: Date): Promise<User> {
  return accountOf(em, email, null, now);
}

/**
 * The account that an invitation is for: the store's member with this address, if there is one. Otherwise it depends on what the
 * invitation proves. A mailed invitation, or one by an operator, is for the account of the whole service. A link that the store
 * hands over proves nothing, and anyone who has it may choose a password. It is for an account that exists in this store only.
 * @throws MemberWithoutPassword if the link itself would give a password to an existing member.
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
  // Without this lock, two concurrent invitations could each create an account for the address and not end each other.
  await em.execute('select pg_advisory_xact_lock(hashtextextended(:key, 0))', { key: `account/${email}` });
  const member = await memberBy(em, email, storeId);
  if (member === null) return accountOf(em, email, isProven ? null : storeId, now);
  // Anyone with the link could set the password of the account that the person uses in all stores.
  if (!isProven && member.localStoreId === null && member.passwordHash === null)
    throw new MemberWithoutPassword();
  return member;
}

/** A handed-over link would set a password for a member who has none and signs in by the operator's links. */
export class MemberWithoutPassword extends Error {
  constructor() {
    super('the member has no password yet');
    this.name = 'MemberWithoutPassword';
  }
}

/** A person who is known to exist. */
export function requireUser(em: Em, id: UserId): Promise<User> {
  return em.findOneOrFail(UserEntity, { id }, { disableIdentityMap: true }) as Promise<User>;
}

/** The store's member with an email address; null if there is none. */
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
    secondFactorChangedAt: null,
    totpLastStep: null,
    language: null,
    createdAt: now,
    updatedAt: now,
  };
  await insertNew(em, UserEntity, user);
  const where = { email, localStoreId };
  return em.findOneOrFail(UserEntity, where, { disableIdentityMap: true }) as Promise<User>;
}

/** The accounts of an address: first the account of the whole service, then those of single stores. */
export function accountsOf(em: Em, email: string): Promise<User[]> {
  return em.find(
    UserEntity,
    { email: email.trim().toLowerCase() },
    { disableIdentityMap: true, orderBy: [{ localStoreId: 'asc nulls first' }] },
  ) as Promise<User[]>;
}

/** Each store that invites an address without a mail adds one account. This limits how many hashes a sign-in compares. */
const MOST_COMPARED = 20;

/**
 * The account with this address and password. An unknown address takes as long as a wrong password and returns the same: one account of
 * the whole service and one of a store are compared in any case. So a store that has made an account for an address does not learn from
 * the time whether the address has one of the whole service.
 *
 * @param storeId the store to enter: its own account of the address comes first. Otherwise the account of the whole service does.
 */
export async function userBy(
  em: Em,
  email: string,
  password: string,
  storeId: string | null = null,
  compare = isPassword,
): Promise<User | null> {
  const accounts = await accountsOf(em, email);
  const ofService = accounts.find(({ localStoreId }) => localStoreId === null) ?? null;
  const ofStores = accounts.filter((account) => account !== ofService && account.passwordHash !== null);
  const isOfStore = ({ localStoreId }: User) => localStoreId === storeId;
  const others = ofStores.filter((account) => !isOfStore(account));
  // Other stores must not displace the store's own account by inviting the address too.
  const inOrder = [...ofStores.filter(isOfStore), ofService, ...others].slice(0, MOST_COMPARED);
  if (ofStores.length === 0) inOrder.push(null);
  for (const account of inOrder) if (await compare(account?.passwordHash ?? null, password)) return account;
  return null;
}

/** The same for the account of the whole service only. */
export async function userOfAllStoresBy(em: Em, email: string, password: string): Promise<User | null> {
  const accounts = await accountsOf(em, email);
  const user = accounts.find(({ localStoreId }) => localStoreId === null) ?? null;
  return (await isPassword(user?.passwordHash ?? null, password)) ? user : null;
}

/**
 * Locks a person, with every account of their email address, until the transaction ends. Links of theirs are then used, created
 * and revoked one after the other. Lock order: a store's memberships first, if they are locked too.
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

/** Remembers the language of a person's dashboard, in which they get notices by mail. */
export async function noteLanguage(em: Em, id: UserId, language: string): Promise<void> {
  const where = { id, $or: [{ language: null }, { language: { $ne: language } }] };
  await em.nativeUpdate(UserEntity, where, { language });
}

/**
 * Changes a person's password. Links that sign in or reset the password end.
 * @param change the hashes of the compared password (null if there was none) and of the new one.
 * @returns false if the password has changed in the meantime.
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

/**
 * Sets the password of someone who enters by a link, and their name if they gave one. Links that sign in or reset the password end.
 * @param replaces whether the link may replace a password that the person has set in the meantime.
 * @returns false if it may not.
 */
export async function setPasswordByLink(
  em: Em,
  id: UserId,
  {
    passwordHash,
    name,
    replaces,
  }: { readonly passwordHash: string; readonly name: string; readonly replaces: boolean },
  now: Date,
): Promise<boolean> {
  const change = { passwordHash, ...(name !== '' && { name }), updatedAt: now };
  const where = { id, ...(!replaces && { passwordHash: null }) };
  if ((await em.nativeUpdate(UserEntity, where, change)) === 0) return false;
  await endSignInLinks(em, id);
  return true;
}
