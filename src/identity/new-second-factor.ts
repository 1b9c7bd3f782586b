import type { Em } from '../database/orm.ts';
import type { UserId } from '../domain/ids.ts';
import { defaultControls } from '../domain/payout-controls.ts';
import { can, ROLES } from '../domain/role.ts';

const MONEY_ROLES = ROLES.filter((role) => can(role, 'payout'));

/**
 * Has somebody who has just switched a second factor on wait as a new member does, in every store that asks for a code
 * before real money is sent. A password is enough to switch one on: whoever has taken the password would otherwise meet
 * the code with a device of their own. Nobody gave it to them but they themselves, so any other owner may confirm. A wait
 * that goes on already stays as it is, with who began it.
 * @param now real time.
 */
export async function waitWithNewFactor(em: Em, userId: UserId, now: Date): Promise<void> {
  const { newMemberWaitHours } = defaultControls(false);
  await em.execute(
    `update memberships set money_since = :now, money_giver_id = :userId
     from stores left join payout_controls controls on controls.store_id = stores.id and not controls.dev_mode
     where memberships.user_id = :userId and stores.id = memberships.store_id
       and memberships.role = any(string_to_array(:roles, ','))
       and (stores.requires_second_factor or controls.requires_second_factor)
       and (money_since is null or money_since
         + make_interval(hours => coalesce(controls.new_member_wait_hours, :byDefault)) <= :now)`,
    { now, userId, roles: MONEY_ROLES.join(','), byDefault: newMemberWaitHours ?? 0 },
  );
}
