import { Resources, WebhooksResource } from './generated/resources.ts';
import { HttpClient, type RecebeOptions } from './http-client.ts';
import { verifyWebhook } from './verify-webhook.ts';

/** Webhooks, and what receives their deliveries. */
export class VerifiedWebhooks extends WebhooksResource {
  /** {@inheritDoc verifyWebhook} */
  readonly verify = verifyWebhook;
}

/**
 * The API of a Recebe service.
 *
 * @example
 * const recebe = new Recebe({ apiKey: process.env.RECEBE_KEY, baseUrl: 'https://pay.example.com' });
 * const charge = await recebe.transparents.create({ method: 'PIX', data: { amount: 2500 } });
 */
export class Recebe extends Resources {
  override readonly webhooks: VerifiedWebhooks;

  constructor(options: RecebeOptions) {
    const http = new HttpClient(options);
    super(http);
    this.webhooks = new VerifiedWebhooks(http);
  }
}
