import type { Em } from '../database/orm.ts';
import type { UserId } from '../domain/ids.ts';
import { defaultControls } from '../domain/payout-controls.ts';
import { can, ROLES } from '../domain/role.ts';

const MONEY_ROLES = ROLES.filter((role) => can(role, 'payout'));

const IS_RUNNING = `(money_since is not null and money_since
  + make_interval(hours => coalesce(controls.new_member_wait_hours, :byDefault)) > :now)`;

/** Locks the memberships of a person until the transaction ends. Lock order: before the person. */
export async function lockMembershipsOf(em: Em, userId: UserId): Promise<void> {
  await em.execute('select 1 from memberships where user_id = :userId order by store_id for update', {
    userId,
  });
}

/**
 * Starts a waiting period for a person who has just switched a second factor on, in every store that requires a code before real
 * money is sent. A password is enough to switch one on, so a thief of the password could pass the code with their own device.
 * @param now real time.
 */
export function waitWithNewFactor(em: Em, userId: UserId, now: Date): Promise<void> {
  return startWait(em, userId, now, 'and (stores.requires_second_factor or controls.requires_second_factor)');
}

/**
 * The same, in every store, for a person who switches their second factor off: the password alone is enough from then on, so one code would
 * be enough for everything.
 */
export function waitWithoutFactor(em: Em, userId: UserId, now: Date): Promise<void> {
  return startWait(em, userId, now);
}

/**
 * No other member started this wait, so any other owner may confirm. A wait that is already running stays, with its original giver. If it
 * did not include sending money, it starts over and includes that.
 */
async function startWait(em: Em, userId: UserId, now: Date, where = ''): Promise<void> {
  const { newMemberWaitHours } = defaultControls(false);
  await em.execute(
    `update memberships set money_since = :now, may_already_send = false,
       money_giver_id = case when ${IS_RUNNING} then money_giver_id else :userId end
     from stores left join payout_controls controls on controls.store_id = stores.id and not controls.dev_mode
     where memberships.user_id = :userId and stores.id = memberships.store_id
       and memberships.role = any(string_to_array(:roles, ',')) ${where}
       and (may_already_send or not ${IS_RUNNING})`,
    { now, userId, roles: MONEY_ROLES.join(','), byDefault: newMemberWaitHours ?? 0 },
  );
}
