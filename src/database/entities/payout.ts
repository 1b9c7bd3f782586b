import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { ApiKeyId, PayoutId, StoreId, SubAccountId, UserId } from '../../domain/ids.ts';
import { PAYOUT_FEE_CENTS, type PayoutKind, type PayoutStatus } from '../../domain/payout.ts';
import type { ApprovalReason, ApprovalStatus } from '../../domain/payout-approval.ts';
import type { PixKeyType } from '../../domain/pix-key.ts';
import { SealedText } from '../encryption/sealed-text.ts';

/**
 * Money that a store sends from its balance: a payout to its own account, or a transfer to a PIX key. Its route
 * inserts it as PENDING and reserves its money. From then on activities of `payout/<id>` change it; its approval
 * has several deciders, each conditional on WAITING. After its end only the reconciliation changes it, under a lock
 * of the row.
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
    /** The provider that sends it; retries use the same one. */
    provider: p.text().default('sandbox'),
    amountCents: p.bigint('number'),
    platformFeeCents: p.bigint('number'),
    /** Unique per store, environment and kind. */
    externalId: p.text(),
    /**
     * SHA-256 of the creating request's content, which recognizes the same `externalId` with other content.
     */
    contentHash: p.text(),
    description: p.text().strictNullable(),
    /** Null for the account that the provider knows as the store's own. */
    pixKeyType: p.text().$type<PixKeyType>().strictNullable(),
    pixKey: p.type(new SealedText('payouts.pix_key')).strictNullable(),
    /** The key by which limits count (`payeeKeyOf`). Null for the store's own account, and before migration 0049. */
    payeeKey: p.type(new SealedText('payouts.payee_key')).strictNullable(),
    /**
     * The hash by which limits find payouts to the same key. Null without a key or SECRETS_KEY, and before
     * migration 0059.
     */
    payeeHash: p.text().strictNullable(),
    /**
     * The BR Code's txid, by which the payee identifies the payment. Null if the payment carries none, and before
     * migration 0044.
     */
    payeeTxid: p.text().strictNullable(),
    /** The sub-account whose money it sends, to the PIX key of its holder. Null if it is the store's own money. */
    subAccountId: p.text().$type<SubAccountId>().strictNullable(),
    /** The API key or person that requested it. Null before migration 0049. */
    creatorId: p.text().$type<ApiKeyId | UserId>().strictNullable(),
    /** Null if it needs no approval. Nothing is sent while it is WAITING, nor after it is REJECTED or EXPIRED. */
    approval: p.text().$type<ApprovalStatus>().strictNullable(),
    approvalReasons: p.array().$type<ApprovalReason[]>().strictNullable(),
    /** When it is released or expires, by the store's clock. */
    approvalDueAt: p.datetime().strictNullable(),
    approvalDecidedAt: p.datetime().strictNullable(),
    /** Null if the time limit decided. */
    approvalDeciderId: p.text().$type<ApiKeyId | UserId>().strictNullable(),
    /** Bacen's end-to-end id of the PIX; set when it is COMPLETE. */
    endToEndIdentifier: p.text().strictNullable(),
    /** Why it FAILED, in the provider's word. */
    failureReason: p.text().strictNullable(),
    /** The total that the payee's bank has returned: everything once it is REFUNDED. */
    returnedCents: p.bigint('number').defaultRaw('0'),
    /** When it became COMPLETE. Null for one that did before migration 0043. */
    completedAt: p.datetime().strictNullable(),
    /** When it became COMPLETE after it had FAILED here: the provider had sent it after all. */
    revivedAt: p.datetime().strictNullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    /** Null until the workflow's start is known; the sweeper looks for such rows. */
    workflowStartedAt: p.datetime().strictNullable(),
  },
});
export type Payout = InferEntity<typeof PayoutEntity>;

/** The initial values of every new payout. */
export const NEW_PAYOUT = {
  status: 'PENDING',
  platformFeeCents: PAYOUT_FEE_CENTS,
  description: null,
  pixKeyType: null,
  pixKey: null,
  payeeKey: null,
  payeeHash: null,
  payeeTxid: null,
  subAccountId: null,
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
