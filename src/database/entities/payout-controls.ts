import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { StoreId } from '../../domain/ids.ts';

/** The payout limits of one store and environment. A store that never changed them has no row. */
export const PayoutControlsEntity = defineEntity({
  name: 'PayoutControls',
  tableName: 'payout_controls',
  properties: {
    storeId: p.text().$type<StoreId>().primary(),
    devMode: p.boolean().primary(),
    maxPayoutCents: p.bigint('number').strictNullable(),
    maxDayCents: p.bigint('number').strictNullable(),
    maxPayeeDayCents: p.bigint('number').strictNullable(),
    approvalAboveCents: p.bigint('number').strictNullable(),
    newPayeeWaitHours: p.integer().strictNullable(),
    /** 0 for no wait; null for what the environment has by default. */
    newMemberWaitHours: p.integer().strictNullable(),
    requiresSecondFactor: p.boolean(),
    updatedAt: p.datetime(),
  },
});
export type PayoutControlsRow = InferEntity<typeof PayoutControlsEntity>;
