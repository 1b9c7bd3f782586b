import { addBusinessDays } from './business-days.ts';
import type { ChargeMethod } from './charge.ts';
import { addDays, saoPauloDateOf, saoPauloMidnight } from './civil-date.ts';

/** What card networks take in Brazil from payment to settlement (contract section 4, "Settlement"). */
const CARD_SETTLEMENT_DAYS = 30;

/**
 * When the store may use what was paid: PIX at once, a boleto's money as the next business day begins in São Paulo, a card's
 * as the thirtieth day after the payment begins (contract section 4). Whole days, so that all payments of a store that
 * settle on one day are settled together.
 */
export function settlesAtOf(method: ChargeMethod, paidAt: Date): Date {
  if (method === 'BOLETO') return saoPauloMidnight(addBusinessDays(saoPauloDateOf(paidAt), 1));
  if (method === 'CARD') return saoPauloMidnight(addDays(saoPauloDateOf(paidAt), CARD_SETTLEMENT_DAYS));
  return paidAt;
}
