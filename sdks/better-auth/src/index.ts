export { type CheckoutOptions, checkout } from './checkout.ts';
export type { CustomerParams, RecebeUser } from './customers.ts';
export type { Feature } from './feature.ts';
export { portal } from './portal.ts';
export { type RecebePluginOptions, recebe } from './recebe.ts';
export { webhooks } from './webhooks.ts';
