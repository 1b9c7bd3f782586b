import { type WebhookHandlerOptions, webhookHandler } from '@recebe/sdk';
import type { NextRequest } from 'next/server.js';

/** What a webhook route does. */
export interface WebhooksOptions extends Omit<WebhookHandlerOptions, 'secret'> {
  /** Default: the environment variable `RECEBE_WEBHOOK_SECRET`. */
  readonly secret?: WebhookHandlerOptions['secret'];
}

/**
 * Makes a route that verifies deliveries of webhooks and calls your handlers. Export it as `POST`. If a handler throws,
 * Next.js answers 500, and Recebe sends the delivery again.
 */
export function Webhooks(options: WebhooksOptions): (request: NextRequest) => Promise<Response> {
  return (request) =>
    webhookHandler({ ...options, secret: options.secret ?? process.env.RECEBE_WEBHOOK_SECRET })(request);
}
