import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { PayoutId, PayoutReturnId } from '../../domain/ids.ts';

/** Money of a payout or transfer that its payee's bank sent back, whole or in part. It is never changed. */
export const PayoutReturnEntity = defineEntity({
  name: 'PayoutReturn',
  tableName: 'payout_returns',
  properties: {
    /** Derived from the payout and {@link providerReturnId}, so that a return is booked once. */
    id: p.text().$type<PayoutReturnId>().primary(),
    payoutId: p.text().$type<PayoutId>(),
    /** Bacen's id of the return (`rtrId`). */
    providerReturnId: p.text(),
    amountCents: p.bigint('number'),
    returnedAt: p.datetime(),
    createdAt: p.datetime(),
  },
});
export type PayoutReturn = InferEntity<typeof PayoutReturnEntity>;
