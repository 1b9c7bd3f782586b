import { StoreEntity } from '../database/entities/store.ts';
import type { User } from '../database/entities/user.ts';
import type { Em } from '../database/orm.ts';
import type { StoreId, UserId } from '../domain/ids.ts';
import type { Role } from '../domain/role.ts';
import { inviteByLink, inviteByMail } from '../identity/invitations.ts';
import { changeMember, LastOwner, type Member, membersOf } from '../identity/members.ts';
import { issueLink } from '../identity/one-time-links.ts';
import { accountsOf, inviteeOf, memberBy, normalEmail } from '../identity/users.ts';
import { UsageError } from './usage-error.ts';

/** Who is invited to which store, and with which role. */
interface Invitation {
  readonly store: string;
  readonly email: string;
  readonly role: Role;
}

/**
 * Invites someone to a store, whether or not they have an account.
 * @returns the path of a link that makes them a member, valid once and for a week.
 * @throws UsageError if the store does not exist, or the email address is invalid.
 */
export function inviteUser(em: Em, { store, email, role }: Invitation, now: Date): Promise<string> {
  return em.transactional(async (tx) => {
    const { id: storeId } = await requireStore(tx, store);
    const user = await inviteeOf(tx, { email: requireEmail(email), storeId, isProven: true }, now);
    return inviteByLink(tx, { userId: user.id, storeId, role, inviterId: null }, now);
  });
}

/** Queues an invitation that a worker mails within seconds. @throws UsageError as {@link inviteUser} does. */
export function mailInvitation(em: Em, { store, email, role }: Invitation, now: Date): Promise<void> {
  return em.transactional(async (tx) => {
    const { id: storeId } = await requireStore(tx, store);
    const { id: userId } = await inviteeOf(tx, { email: requireEmail(email), storeId, isProven: true }, now);
    const mail = { userId, storeId, role, inviterId: null, language: 'pt-BR', createdAt: now };
    await inviteByMail(tx, mail);
  });
}

/**
 * @param store selects the account if the address has several.
 * @returns the path of a link that signs in, or that lets the user choose a new password.
 * @throws UsageError if nobody has the address, or several accounts do and no store is named.
 */
export async function linkOfUser(
  em: Em,
  { email, store }: { readonly email: string; readonly store?: string | undefined },
  kind: 'SIGN_IN' | 'RESET',
  now: Date,
): Promise<string> {
  const user = await requireUser(em, email, store);
  return issueLink(em, { kind, userId: user.id }, now);
}

/** The members of a store. @throws UsageError if the store does not exist. */
export async function listUsers(em: Em, storeId: string): Promise<Member[]> {
  return membersOf(em, (await requireStore(em, storeId)).id);
}

/**
 * Removes a member from a store, effective at once. @returns the user. @throws UsageError if they are not a member, or are its
 * last owner.
 */
export async function removeUser(em: Em, storeId: string, email: string): Promise<UserId> {
  const user = await requireUser(em, email, storeId);
  const { id } = await requireStore(em, storeId);
  try {
    const isRemoved = await em.transactional((tx) => changeMember(tx, id, user.id, null, null));
    if (!isRemoved) throw new UsageError(`--email: ${email} is not a member of this store; see "users list"`);
    return user.id;
  } catch (error) {
    if (error instanceof LastOwner)
      throw new UsageError('a store needs at least one owner; invite another one first');
    throw error;
  }
}

async function requireStore(em: Em, id: string) {
  const store = await em.findOne(StoreEntity, { id: id as StoreId });
  if (store === null) throw new UsageError(`--store: there is no store ${id}; see "stores list"`);
  return store;
}

/**
 * The account that an operator means by an address: the store's member, else the account of the whole service, else the only one.
 * @throws UsageError if there is none, or there are several accounts of single stores.
 */
export async function requireUser(em: Em, text: string, store: string | undefined): Promise<User> {
  const email = requireEmail(text);
  const member = store === undefined ? null : await memberBy(em, email, store as StoreId);
  if (member !== null) return member;
  const [user, ...others] = await accountsOf(em, email);
  if (user === undefined) throw new UsageError('--email: nobody has this address; see "users list"');
  if (user.localStoreId === null || others.length === 0) return user;
  const stores = [user, ...others].map(({ localStoreId }) => localStoreId).join(', ');
  throw new UsageError(`--store: the address has an account in each of ${stores}; say which store is meant`);
}

function requireEmail(text: string): string {
  const email = normalEmail(text);
  if (email === null) throw new UsageError('--email: must be an e-mail address, such as ana@example.com');
  return email;
}
