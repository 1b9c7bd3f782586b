import { PAYMENT_METHODS } from './charge.ts';

/** What a payment rail is used for: to be paid in one way, or to send money. */
export const PROVIDER_USES = [...PAYMENT_METHODS, 'PAYOUT'] as const;
export type ProviderUse = (typeof PROVIDER_USES)[number];
