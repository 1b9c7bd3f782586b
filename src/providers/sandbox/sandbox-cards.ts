import { randomBytes } from 'node:crypto';
import { bareCardNumber, type CardToken, type DeclineReason, type TypedCard } from '../../domain/card.ts';

/**
 * Accepted by the first charge, declined by every later one, so that a subscription's retries can be tried
 * out.
 */
export const ONCE = 'once';

type SandboxOutcome = 'approved' | typeof ONCE | DeclineReason;

/** The test cards (contract section 8). Their first digits are Visa's. */
export const TEST_CARDS: ReadonlyMap<string, SandboxOutcome> = new Map([
  ['4242424242424242', 'approved'],
  ['4000000000000002', 'card_declined'],
  ['4000000000009995', 'insufficient_funds'],
  ['4000000000000127', 'incorrect_cvc'],
  ['4000000000000069', 'expired_card'],
  ['4000000000000101', 'suspected_fraud'],
  ['4000000000000341', ONCE],
]);

/** So that two tokens of one card are two tokens. */
const TOKEN_RANDOM_BYTES = 16;

/**
 * A token that says how its card behaves, or null for any number but a test card's: real cards have no place
 * here.
 */
export function sandboxToken({ number }: TypedCard): CardToken | null {
  const bare = bareCardNumber(number);
  const outcome = TEST_CARDS.get(bare);
  if (outcome === undefined) return null;
  const token = `sandbox_${outcome}_${randomBytes(TOKEN_RANDOM_BYTES).toString('hex')}`;
  return { token, brand: 'visa', lastFour: bare.slice(-4) };
}

/** How the card behind a token behaves. A token that is not of this sandbox is declined. */
export function outcomeOf(token: string): SandboxOutcome {
  const outcome = /^sandbox_([a-z_]+)_[0-9a-f]+$/.exec(token)?.[1];
  return TEST_CARDS.values().find((known) => known === outcome) ?? 'card_declined';
}
