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
  },
});
export type Membership = InferEntity<typeof MembershipEntity>;
