import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { InviteeId, StoreId, UserId } from '../../domain/ids.ts';

/** Someone whom a store has invited, under an id that does not tell the store whether and since when they have an account. */
export const InviteeEntity = defineEntity({
  name: 'Invitee',
  tableName: 'invitees',
  properties: {
    id: p.text().$type<InviteeId>().primary(),
    storeId: p.text().$type<StoreId>(),
    userId: p.text().$type<UserId>(),
  },
});
export type Invitee = InferEntity<typeof InviteeEntity>;
