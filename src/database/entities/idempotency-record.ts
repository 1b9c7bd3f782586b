import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { StoreId } from '../../domain/ids.ts';

/**
 * The answer given for an `Idempotency-Key`, written in the transaction of what it created (contract section
 * 1). Without an answer it is a claim: a request that waits for a workflow holds the key.
 */
export const IdempotencyRecordEntity = defineEntity({
  name: 'IdempotencyRecord',
  tableName: 'idempotency_records',
  properties: {
    storeId: p.text().$type<StoreId>().primary(),
    devMode: p.boolean().primary(),
    key: p.text().primary(),
    /** SHA-256 of method, path, query and body. */
    requestHash: p.text(),
    status: p.integer().nullable(),
    body: p.text().nullable(),
    createdAt: p.datetime(),
    /** The id of the request that holds the key; null once it is answered. */
    claimId: p.text().nullable(),
    claimedUntil: p.datetime().nullable(),
  },
});
export type IdempotencyRecord = InferEntity<typeof IdempotencyRecordEntity>;
