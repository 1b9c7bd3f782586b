/**
 * Identifiers carry a kind prefix (contract section 1.7). Each kind has its own
 * branded type, so a webhook's id cannot be passed where a charge's id is meant.
 */

declare const brand: unique symbol;
type Id<Kind extends string> = string & { readonly [brand]: Kind };

export type StoreId = Id<'store'>;
export type ApiKeyId = Id<'apiKey'>;
export type ChargeId = Id<'charge'>;
export type CustomerId = Id<'customer'>;
export type ProductId = Id<'product'>;
export type CouponId = Id<'coupon'>;
export type CheckoutId = Id<'checkout'>;
export type SubscriptionId = Id<'subscription'>;
export type CycleId = Id<'cycle'>;
export type PlanUpdateId = Id<'planUpdate'>;
export type UsageRecordId = Id<'usageRecord'>;
export type InvoiceId = Id<'invoice'>;
export type NfseId = Id<'nfse'>;
export type WebhookId = Id<'webhook'>;
export type DeliveryId = Id<'delivery'>;
export type EventId = Id<'event'>;
export type ResendId = Id<'resend'>;
export type PaymentId = Id<'payment'>;
export type PaymentReturnId = Id<'paymentReturn'>;
export type RefundId = Id<'refund'>;
export type DisputeId = Id<'dispute'>;
export type DisputeFeeId = Id<'disputeFee'>;
export type ExcessTakingId = Id<'excessTaking'>;
export type PayoutId = Id<'payout'>;
export type PayoutReturnId = Id<'payoutReturn'>;
export type SubAccountId = Id<'subAccount'>;
export type SubAccountEntryId = Id<'subAccountEntry'>;
export type AttentionId = Id<'attention'>;
export type UserId = Id<'user'>;
export type InviteeId = Id<'invitee'>;
export type SessionId = Id<'session'>;
export type AuditLineId = Id<'auditLine'>;
export type ProviderAccountId = Id<'providerAccount'>;
export type AccountMoveId = Id<'accountMove'>;
export type SavedCardId = Id<'savedCard'>;
export type CardTokenId = Id<'cardToken'>;
export type CardChangeId = Id<'cardChange'>;
export type MandateId = Id<'mandate'>;
export type CustomerPortalId = Id<'customerPortal'>;
export type OutsidePaymentId = Id<'outsidePayment'>;

/** The prefix of every kind of id this service mints. `charge` ids are prefixed by their method instead. */
export const ID_PREFIX = {
  store: 'store_',
  apiKey: 'key_',
  pixCharge: 'pix_char_',
  boletoCharge: 'bole_',
  cardCharge: 'card_',
  freeCharge: 'char_',
  checkout: 'bill_',
  subscription: 'subs_',
  cycle: 'intl_',
  planUpdate: 'subu_',
  /** A payer's authorization of recurring debits by PIX. */
  mandate: 'mand_',
  invoice: 'invc_',
  nfse: 'nfse_',
  usageRecord: 'usgr_',
  product: 'prod_',
  /** Internal: integrators know a coupon by its code (contract section 5.8). */
  coupon: 'coup_',
  customer: 'cust_',
  /** A stored card, as `cardToken` in the API. `card_` is a card payment. */
  savedCard: 'scrd_',
  /** A card as a payer has just typed it, for one charge. */
  cardToken: 'ctok_',
  webhook: 'webh_',
  delivery: 'log_',
  event: 'evnt_',
  resend: 'rsnd_',
  payment: 'paym_',
  /** Internal: a part of a payment in suspense that has gone back. */
  paymentReturn: 'paym_',
  refund: 'tran_',
  payout: 'tran_',
  /** Money of a payout that its payee's bank sent back. */
  payoutReturn: 'tran_',
  dispute: 'disp_',
  /** Internal: a provider's fee for a dispute, charged or returned. */
  disputeFee: 'dfee_',
  /** Internal: what a dispute or a bank's refund took beyond its payment, or returned of it. */
  excessTaking: 'exce_',
  /** Internal: operators know it from the command line. */
  attention: 'attn_',
  /** Operators know it from the command line; in the address of its notifications, and in `provider` of what it issued. */
  providerAccount: 'pacc_',
  /** Internal: money that a store moved between two of its accounts, as an operator recorded it. */
  accountMove: 'move_',
  /** Money of a third party, such as a marketplace's seller, in the books of a store. */
  subAccount: 'sacc_',
  subAccountEntry: 'sace_',
  customerPortal: 'cpl_',
  /** A card that is to replace the one of a subscription; payers see it in an address of the portal. */
  cardChange: 'cchg_',
  /** A payment that another system took and settled, as an import recorded it. */
  outsidePayment: 'opay_',
  /** People, in the dashboard alone. */
  user: 'user_',
  /** Someone whom a store has invited. Their account's id would tell the store how old the account is. */
  invitee: 'invt_',
  session: 'sess_',
  auditLine: 'audt_',
} as const;

export type IdKind = keyof typeof ID_PREFIX;
