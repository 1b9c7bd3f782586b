import { PAYMENT_METHODS } from './charge.ts';

/** The uses of a provider account: one per payment method, and sending money. */
export const PROVIDER_USES = [...PAYMENT_METHODS, 'PAYOUT'] as const;
export type ProviderUse = (typeof PROVIDER_USES)[number];
