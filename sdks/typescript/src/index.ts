export {
  ApiError,
  ConnectionError,
  type ErrorCode,
  type Issue,
  RecebeError,
  TimeoutError,
  WebhookVerificationError,
} from './errors.ts';
export type * from './generated/resources.ts';
export type { RecebeOptions, RequestOptions } from './http-client.ts';
export { type Page, Pages } from './pages.ts';
export { Recebe } from './recebe.ts';
export { type ProductOrder, startCheckout } from './start-checkout.ts';
export { type DeliveryHeaders, verifyWebhook } from './verify-webhook.ts';
export { type EventHandlers, type WebhookHandlerOptions, webhookHandler } from './webhook-handler.ts';
