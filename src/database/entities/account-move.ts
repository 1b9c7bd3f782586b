import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { AccountMoveId, StoreId } from '../../domain/ids.ts';

/**
 * Money that a store moved between two of its provider accounts at the banks themselves, in production. An operator
 * records it, once for each `reference`, and the audit log says who; rows never change.
 */
export const AccountMoveEntity = defineEntity({
  name: 'AccountMove',
  tableName: 'account_moves',
  properties: {
    id: p.text().$type<AccountMoveId>().primary(),
    storeId: p.text().$type<StoreId>(),
    fromProvider: p.text(),
    toProvider: p.text(),
    amountCents: p.bigint('number'),
    /** The operator's reference of the transfer, such as the bank's end-to-end id. */
    reference: p.text(),
    createdAt: p.datetime(),
  },
});
export type AccountMove = InferEntity<typeof AccountMoveEntity>;
