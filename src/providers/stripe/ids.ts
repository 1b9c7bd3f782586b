import { hash } from 'node:crypto';

/** Metadata of an intent: the charge's reference, by which it is found. */
export const REFERENCE = 'recebe_reference';
/** Metadata of a refund: the reference of its request. */
export const REFUND_REFERENCE = 'recebe_refund';
/** Metadata of a customer or a dispute: the submission that stored the card, or sent the evidence. */
export const SUBMISSION = 'recebe_submission';

/** The form of Stripe's ids: they become parts of paths. */
export const STRIPE_ID = /^[A-Za-z0-9_]{1,255}$/;
/** The form of Recebe's references: they become part of a search. */
export const OWN_REFERENCE = /^[A-Za-z0-9_]{1,64}$/;

/** Idempotency keys, which Stripe keeps for at least 24 hours. The same key is the same write. */
export const keyOf = {
  charge: (reference: string) => `recebe-charge-${reference}`,
  close: (reference: string) => `recebe-close-${reference}`,
  refund: (refundReference: string) => `recebe-refund-${refundReference}`,
  customer: (submission: string) => `recebe-customer-${submission}`,
  verify: (reference: string) => `recebe-verify-${reference}`,
  evidence: (submissionKey: string) => `recebe-evidence-${submissionKey}`,
  evidenceFile: (submissionKey: string, kind: string) => `recebe-evidence-${submissionKey}-${kind}`,
  forget: (paymentMethod: string) => `recebe-forget-${paymentMethod}`,
} as const;

/** Stripe keeps idempotency keys for at least 24 hours; an older charge is looked up before it is sent. */
export const KEY_IS_SURE_MS = 12 * 60 * 60_000;

/** A submission's key without its content, which is stored at Stripe. */
export function submissionOf(submissionKey: string, paymentMethod: string): string {
  return hash('sha256', JSON.stringify([submissionKey, paymentMethod]));
}

/** A card as it is stored: Stripe's payment method, and the customer that owns it if later charges are agreed. */
export interface StoredCard {
  readonly paymentMethod: string;
  readonly customer: string | null;
}

export function tokenOf({ paymentMethod, customer }: StoredCard): string {
  return customer === null ? paymentMethod : `${customer}:${paymentMethod}`;
}

export function cardOfToken(token: string): StoredCard {
  const [first = '', second] = token.split(':');
  return second === undefined
    ? { paymentMethod: first, customer: null }
    : { paymentMethod: second, customer: first };
}
