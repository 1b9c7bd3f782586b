import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { CustomerId, StoreId } from '../../domain/ids.ts';

/** How long a browser that has proven an address is known as such. Its session ends long before. */
export const BROWSER_KNOWN_DAYS = 90;

/** A payer's browser that is signed in to the customer portal. Only the hash of its token is stored. */
export const PayerSessionEntity = defineEntity({
  name: 'PayerSession',
  tableName: 'payer_sessions',
  properties: {
    /** SHA-256 of the token, lower-case hex. */
    tokenHash: p.text().primary(),
    storeId: p.text().$type<StoreId>(),
    devMode: p.boolean(),
    customerId: p.text().$type<CustomerId>(),
    /** Of the proven address (`emailHashOf`). The session is worthless once the customer has another one. */
    emailHash: p.text(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
  },
});
export type PayerSession = InferEntity<typeof PayerSessionEntity>;
