import type { Charge } from '../../database/entities/charge.ts';
import { saoPauloDateOf } from '../../domain/civil-date.ts';
import { leastAcceptedCents } from '../../domain/fine-and-interest.ts';
import type { ProviderPayment } from '../../providers/ports/payment.ts';
import { METHODS } from '../methods/index.ts';

/** Whether a payment was made before its charge's deadline and covers what was due that day (contract section 4). */
export function isInTimeAndEnough(charge: Charge, { paidAt, amountCents }: ProviderPayment): boolean {
  // Recebe charges a card at once: it has no deadline that a payer could miss.
  if (METHODS[charge.method].decidedBy !== 'ISSUER' && paidAt >= charge.closesAt) return false;
  return amountCents >= leastAcceptedCents(charge, saoPauloDateOf(paidAt));
}
