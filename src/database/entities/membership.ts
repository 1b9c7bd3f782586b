import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { StoreId, UserId } from '../../domain/ids.ts';
import type { Role } from '../../domain/role.ts';

/** What a person is to a store. Who has none of a store cannot tell it from one that is not there. */
export const MembershipEntity = defineEntity({
  name: 'Membership',
  tableName: 'memberships',
  properties: {
    userId: p.text().$type<UserId>().primary(),
    storeId: p.text().$type<StoreId>().primary(),
    role: p.text().$type<Role>(),
    createdAt: p.datetime(),
    /** Since when another member has let them send money, for what they wait from then on; null if they do not wait. */
    moneySince: p.datetime().strictNullable(),
    /** Who that was. */
    moneyGiverId: p.text().$type<UserId>().strictNullable(),
  },
});
export type Membership = InferEntity<typeof MembershipEntity>;
