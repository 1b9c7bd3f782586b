import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { StoreId, UserId } from '../../domain/ids.ts';
import type { Role } from '../../domain/role.ts';

/** A person's role in a store. Without a membership, a store cannot be distinguished from one that does not exist. */
export const MembershipEntity = defineEntity({
  name: 'Membership',
  tableName: 'memberships',
  properties: {
    userId: p.text().$type<UserId>().primary(),
    storeId: p.text().$type<StoreId>().primary(),
    role: p.text().$type<Role>(),
    createdAt: p.datetime(),
    /**
     * When another member allowed them to send money, from which their waiting time counts; null if they do not
     * wait.
     */
    moneySince: p.datetime().strictNullable(),
    /** The member who allowed it. */
    moneyGiverId: p.text().$type<UserId>().strictNullable(),
    /** Whether they could send money before, in another role: then only the owner's own actions wait. */
    mayAlreadySend: p.boolean().default(false),
  },
});
export type Membership = InferEntity<typeof MembershipEntity>;
