import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { ChargeId, PayoutId, StoreId, SubAccountEntryId, SubAccountId } from '../../domain/ids.ts';
import { ENTRY_KINDS } from '../../domain/sub-account.ts';

/** A change of a sub-account's balance. Rows never change (a trigger); each has a movement of the ledger, whose subject it is. */
export const SubAccountEntryEntity = defineEntity({
  name: 'SubAccountEntry',
  tableName: 'sub_account_entries',
  properties: {
    id: p.text().$type<SubAccountEntryId>().primary(),
    subAccountId: p.text().$type<SubAccountId>(),
    storeId: p.text().$type<StoreId>(),
    devMode: p.boolean(),
    /** From 1, without gaps, in the order of booking. */
    number: p.bigint('number'),
    /** The kind of the movement that it belongs to; with the subject it is unique for a sub-account. */
    kind: p.enum([...ENTRY_KINDS]),
    /** The charge, refund, dispute, payout or returned payout that the money moved for. */
    subjectId: p.text(),
    /** The split charge; null for withdrawals. */
    chargeId: p.text().$type<ChargeId>().strictNullable(),
    /** The withdrawal; null for charges. */
    payoutId: p.text().$type<PayoutId>().strictNullable(),
    /** Negative if the sub-account gave it. */
    amountCents: p.bigint('number'),
    balanceAfterCents: p.bigint('number'),
    createdAt: p.datetime(),
  },
});
export type SubAccountEntry = InferEntity<typeof SubAccountEntryEntity>;
