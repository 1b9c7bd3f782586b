import type { Charge } from '../../database/entities/charge.ts';
import { type ChargeStatus, hasRunOut } from '../../domain/charge.ts';

/**
 * How a payment stands, as its payer sees it: to the store a code of a subscription's cycle that nobody paid is a failed
 * attempt, to its payer it is a code that has run out.
 */
export function payerStatus(charge: Pick<Charge, 'status' | 'failureReason'>): ChargeStatus {
  if (hasRunOut(charge)) return 'EXPIRED';
  return charge.failureReason === 'payment_cancelled' ? 'CANCELLED' : charge.status;
}
