import type { ChargeMethod } from '../../domain/charge.ts';
import { METHOD_TRAITS } from '../../domain/payment-methods.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Days in which the receiver's bank decides about a Pix that its payer disputes (MED, in Banco Central's Pix regulation). */
const MED_DAYS = 7;

/**
 * Until when a store may respond to a dispute: as the provider says, or else as a rule of the payment method says. No
 * bank sends the time for a Pix. Rows of earlier releases have none.
 * @returns null if nothing names a time; it is never guessed.
 */
export function respondByOf(
  method: ChargeMethod,
  { respondBy, openedAt }: { readonly respondBy: Date | null; readonly openedAt: Date },
): Date | null {
  if (respondBy !== null || METHOD_TRAITS[method].contestedBy !== 'MED') return respondBy;
  return new Date(openedAt.getTime() + MED_DAYS * DAY_MS);
}
