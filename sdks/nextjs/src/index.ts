export { Checkout, type CheckoutOptions } from './checkout.ts';
export type { RecebeSource } from './client.ts';
export { CustomerPortal, type CustomerPortalOptions } from './customer-portal.ts';
export { Webhooks, type WebhooksOptions } from './webhooks.ts';
