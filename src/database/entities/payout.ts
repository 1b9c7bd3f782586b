import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { ApiKeyId, PayoutId, StoreId, UserId } from '../../domain/ids.ts';
import { PAYOUT_FEE_CENTS, type PayoutKind, type PayoutStatus } from '../../domain/payout.ts';
import type { ApprovalReason, ApprovalStatus } from '../../domain/payout-controls.ts';
import type { PixKeyType } from '../../domain/pix-key.ts';
import { SealedText } from '../sealed-text.ts';

/**
 * Money that a store sends out of its balance: a payout to its own account, or a transfer to a PIX key. Its
 * route inserts it as PENDING and sets its money aside; from then on activities of `payout/<id>` change it,
 * apart from its approval, which each of several deciders changes only while it is WAITING. Once it has ended,
 * rounds of reconciliation change it, under a lock of the row.
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
    pixKey: p.type(new SealedText('payouts.pix_key')).strictNullable(),
    /** The key that limits count by (`payeeKeyOf`). Null for the store's own account, and before migration 0049. */
    payeeKey: p.type(new SealedText('payouts.payee_key')).strictNullable(),
    /** What limits find other payouts to the same key by. Null without a key, without SECRETS_KEY, and before migration 0059. */
    payeeHash: p.text().strictNullable(),
    /** What the payee recognises the payment by, from the BR Code. Null if the payment carries none, and before migration 0044. */
    payeeTxid: p.text().strictNullable(),
    /** The API key or person that asked for it. Null before migration 0049. */
    creatorId: p.text().$type<ApiKeyId | UserId>().strictNullable(),
    /** Null if it needs no approval. Nothing is sent while it is WAITING, nor after it is REJECTED or EXPIRED. */
    approval: p.text().$type<ApprovalStatus>().strictNullable(),
    approvalReasons: p.array().$type<ApprovalReason[]>().strictNullable(),
    /** When it is released or expires, by the store's clock. */
    approvalDueAt: p.datetime().strictNullable(),
    approvalDecidedAt: p.datetime().strictNullable(),
    /** Null if its time decided. */
    approvalDeciderId: p.text().$type<ApiKeyId | UserId>().strictNullable(),
    /** What Bacen's system knows the PIX by; set when it is COMPLETE. */
    endToEndIdentifier: p.text().strictNullable(),
    /** Why it FAILED, in the provider's word. */
    failureReason: p.text().strictNullable(),
    /** What of it the payee's bank has sent back: all of it once it is REFUNDED. */
    returnedCents: p.bigint('number').defaultRaw('0'),
    /** When it became COMPLETE. Null for one that did before migration 0043. */
    completedAt: p.datetime().strictNullable(),
    /** When it became COMPLETE after it had FAILED here: the provider had sent it all the same. */
    revivedAt: p.datetime().strictNullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    /** Null until the workflow's start is known; the sweeper looks for such rows. */
    workflowStartedAt: p.datetime().strictNullable(),
  },
});
export type Payout = InferEntity<typeof PayoutEntity>;

/** What every new payout begins with, before it is known who asks for it, how much it is, and where it goes. */
export const NEW_PAYOUT = {
  status: 'PENDING',
  platformFeeCents: PAYOUT_FEE_CENTS,
  description: null,
  pixKeyType: null,
  pixKey: null,
  payeeKey: null,
  payeeHash: null,
  payeeTxid: null,
  creatorId: null,
  approval: null,
  approvalReasons: null,
  approvalDueAt: null,
  approvalDecidedAt: null,
  approvalDeciderId: null,
  endToEndIdentifier: null,
  failureReason: null,
  returnedCents: 0,
  completedAt: null,
  revivedAt: null,
  workflowStartedAt: null,
} as const;
