import { randomBytes } from 'node:crypto';
import {
  bareCardNumber,
  type CardToken,
  type CardWallet,
  type DeclineReason,
  expiryMonthOf,
  type TypedCard,
} from '../../domain/card.ts';

/** Accepted by the first charge and declined by every later one, to try out a subscription's retries. */
export const ONCE = 'once';

/**
 * Accepted, except in the month (São Paulo) of its expiry: the first two charges of that month are declined, so
 * that a cycle fails and is collected after all.
 */
export const LAPSES = 'lapses';
export const LAPSED_DECLINES = 2;

/** Undecided at the first request of a charge, and approved at the next one. */
export const PENDING = 'pending';

/** Its payer confirms every payment at the sandbox's bank. Without the payer, as in a cycle, it is approved. */
export const CONFIRM = 'confirm';

/** Accepted, and its installments are paid one by one: each thirty days after the one before. */
export const IN_PARTS = 'in_parts';

/** What a test card does. */
export type SandboxOutcome =
  | 'approved'
  | typeof IN_PARTS
  | typeof CONFIRM
  | typeof ONCE
  | typeof LAPSES
  | typeof PENDING
  | DeclineReason;

/** The test cards (contract section 8), with Visa's first digits. */
export const TEST_CARDS: ReadonlyMap<string, SandboxOutcome> = new Map([
  ['4242424242424242', 'approved'],
  ['4000000000000002', 'card_declined'],
  ['4000000000009995', 'insufficient_funds'],
  ['4000000000000127', 'incorrect_cvc'],
  ['4000000000000069', 'expired_card'],
  ['4000000000000101', 'suspected_fraud'],
  ['4000000000000341', ONCE],
  ['4000000000000259', LAPSES],
  ['4000000000000077', PENDING],
  ['4000002500003155', CONFIRM],
  ['4000000000000036', IN_PARTS],
]);

/** Makes two tokens of one card differ. */
const TOKEN_RANDOM_BYTES = 16;

/**
 * A token that contains its card's behaviour, or null for any number but a test card's: real cards must not be used
 * here.
 */
export function sandboxToken(
  { number, expiry }: TypedCard,
  wallet: CardWallet | null = null,
): CardToken | null {
  const bare = bareCardNumber(number);
  const outcome = TEST_CARDS.get(bare);
  if (outcome === undefined) return null;
  const month = outcome === LAPSES ? `_${expiryMonthOf(expiry)}` : '';
  const token = `sandbox_${outcome}${month}_${randomBytes(TOKEN_RANDOM_BYTES).toString('hex')}`;
  const shown = { brand: 'visa', lastFour: bare.slice(-4), expiryMonth: expiryMonthOf(expiry) };
  return { token, ...shown, ...(wallet !== null && { wallet }) };
}

/** How a test card behaves. */
export interface SandboxCard {
  readonly outcome: SandboxOutcome;
  /** `YYYY-MM`; null of a card that does not lapse. */
  readonly lapsesIn: string | null;
}

/** The behaviour of a token's card. A token of another sandbox is declined. */
export function cardOf(token: string): SandboxCard {
  const [, outcome, month = null] = /^sandbox_([a-z_]+?)(?:_(\d{4}-\d{2}))?_[0-9a-f]+$/.exec(token) ?? [];
  const known = TEST_CARDS.values().find((each) => each === outcome);
  return { outcome: known ?? 'card_declined', lapsesIn: month };
}
