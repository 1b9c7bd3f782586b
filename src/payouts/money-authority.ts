import type { Payout } from '../database/entities/payout.ts';
import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import { ID_PREFIX, type StoreId } from '../domain/ids.ts';
import { hoursAfter } from '../domain/payout-approval.ts';
import type { Permission } from '../domain/permission.ts';
import { type Action, can, type Role } from '../domain/role.ts';
import { payoutControlsOf } from './payout-controls.ts';

/** The person's role allows it, but their waiting time after another member's permission is not over. */
export class MoneyWaits extends Error {
  readonly until: Date;

  constructor(until: Date) {
    super(`the member waits until ${until.toISOString()}`);
    this.name = 'MoneyWaits';
    this.until = until;
  }
}

/** The role no longer allows it, or the person has left. */
export class NoAuthority extends Error {
  constructor() {
    super('the role does not allow this any more');
    this.name = 'NoAuthority';
  }
}

/** The actor and the store. */
export interface Acting {
  readonly storeId: StoreId;
  readonly devMode: boolean;
  /** An API key, or a person. */
  readonly actorId: string;
}

/** A person's role in a store, and since when they may send its money. */
export interface Membership {
  readonly role: Role;
  readonly moneySince: Date | null;
  /** Whether they could send money before they waited. */
  readonly mayAlreadySend: boolean;
}

const COLUMNS = `select role, money_since as "moneySince", may_already_send as "mayAlreadySend" from memberships
  where user_id = :actorId and store_id = :storeId`;
const READ = statement<Pick<Acting, 'storeId' | 'actorId'>, Membership>('read a membership', () => COLUMNS);
const HOLD = statement<Pick<Acting, 'storeId' | 'actorId'>, Membership>(
  'hold a membership',
  () => `${COLUMNS} for share`,
);

/**
 * Checks in the action's transaction that a person may do it, and locks that until the commit: if the person is
 * removed or demoted at the same moment, the action comes first or fails. Keys pass: their permissions were checked
 * before.
 * @param now real time, even if the store's clock was moved.
 * @throws NoAuthority, MoneyWaits
 */
export async function holdMoneyAuthority(em: Em, acting: Acting, action: Action, now: Date): Promise<void> {
  if (!acting.actorId.startsWith(ID_PREFIX.user)) return;
  const membership = await holdRole(em, acting, action);
  const until = await waitOf(em, acting, membership, action, now);
  if (until !== null) throw new MoneyWaits(until);
}

/**
 * Like {@link holdMoneyAuthority}, for an action without a waiting time.
 * @throws NoAuthority
 */
export async function holdRole(
  em: Em,
  { storeId, actorId }: Pick<Acting, 'storeId' | 'actorId'>,
  action: Action,
): Promise<Membership> {
  const [membership] = await HOLD(em, { storeId, actorId });
  if (membership === undefined || !can(membership.role, action)) throw new NoAuthority();
  return membership;
}

/**
 * Whether the creator of a payout may still send it: a member whose role allows it, or a key that has not ended and has the permission.
 * Locks that until the commit: if the person is removed or the key is revoked at the same moment, the payout is released first or not
 * at all.
 * @param now real time, even if the store's clock was moved.
 */
export async function holdCreatorAuthority(
  em: Em,
  { storeId, devMode, creatorId, subAccountId }: Created,
  now: Date,
): Promise<boolean> {
  if (creatorId === null) return false;
  if (creatorId.startsWith(ID_PREFIX.user)) {
    const [membership] = await HOLD(em, { storeId, actorId: creatorId });
    return membership !== undefined && can(membership.role, 'payout');
  }
  const permission = subAccountId === null ? 'WITHDRAW:CREATE' : 'SUB_ACCOUNT:WITHDRAW';
  return holdKey(em, { storeId, devMode, actorId: creatorId }, permission, now);
}

type Created = Pick<Payout, 'storeId' | 'devMode' | 'creatorId' | 'subAccountId'>;

/** A key whose time is over acts through the key that replaced it. A revoked one acts no more. */
async function holdKey(em: Em, acting: Acting, permission: Permission, now: Date): Promise<boolean> {
  for (let id: string | null = acting.actorId; id !== null; ) {
    const [key]: HeldKey[] = await HOLD_KEY(em, { ...acting, actorId: id, permission, now });
    if (key === undefined || !key.isAllowed) return false;
    if (!key.isExpired) return true;
    id = key.replacedById;
  }
  return false;
}

interface HeldKey {
  readonly isAllowed: boolean;
  readonly isExpired: boolean;
  readonly replacedById: string | null;
}

const HOLD_KEY = statement<Acting & { readonly permission: Permission; readonly now: Date }, HeldKey>(
  'hold the key of a payout',
  () => `
  select :permission = any (permissions) and not read_only as "isAllowed", coalesce(expires_at <= :now, false) as "isExpired",
    replaced_by_id as "replacedById"
  from api_keys
  where id = :actorId and store_id = :storeId and dev_mode = :devMode and revoked_at is null for share`,
);

/**
 * Whether a member may do something now: by their role, and without a wait.
 * @param now real time.
 */
export async function hasMoneyAuthority(em: Em, acting: Acting, action: Action, now: Date): Promise<boolean> {
  const membership = await allowedBy(em, acting, action);
  return membership !== null && (await waitOf(em, acting, membership, action, now)) === null;
}

/** Whether a member may do something now by their role. Locks nothing, for actions that do not decide about money or members. */
export async function hasRole(
  em: Em,
  acting: Pick<Acting, 'storeId' | 'actorId'>,
  action: Action,
): Promise<boolean> {
  return (await allowedBy(em, acting, action)) !== null;
}

/** A person's role now; null if they have left the store. */
export async function roleOf(
  em: Em,
  { storeId, actorId }: Pick<Acting, 'storeId' | 'actorId'>,
): Promise<Role | null> {
  const [membership] = await READ(em, { storeId, actorId });
  return membership?.role ?? null;
}

/** The membership whose role allows the action now; null if there is none. */
async function allowedBy(
  em: Em,
  { storeId, actorId }: Pick<Acting, 'storeId' | 'actorId'>,
  action: Action,
): Promise<Membership | null> {
  const [membership] = await READ(em, { storeId, actorId });
  return membership !== undefined && can(membership.role, action) ? membership : null;
}

/** Until when a member waits before they may do something. @returns null if they do not wait. */
export async function moneyWaitOf(em: Em, acting: Acting, action: Action, now: Date): Promise<Date | null> {
  const { storeId, actorId } = acting;
  const [membership] = await READ(em, { storeId, actorId });
  return membership === undefined ? null : waitOf(em, acting, membership, action, now);
}

async function waitOf(
  em: Em,
  owner: Acting,
  { moneySince, mayAlreadySend }: Membership,
  action: Action,
  now: Date,
): Promise<Date | null> {
  if (moneySince === null) return null;
  // Who became an owner after they could send money continues to send it. What only owners do waits.
  if (mayAlreadySend && can('finance', action)) return null;
  const { newMemberWaitHours } = await payoutControlsOf(em, owner);
  if (newMemberWaitHours === null) return null;
  const until = hoursAfter(moneySince, newMemberWaitHours);
  return until > now ? until : null;
}
