import { type WebhookHandlerOptions, webhookHandler } from '@recebe/sdk';
import { APIError, createAuthEndpoint } from 'better-auth/api';
import type { Feature } from './feature.ts';

/**
 * Receives webhooks at `/api/auth/recebe/webhooks`: verifies them and calls your handlers. If a handler throws, the answer
 * is 500, and Recebe sends the delivery again.
 */
export function webhooks(options: WebhookHandlerOptions) {
  const handle = webhookHandler(options);
  return (() => ({
    recebeWebhooks: createAuthEndpoint(
      '/recebe/webhooks',
      // The signature is that of the bytes as they arrived.
      { method: 'POST', disableBody: true, metadata: { isAction: false } },
      async (ctx) => {
        if (ctx.request === undefined) throw new APIError('BAD_REQUEST', { message: 'Only over HTTP.' });
        return handle(ctx.request);
      },
    ),
  })) satisfies Feature;
}
