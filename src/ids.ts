import { createHash, randomBytes } from 'node:crypto';
import {
  type ChargeId,
  ID_PREFIX,
  type IdKind,
  type PaymentId,
  type PaymentReturnId,
  type PayoutId,
  type PayoutReturnId,
  type RefundId,
  type StoreId,
} from './domain/ids.ts';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_CHARS = 10;
/**
 * 16 random characters of 5 bits: 80 bits, as in a ULID, so that ids minted in one millisecond do not meet.
 */
const RANDOM_CHARS = 16;

/**
 * Mints an id: the kind's prefix, then 10 characters of milliseconds and 16 of randomness (a ULID), so that
 * inserts land at the end of their index and ids of one kind sort by creation. Letters and digits only
 * (contract section 1, "Ids").
 */
export function mintId<Id extends string>(kind: IdKind, now: Date): Id {
  return `${ID_PREFIX[kind]}${timePart(now.getTime())}${randomPart()}` as Id;
}

/** What sorts before every id of the kind that is minted from this instant on, and after those minted before it. */
export function firstIdAt(kind: IdKind, at: Date): string {
  return `${ID_PREFIX[kind]}${timePart(at.getTime())}`;
}

/**
 * An id that follows from `seed`: whoever makes it again makes the same, so that a repeated step finds what
 * it made before. The seed must hold what nobody can guess, as the id lets its reader in.
 */
export function derivedId<Id extends string>(kind: IdKind, at: Date, seed: string): Id {
  return `${ID_PREFIX[kind]}${timePart(at.getTime())}${derivedPart(seed)}` as Id;
}

/** An id without its prefix: what banks know a charge by. Other programs use other shapes. */
const OWN_PART = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/** Whether it has the shape of an id of ours of a kind, also if its row was lost with a restore. */
export function isIdOf(kind: IdKind, id: string): boolean {
  return id.startsWith(ID_PREFIX[kind]) && isOwnPart(id.slice(ID_PREFIX[kind].length));
}

/** Whether it has the shape of an id of ours without its prefix. */
export function isOwnPart(text: string): boolean {
  return OWN_PART.test(text);
}

/** How long {@link derivedPart} is. */
export const DERIVED_LENGTH = RANDOM_CHARS;

/** The end of a {@link derivedId}, which follows from the seed alone. */
export function derivedPart(seed: string): string {
  return charsOf(createHash('sha256').update(seed).digest().subarray(0, RANDOM_CHARS));
}

/*
 * Ids that money is ordered with. They follow from the request alone, not from when it came: a client that repeats a
 * request after the database was restored to a backup orders under the same id, and the bank refuses to move money twice
 * for one id. Each has the shape of any other id, so that bank ids can be mapped back (src/providers/bacen/ids.ts).
 */

/** Stands for "no instant": all have the same time part, and are sorted by `createdAt` and not by id. */
const NO_INSTANT = new Date(0);

/** The id of a payout or transfer. The store's id is what nobody can guess: no payer is shown it. */
export function payoutIdOf(payout: {
  readonly storeId: StoreId;
  readonly devMode: boolean;
  readonly kind: 'PAYOUT' | 'TRANSFER';
  readonly externalId: string;
}): PayoutId {
  const { storeId, devMode, kind, externalId } = payout;
  return derivedId('payout', NO_INSTANT, JSON.stringify(['payout', storeId, devMode, kind, externalId]));
}

/** The id of money that came back of a payout. @param providerReturnId what the provider knows the return by. */
export function payoutReturnIdOf(payoutId: PayoutId, providerReturnId: string): PayoutReturnId {
  return derivedId('payoutReturn', NO_INSTANT, JSON.stringify([payoutId, 'return', providerReturnId]));
}

/**
 * The id of a charge of real money that a request asks for, or of the one that takes its place once nobody can pay it.
 * @param seed of the provider's account, which no payer knows, and of the request and its generation.
 */
export function chargeIdOfRequest(kind: IdKind, seed: string): ChargeId {
  return derivedId(kind, NO_INSTANT, seed);
}

/** What makes a request for a refund unique among those of its charge. */
export type RefundRequest =
  /** All that is left of the payment. */
  | { readonly kind: 'REST' }
  /** A part, without an `Idempotency-Key`. */
  | { readonly kind: 'PART'; readonly amountCents: number }
  /** A part with one. @param seed of charge, key and body. */
  | { readonly kind: 'KEYED_PART'; readonly seed: string };

/**
 * The id of the refund that the nth request of the same content makes, counted from 0. Its time part is the charge's: a
 * charge that was rebuilt after a restore keeps its id, and has its bank's idea of when it was created.
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

/** The id of a payment that goes back to its payer. @param provider the account that has the money. */
export function returnedPaymentIdOf(
  provider: string,
  { providerPaymentId, paidAt }: { readonly providerPaymentId: string; readonly paidAt: Date },
): PaymentId {
  return derivedId('payment', paidAt, JSON.stringify(['payment', provider, providerPaymentId]));
}

/** The id of a part of a HELD payment that has gone back. @param returnedCents what has gone of the payment with it. */
export function paymentReturnIdOf(paymentId: PaymentId, returnedCents: number): PaymentReturnId {
  return derivedId('paymentReturn', NO_INSTANT, JSON.stringify([paymentId, 'returned', returnedCents]));
}

/**
 * The id that the return of a payment is ordered with: the payment's own for all of it, else one for each amount. A bank
 * may keep the id of an order that it refused, so what is left after others took a part is ordered with another id.
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
