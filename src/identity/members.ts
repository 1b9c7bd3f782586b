import { MembershipEntity } from '../database/entities/membership.ts';
import { hasMoneyAuthority } from '../database/money-authority.ts';
import type { Em } from '../database/orm.ts';
import type { StoreId, UserId } from '../domain/ids.ts';
import { can, isHigher, type Role } from '../domain/role.ts';
import { revokeInvitations, revokeInvitationsBy } from './invitations.ts';

/** Somebody who is something to a store. */
export interface Member {
  readonly userId: UserId;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly hasSecondFactor: boolean;
  readonly createdAt: Date;
  /** Since when they wait before they may send money; null if they do not. */
  readonly moneySince: Date | null;
  /** Who let them send money: it takes another owner to confirm them. */
  readonly moneyGiverId: UserId | null;
}

/** Who is anything to a store, by their address. */
export async function membersOf(em: Em, storeId: StoreId): Promise<Member[]> {
  const members = await em.execute<(Omit<Member, 'moneySince'> & { moneySince: string | Date | null })[]>(
    `select u.id as "userId", u.email, u.name, membership.role, membership.created_at as "createdAt",
       membership.money_since as "moneySince", membership.money_giver_id as "moneyGiverId",
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

/** A store that somebody is something to. */
export interface StoreOfUser {
  readonly id: StoreId;
  readonly name: string;
  readonly role: Role;
}

/** The stores of a person, by their names. */
export function storesOf(em: Em, userId: UserId): Promise<StoreOfUser[]> {
  return em.execute<StoreOfUser[]>(
    `select store.id, store.name, membership.role
     from memberships membership join stores store on store.id = membership.store_id
     where membership.user_id = :userId order by store.name, store.id`,
    { userId },
  );
}

/** Makes somebody something to a store, whatever they were to it before. They do not wait: nobody of the store did it. */
export async function addMember(
  em: Em,
  member: { userId: UserId; storeId: StoreId; role: Role; createdAt: Date },
) {
  const row = { ...member, moneySince: null, moneyGiverId: null };
  await em.upsert(MembershipEntity, row, {
    onConflictFields: ['userId', 'storeId'],
    onConflictMergeFields: ['role'],
  });
}

/** Who gave somebody a role, and when. Null for the command line, which answers for itself. */
export type Giver = { readonly userId: UserId; readonly at: Date } | null;

/** A wait begins where another member lets somebody send money who could not before; it ends with that role. */
function waitFrom(before: Role | null, role: Role, giver: Giver) {
  const none = { moneySince: null, moneyGiverId: null };
  if (!can(role, 'payout')) return none;
  if (before !== null && can(before, 'payout')) return {};
  return giver === null ? none : { moneySince: giver.at, moneyGiverId: giver.userId };
}

/** Holds who is what to a store until the transaction ends. Before any lock of a person: {@link lockUser}. */
export function lockMembers(em: Em, storeId: StoreId): Promise<{ userId: UserId; role: Role }[]> {
  return em.execute(
    'select user_id as "userId", role from memberships where store_id = :storeId order by user_id for update',
    { storeId },
  );
}

/**
 * Makes somebody who was invited a member, under the locks of the store's members and of the person. A link never
 * lowers a role: who is a member already keeps theirs, unless the new one is above it. All their invitations end.
 * @returns what they are to the store now.
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
  await addMember(em, member);
  await em.nativeUpdate(MembershipEntity, { userId, storeId }, waitFrom(before?.role ?? null, role, giver));
  return role;
}

/** Nobody could let others in any more. */
export class LastOwner extends Error {
  constructor() {
    super('a store keeps one owner at least');
    this.name = 'LastOwner';
  }
}

/**
 * Gives a member of a store another role, or none. @returns false where they are no member.
 * @throws LastOwner where no owner would be left; of two owners who remove each other at once, one stays.
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
  else
    await em.nativeUpdate(
      MembershipEntity,
      { storeId, userId },
      { role, ...waitFrom(before.role, role, giver) },
    );
  // An invitation would let them in again, or give them the role of then.
  await revokeInvitations(em, storeId, userId);
  // Those they have made would count again once they are an owner again. Behind the lock of the person, as a reset has it.
  if (can(before.role, 'team') && (role === null || !can(role, 'team')))
    await revokeInvitationsBy(em, storeId, userId);
  return true;
}

/** Whether an owner may confirm somebody who waits: another one than they, and than who let them send money. */
export function mayConfirm(confirmerId: UserId, { userId, moneySince, moneyGiverId }: Member): boolean {
  return moneySince !== null && confirmerId !== userId && confirmerId !== moneyGiverId;
}

/**
 * Whether the wait of a member may be ended before its time at all. If an owner who waits let them in, or one who is an owner
 * no more, it may not: otherwise an owner invites a second one, who invites a third person for the first to confirm. A wait
 * that members began themselves, with a new second factor, may be.
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
 * Ends the wait of a member, in the caller's transaction, which holds the store's members and has checked that the confirmer
 * is an owner and does not wait. @returns false if they do not wait, or this owner may not confirm them.
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
