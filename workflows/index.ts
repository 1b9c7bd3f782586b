/** Every workflow type that a worker of this service runs. */
export { announcer } from './announcer.ts';
export { auditor } from './auditor.ts';
export { charge } from './charge.ts';
export { checkout } from './checkout.ts';
export { debit } from './debit.ts';
export { payout } from './payout.ts';
export { reconciliation } from './reconciliation.ts';
export { retention } from './retention.ts';
export { settlement } from './settlement.ts';
export { storeClock } from './store-clock.ts';
export { subscription } from './subscription.ts';
export { webhookDelivery } from './webhook-delivery.ts';
export { webhookResend } from './webhook-resend.ts';
