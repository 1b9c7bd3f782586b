import { type Membership, MembershipEntity } from '../database/entities/membership.ts';
import type { Em } from '../database/orm.ts';
import type { StoreId, UserId } from '../domain/ids.ts';
import { can, isHigher, type Role } from '../domain/role.ts';
import { hasMoneyAuthority } from '../payouts/money-authority.ts';
import { revokeInvitations, revokeInvitationsBy } from './invitations.ts';

/** A member of a store. */
export interface Member {
  readonly userId: UserId;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly hasSecondFactor: boolean;
  readonly createdAt: Date;
  /** When their waiting period before they may send money began; null if they do not wait. */
  readonly moneySince: Date | null;
  /** Who gave them a role that may send money: another owner must confirm them. */
  readonly moneyGiverId: UserId | null;
  /** Whether they could send money before, so that only the owner's own actions wait. */
  readonly mayAlreadySend: boolean;
}

/** The members of a store, by email address. */
export async function membersOf(em: Em, storeId: StoreId): Promise<Member[]> {
  const members = await em.execute<(Omit<Member, 'moneySince'> & { moneySince: string | Date | null })[]>(
    `select u.id as "userId", u.email, u.name, membership.role, membership.created_at as "createdAt",
       membership.money_since as "moneySince", membership.money_giver_id as "moneyGiverId",
       membership.may_already_send as "mayAlreadySend",
       u.totp_confirmed_at is not null as "hasSecondFactor"
     from memberships membership join users u on u.id = membership.user_id
     where membership.store_id = :storeId order by u.email`,
    { storeId },
  );
  return members.map((member) => ({
    ...member,
    moneySince: member.moneySince === null ? null : new Date(member.moneySince),
  }));
}

/** Which of these people are members of which stores. */
export function membershipsOf(
  em: Em,
  userIds: readonly UserId[],
): Promise<Pick<Membership, 'userId' | 'storeId'>[]> {
  return em.find(MembershipEntity, { userId: { $in: [...userIds] } }, { disableIdentityMap: true });
}

/** A store of which a person is a member. */
export interface StoreOfUser {
  readonly id: StoreId;
  readonly name: string;
  readonly role: Role;
}

/** The stores of a person, by name. */
export function storesOf(em: Em, userId: UserId): Promise<StoreOfUser[]> {
  return em.execute<StoreOfUser[]>(
    `select store.id, store.name, membership.role
     from memberships membership join stores store on store.id = membership.store_id
     where membership.user_id = :userId order by store.name, store.id`,
    { userId },
  );
}

const NO_WAIT = { moneySince: null, moneyGiverId: null, mayAlreadySend: false };

/** Makes someone a member, whatever their role was. There is no waiting period, because no member of the store did it. */
export async function addMember(
  em: Em,
  member: { userId: UserId; storeId: StoreId; role: Role; createdAt: Date },
) {
  const row = { ...member, ...NO_WAIT };
  await em.upsert(MembershipEntity, row, {
    onConflictFields: ['userId', 'storeId'],
    onConflictMergeFields: ['role'],
  });
}

/** Who gave a role, and when. Null for the command line: operators are trusted. */
export type Giver = { readonly userId: UserId; readonly at: Date } | null;

/**
 * A waiting period starts when another member gives someone a role that may send money, or makes them an owner. It ends if they
 * lose the right to send money.
 */
async function waitFrom(
  em: Em,
  { storeId, userId }: { readonly storeId: StoreId; readonly userId: UserId },
  change: { readonly before: Role | null; readonly role: Role },
  giver: Giver,
) {
  const { before, role } = change;
  if (!can(role, 'payout')) return NO_WAIT;
  const couldSend = before !== null && can(before, 'payout');
  if (couldSend && (giver === null || !isHigher(role, before))) return {};
  if (giver === null) return NO_WAIT;
  const mayAlreadySend = couldSend && (await sendsNow(em, storeId, userId, giver.at));
  return { moneySince: giver.at, moneyGiverId: giver.userId, mayAlreadySend };
}

/** Whether a member sends money without a wait, in both environments. */
async function sendsNow(em: Em, storeId: StoreId, actorId: UserId, now: Date): Promise<boolean> {
  for (const devMode of [false, true])
    if (!(await hasMoneyAuthority(em, { storeId, devMode, actorId }, 'payout', now))) return false;
  return true;
}

/** Locks the memberships of a store until the transaction ends. Take this lock before any lock of a person: {@link lockUser}. */
export function lockMembers(em: Em, storeId: StoreId): Promise<{ userId: UserId; role: Role }[]> {
  return em.execute(
    'select user_id as "userId", role from memberships where store_id = :storeId order by user_id for update',
    { storeId },
  );
}

/**
 * Makes an invited person a member, under the locks of the store's members and of the person. A link never lowers a role: a
 * member keeps theirs unless the new one is higher. All their invitations end.
 * @returns their role in the store now.
 */
export async function joinStore(
  em: Em,
  member: { userId: UserId; storeId: StoreId; role: Role; createdAt: Date },
  giver: Giver,
): Promise<Role> {
  const { userId, storeId, role } = member;
  const before = await em.findOne(MembershipEntity, { userId, storeId }, { disableIdentityMap: true });
  await revokeInvitations(em, storeId, userId);
  if (before !== null && !isHigher(role, before.role)) return before.role;
  const wait = await waitFrom(em, member, { before: before?.role ?? null, role }, giver);
  await addMember(em, member);
  await em.nativeUpdate(MembershipEntity, { userId, storeId }, wait);
  return role;
}

/** The change would leave the store without an owner. */
export class LastOwner extends Error {
  constructor() {
    super('a store keeps one owner at least');
    this.name = 'LastOwner';
  }
}

/**
 * Changes or removes a member's role. @returns false if they are not a member.
 * @throws LastOwner if no owner would be left. If two owners remove each other at the same time, one stays.
 */
export async function changeMember(
  em: Em,
  storeId: StoreId,
  userId: UserId,
  role: Role | null,
  giver: Giver,
): Promise<boolean> {
  const members = await lockMembers(em, storeId);
  const before = members.find((member) => member.userId === userId);
  if (before === undefined) return false;
  const owners = members.filter((member) => member.role === 'owner');
  if (before.role === 'owner' && role !== 'owner' && owners.length === 1) throw new LastOwner();
  if (role === null) await em.nativeDelete(MembershipEntity, { storeId, userId });
  else {
    const wait = await waitFrom(em, { storeId, userId }, { before: before.role, role }, giver);
    await em.nativeUpdate(MembershipEntity, { storeId, userId }, { role, ...wait });
  }
  // An older invitation would give them access, or their former role, again.
  await revokeInvitations(em, storeId, userId);
  // Their own invitations would become valid again if they became an owner again. The person is locked first, in the same order
  // as a reset.
  if (can(before.role, 'team') && (role === null || !can(role, 'team')))
    await revokeInvitationsBy(em, storeId, userId);
  return true;
}

/**
 * Ends the invitations that a person has made in any of their stores, in the transaction that changes what they sign in with. Someone
 * who controlled the account until now may have made them to get back in.
 */
export async function revokeAllInvitationsBy(em: Em, inviterId: UserId): Promise<void> {
  for (const { id } of await storesOf(em, inviterId)) await revokeInvitationsBy(em, id, inviterId);
}

/** Whether an owner may confirm a waiting member: not their own wait, and not a member they let in themselves. */
export function mayConfirm(confirmerId: UserId, { userId, moneySince, moneyGiverId }: Member): boolean {
  return moneySince !== null && confirmerId !== userId && confirmerId !== moneyGiverId;
}

/**
 * Whether a waiting period may be ended early. It may not if the member was let in by an owner who is waiting, or who is no
 * longer an owner. Otherwise an owner could invite a second one, who invites a third person for the first to confirm. A wait that
 * started with the member's own new second factor may be ended.
 * @param now real time.
 */
export function isGiverTrusted(
  em: Em,
  {
    storeId,
    userId,
    moneyGiverId: giverId,
  }: { readonly storeId: StoreId } & Pick<Member, 'userId' | 'moneyGiverId'>,
  now: Date,
): Promise<boolean> {
  if (giverId === null) return Promise.resolve(false);
  if (giverId === userId) return Promise.resolve(true);
  return hasMoneyAuthority(em, { storeId, devMode: false, actorId: giverId }, 'team', now);
}

/**
 * Ends a member's waiting period in the caller's transaction, which has locked the store's members and checked that the confirmer
 * is an owner who does not wait. @returns false if the member does not wait, or this owner may not confirm them.
 */
export async function confirmMember(
  em: Em,
  { storeId, userId, confirmerId }: { storeId: StoreId; userId: UserId; confirmerId: UserId },
  now: Date,
): Promise<boolean> {
  if (confirmerId === userId) return false;
  const where = { storeId, userId, moneySince: { $ne: null }, moneyGiverId: { $ne: confirmerId } };
  const member = await em.findOne(MembershipEntity, where, { disableIdentityMap: true });
  if (
    member === null ||
    !(await isGiverTrusted(em, { storeId, userId, moneyGiverId: member.moneyGiverId }, now))
  )
    return false;
  return (await em.nativeUpdate(MembershipEntity, where, { moneySince: null })) === 1;
}
