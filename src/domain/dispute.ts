/** The payer's bank or card network questions a payment, and decides in the end for the store (WON) or the payer (LOST). */
export const DISPUTE_STATUSES = ['OPEN', 'WON', 'LOST'] as const;
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];
