import type { Charge } from '../../database/entities/charge.ts';
import type { ProviderPayment } from '../../providers/ports/payment.ts';
import { METHODS } from './index.ts';

/**
 * When a payment becomes available to the store: as its provider says, or else as is usual for the method (contract section 4,
 * "Settlement"). Money is never available before its provider has it.
 */
export function settlesAtOf(
  { method }: Pick<Charge, 'method'>,
  payment: Pick<ProviderPayment, 'settlesAt'> | null,
  paidAt: Date,
): Date {
  return payment?.settlesAt ?? METHODS[method].settlesAt(paidAt);
}
