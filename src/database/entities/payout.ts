import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { PayoutId, StoreId } from '../../domain/ids.ts';
import type { PayoutKind, PayoutStatus } from '../../domain/payout.ts';
import type { PixKeyType } from '../../domain/pix-key.ts';

/**
 * Money that a store sends out of its balance: a payout to its own account, or a transfer to a PIX key. Its
 * route inserts it as PENDING and sets its money aside; from then on only activities of `payout/<id>` change
 * it.
 */
export const PayoutEntity = defineEntity({
  name: 'Payout',
  tableName: 'payouts',
  properties: {
    id: p.text().$type<PayoutId>().primary(),
    kind: p.text().$type<PayoutKind>(),
    storeId: p.text().$type<StoreId>(),
    devMode: p.boolean(),
    status: p.text().$type<PayoutStatus>(),
    /** Who sends it, as in a charge: asked again, the same one is asked. */
    provider: p.text().default('sandbox'),
    amountCents: p.bigint('number'),
    platformFeeCents: p.bigint('number'),
    /** Unique per store, environment and kind. */
    externalId: p.text(),
    /**
     * SHA-256 of the creating request's content, so that the same `externalId` with other content is told
     * apart.
     */
    contentHash: p.text(),
    description: p.text().strictNullable(),
    /** Null for the account that the provider knows as the store's own. */
    pixKeyType: p.text().$type<PixKeyType>().strictNullable(),
    pixKey: p.text().strictNullable(),
    /** What Bacen's system knows the PIX by; set when it is COMPLETE. */
    endToEndIdentifier: p.text().strictNullable(),
    /** Why it FAILED, in the provider's word. */
    failureReason: p.text().strictNullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    /** Null until the workflow's start is known; the sweeper looks for such rows. */
    workflowStartedAt: p.datetime().strictNullable(),
  },
});
export type Payout = InferEntity<typeof PayoutEntity>;
