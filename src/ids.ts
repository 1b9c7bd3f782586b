import { createHash, randomBytes } from 'node:crypto';
import {
  type ChargeId,
  type DisputeFeeId,
  type DisputeId,
  type ExcessTakingId,
  ID_PREFIX,
  type IdKind,
  type InviteeId,
  type PaymentId,
  type PaymentReturnId,
  type PayoutId,
  type PayoutReturnId,
  type RefundId,
  type StoreId,
  type SubAccountEntryId,
  type SubAccountId,
  type UserId,
} from './domain/ids.ts';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_CHARS = 10;
/** 16 random characters of 5 bits are 80 bits, as in a ULID, so ids minted in the same millisecond do not collide. */
const RANDOM_CHARS = 16;

/**
 * Mints an id: the kind's prefix, then 10 characters of milliseconds and 16 of randomness (a ULID), so that
 * inserts land at the end of their index and ids of one kind sort by creation. Letters and digits only
 * (contract section 1, "Ids").
 */
export function mintId<Id extends string>(kind: IdKind, now: Date): Id {
  return `${ID_PREFIX[kind]}${timePart(now.getTime())}${randomPart()}` as Id;
}

/** Sorts before every id of the kind that is minted from this instant on, and after all earlier ones. */
export function firstIdAt(kind: IdKind, at: Date): string {
  return `${ID_PREFIX[kind]}${timePart(at.getTime())}`;
}

/**
 * An id derived from `seed`: the same seed gives the same id, so that a repeated step finds the row it created before. The seed
 * must contain something unguessable, because the id gives access to its page.
 */
export function derivedId<Id extends string>(kind: IdKind, at: Date, seed: string): Id {
  return `${ID_PREFIX[kind]}${timePart(at.getTime())}${derivedPart(seed)}` as Id;
}

/** An id without its prefix, by which banks know a charge. Other programs use other formats. */
const OWN_PART = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/** Whether the text has the format of an id of this kind, even if its row was lost in a restore. */
export function isIdOf(kind: IdKind, id: string): boolean {
  return id.startsWith(ID_PREFIX[kind]) && isOwnPart(id.slice(ID_PREFIX[kind].length));
}

/** Whether the text has the format of an id without its prefix. */
export function isOwnPart(text: string): boolean {
  return OWN_PART.test(text);
}

/** The letter that stands before the id of a charge with a due date ("vencimento") in its reference at a bank. */
export const DUE_MARK = 'V';

/** The id of a charge without its prefix, from its reference at a bank. */
export function ownPartOf(reference: string): string {
  const isMarked = reference.startsWith(DUE_MARK) && isOwnPart(reference.slice(DUE_MARK.length));
  return isMarked ? reference.slice(DUE_MARK.length) : reference;
}

/** When an id was minted, from its last 26 characters; null if they are not an id of this form. */
export function mintedAt(id: string): Date | null {
  const part = id.slice(-TIME_CHARS - RANDOM_CHARS);
  if (!isOwnPart(part)) return null;
  const digits = [...part.slice(0, TIME_CHARS)].map((char) => ALPHABET.indexOf(char));
  return new Date(digits.reduce((value, digit) => value * ALPHABET.length + digit, 0));
}

/** The length of {@link derivedPart}. */
export const DERIVED_LENGTH = RANDOM_CHARS;

/** The last part of a {@link derivedId}, which depends on the seed only. */
export function derivedPart(seed: string): string {
  return charsOf(createHash('sha256').update(seed).digest().subarray(0, RANDOM_CHARS));
}

/* Ids of orders to move money. They are derived from the request and not from its time. If a client repeats a request after the
   database was restored from a backup, the order gets the same id, and the bank refuses to move money twice for one id. Each has
   the format of any other id, so that bank ids can be mapped back (src/providers/bacen/ids.ts). */

/** Stands for "no instant": these ids share one time part, so their rows are sorted by `createdAt` and not by id. */
const NO_INSTANT = new Date(0);

/** The id of a payout or transfer. The store's id makes the seed unguessable: payers never see it. */
export function payoutIdOf(payout: {
  readonly storeId: StoreId;
  readonly devMode: boolean;
  readonly kind: 'PAYOUT' | 'TRANSFER';
  readonly externalId: string;
}): PayoutId {
  const { storeId, devMode, kind, externalId } = payout;
  return derivedId('payout', NO_INSTANT, JSON.stringify(['payout', storeId, devMode, kind, externalId]));
}

/** The id of money returned from a payout. @param providerReturnId the provider's id of the return. */
export function payoutReturnIdOf(payoutId: PayoutId, providerReturnId: string): PayoutReturnId {
  return derivedId('payoutReturn', NO_INSTANT, JSON.stringify([payoutId, 'return', providerReturnId]));
}

/** The id of a fee that a provider charged for a dispute, or returned. */
export function disputeFeeIdOf(disputeId: DisputeId, providerFeeId: string): DisputeFeeId {
  return derivedId('disputeFee', NO_INSTANT, JSON.stringify([disputeId, 'fee', providerFeeId]));
}

/** The id of the nth change of what a dispute or a bank's refund has taken beyond its payment, counted from 1. */
export function excessTakingIdOf(subjectId: DisputeId | RefundId, sequence: number): ExcessTakingId {
  return derivedId('excessTaking', NO_INSTANT, JSON.stringify([subjectId, 'excess', sequence]));
}

/** The id under which a store sees someone whom it has invited. It reveals neither the account nor its age. */
export function inviteeIdOf(storeId: StoreId, userId: UserId): InviteeId {
  return derivedId('invitee', NO_INSTANT, JSON.stringify(['invitee', storeId, userId]));
}

/** The id of the entry of a sub-account that belongs to a movement. Its time part is the time of booking, by which entries are listed. */
export function subAccountEntryIdOf(
  subAccountId: SubAccountId,
  movement: { readonly kind: string; readonly subjectId: string },
  now: Date,
): SubAccountEntryId {
  return derivedId('subAccountEntry', now, JSON.stringify([subAccountId, movement.kind, movement.subjectId]));
}

/**
 * The id of a real charge that a request creates, or of its replacement after it can no longer be paid.
 * @param seed the id of the provider account, which payers never see, with the request and its generation.
 */
export function chargeIdOfRequest(kind: IdKind, seed: string): ChargeId {
  return derivedId(kind, NO_INSTANT, seed);
}

/** Distinguishes the refund requests of one charge. */
export type RefundRequest =
  /** Everything that is left of the payment. */
  | { readonly kind: 'REST' }
  /** A part, without an `Idempotency-Key`. */
  | { readonly kind: 'PART'; readonly amountCents: number }
  /** A part with one. @param seed of charge, key and body. */
  | { readonly kind: 'KEYED_PART'; readonly seed: string };

/**
 * The id of the refund created by the nth request with the same content, counted from 0. Its time part is the charge's: a charge
 * rebuilt after a restore keeps its id, but has the creation time that its bank reports.
 */
export function refundIdOf({ id }: { readonly id: ChargeId }, request: RefundRequest, nth: number): RefundId {
  const chargeTimePart = id.slice(-TIME_CHARS - RANDOM_CHARS, -RANDOM_CHARS);
  return `${ID_PREFIX.refund}${chargeTimePart}${derivedPart(refundSeed(id, request, nth))}` as RefundId;
}

function refundSeed(id: ChargeId, request: RefundRequest, nth: number): string {
  if (request.kind === 'REST') return JSON.stringify([id, 'rest', nth]);
  if (request.kind === 'PART') return JSON.stringify([id, 'part', request.amountCents, nth]);
  return nth === 0 ? request.seed : JSON.stringify([request.seed, nth]);
}

/** The id of a payment that is returned to its payer. @param provider the account that holds the money. */
export function returnedPaymentIdOf(
  provider: string,
  { providerPaymentId, paidAt }: { readonly providerPaymentId: string; readonly paidAt: Date },
): PaymentId {
  return derivedId('payment', paidAt, JSON.stringify(['payment', provider, providerPaymentId]));
}

/** The id of a returned part of a HELD payment. @param returnedCents the total returned, including this part. */
export function paymentReturnIdOf(paymentId: PaymentId, returnedCents: number): PaymentReturnId {
  return derivedId('paymentReturn', NO_INSTANT, JSON.stringify([paymentId, 'returned', returnedCents]));
}

/**
 * The id under which a payment's return is ordered: the payment's own for the whole amount, else one per amount. A bank may
 * remember the id of an order that it refused, so a remaining amount is ordered under a new id.
 */
export function returnOrderIdOf(
  paymentId: PaymentId,
  { amountCents, paidAt }: { readonly amountCents: number; readonly paidAt: Date },
  orderedCents: number,
): PaymentId {
  if (orderedCents === amountCents) return paymentId;
  return derivedId('payment', paidAt, JSON.stringify(['rest', paymentId, orderedCents]));
}

function timePart(milliseconds: number): string {
  let rest = milliseconds;
  let text = '';
  for (let i = 0; i < TIME_CHARS; i++) {
    text = ALPHABET[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

function randomPart(): string {
  return charsOf(randomBytes(RANDOM_CHARS));
}

function charsOf(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += ALPHABET[byte & 31];
  return text;
}
