import type { Em } from '../database/orm.ts';
import type { UserId } from '../domain/ids.ts';
import { defaultControls } from '../domain/payout-controls.ts';
import { can, ROLES } from '../domain/role.ts';

const MONEY_ROLES = ROLES.filter((role) => can(role, 'payout'));

const IS_RUNNING = `(money_since is not null and money_since
  + make_interval(hours => coalesce(controls.new_member_wait_hours, :byDefault)) > :now)`;

/**
 * Starts a waiting period for a person who has just switched a second factor on, in every store that requires a code before real
 * money is sent. A password is enough to switch one on, so a thief of the password could pass the code with their own device. No
 * other member started this wait, so any other owner may confirm. A wait that is already running stays, with its original giver. If
 * it did not include sending money, it starts over and includes that.
 * @param now real time.
 */
export async function waitWithNewFactor(em: Em, userId: UserId, now: Date): Promise<void> {
  const { newMemberWaitHours } = defaultControls(false);
  await em.execute(
    `update memberships set money_since = :now, may_already_send = false,
       money_giver_id = case when ${IS_RUNNING} then money_giver_id else :userId end
     from stores left join payout_controls controls on controls.store_id = stores.id and not controls.dev_mode
     where memberships.user_id = :userId and stores.id = memberships.store_id
       and memberships.role = any(string_to_array(:roles, ','))
       and (stores.requires_second_factor or controls.requires_second_factor)
       and (may_already_send or not ${IS_RUNNING})`,
    { now, userId, roles: MONEY_ROLES.join(','), byDefault: newMemberWaitHours ?? 0 },
  );
}
