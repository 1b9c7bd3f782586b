import type { Charge } from '../database/entities/charge.ts';

/** Where a bank sends the payer of a card back: what the address says is no proof. */
export function confirmedPathOf({ id, checkoutId }: Pick<Charge, 'id' | 'checkoutId'>): string {
  return checkoutId === null ? `/card/${id}/confirmed` : `/pay/${checkoutId}/${id}/confirmed`;
}
