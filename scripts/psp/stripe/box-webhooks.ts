import { randomBytes } from 'node:crypto';
import Stripe from 'stripe';
import { request } from 'undici';
import { type Answer, errorOf, type Fields, type Json, listOf } from './localstripe-gaps.ts';

interface Endpoint {
  readonly id: string;
  readonly url: string;
  readonly secret: string;
}

/**
 * Webhook endpoints as Stripe's API has them. localstripe sends and signs the notifications of cards itself, under
 * `configure`; those of what the box adds are sent from here.
 */
export class BoxWebhooks {
  readonly #endpoints = new Map<string, Endpoint>();
  readonly #configure: (id: string, url: string, secret: string) => Promise<unknown>;

  constructor(configure: (id: string, url: string, secret: string) => Promise<unknown>) {
    this.#configure = configure;
  }

  get all(): readonly Endpoint[] {
    return [...this.#endpoints.values()];
  }

  /** Sends an event once to every endpoint, soon. Like Stripe, it does not wait for the answer. */
  send(type: string, object: Json): void {
    const id = `evt_${randomBytes(12).toString('hex')}`;
    const payload = JSON.stringify({ id, object: 'event', type, livemode: false, data: { object } });
    for (const { url, secret } of this.all) {
      const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret });
      const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
      request(url, { method: 'POST', headers, body: payload })
        .then(({ body }) => body.dump())
        .catch(() => undefined);
    }
  }

  /** A request of the API; null if it is about something else. */
  async answer(method: string, path: string, fields: Fields): Promise<Answer | null> {
    const [, , resource, id = ''] = path.split('/');
    if (resource !== 'webhook_endpoints') return null;
    if (method === 'GET') return listOf(this.all.map(({ secret: _secret, ...shown }) => shownOf(shown)));
    if (method === 'POST' && id === '') return this.#create(fields.url ?? '');
    const endpoint = this.#endpoints.get(id);
    if (endpoint === undefined) return { status: 404, body: errorOf('invalid_request_error') };
    if (method !== 'DELETE') return { status: 200, body: shownOf({ id, url: endpoint.url }) };
    this.#endpoints.delete(id);
    // localstripe keeps every endpoint, so this one is replaced by an address where nobody listens.
    await this.#configure(id, 'http://127.0.0.1:9/', endpoint.secret);
    return { status: 200, body: { id, object: 'webhook_endpoint', deleted: true } };
  }

  async #create(url: string): Promise<Answer> {
    const id = `we_${randomBytes(12).toString('hex')}`;
    const secret = `whsec_${randomBytes(24).toString('hex')}`;
    await this.#configure(id, url, secret);
    this.#endpoints.set(id, { id, url, secret });
    return { status: 200, body: { ...shownOf({ id, url }), secret } };
  }
}

function shownOf({ id, url }: { readonly id: string; readonly url: string }): Json {
  return { id, object: 'webhook_endpoint', url, status: 'enabled', livemode: false };
}
