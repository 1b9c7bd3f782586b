import { randomBytes } from 'node:crypto';
import Stripe from 'stripe';
import { request } from 'undici';
import type { Faults } from '../box-faults.ts';
import { type Answer, errorOf, type Fields, type Json, listOf } from './localstripe-gaps.ts';

interface Endpoint {
  readonly id: string;
  readonly url: string;
  readonly secret: string;
}

/** Where localstripe posts the notifications of an endpoint. */
export const FORWARDED = '/notifications-of-localstripe/';

/**
 * Webhook endpoints as Stripe's API has them. localstripe signs the notifications of cards and posts them to the box, under
 * `configure`; the box forwards them, and signs those of what it adds.
 */
export class BoxWebhooks {
  readonly #endpoints = new Map<string, Endpoint>();
  readonly #faults: Faults;
  readonly #configure: (id: string, secret: string) => Promise<unknown>;
  #held: (() => void) | null = null;

  /** @param faults whose rules on `webhook` lose, repeat and reorder notifications. */
  constructor(faults: Faults, configure: (id: string, secret: string) => Promise<unknown>) {
    this.#faults = faults;
    this.#configure = configure;
  }

  get all(): readonly Endpoint[] {
    return [...this.#endpoints.values()];
  }

  /** Sends an event once to every endpoint, soon. Like Stripe, it does not wait for the answer. */
  send(type: string, object: Json): void {
    const id = `evt_${randomBytes(12).toString('hex')}`;
    const payload = JSON.stringify({ id, object: 'event', type, livemode: false, data: { object } });
    for (const { url, secret } of this.all)
      this.#post(url, payload, Stripe.webhooks.generateTestHeaderString({ payload, secret }));
  }

  /** Passes a notification of localstripe on. @returns whether the path is one of those. */
  forward(path: string, payload: string, signature: string | string[] | undefined): boolean {
    if (!path.startsWith(FORWARDED)) return false;
    const endpoint = this.#endpoints.get(path.slice(FORWARDED.length));
    if (endpoint !== undefined && typeof signature === 'string') this.#post(endpoint.url, payload, signature);
    return true;
  }

  #post(url: string, payload: string, signature: string): void {
    const fault = this.#faults.take('webhook', ['LOSE_WEBHOOKS', 'REPEAT_WEBHOOKS', 'REORDER_WEBHOOKS']);
    if (fault?.kind === 'LOSE_WEBHOOKS') return;
    const copies = fault?.kind === 'REPEAT_WEBHOOKS' ? fault.copies : 1;
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
    const post = () => {
      for (let copy = 0; copy < copies; copy += 1)
        request(url, { method: 'POST', headers, body: payload })
          .then(({ body }) => body.dump())
          .catch(() => undefined);
    };
    const held = this.#held;
    this.#held = fault?.kind === 'REORDER_WEBHOOKS' ? post : null;
    if (this.#held === null) post();
    held?.();
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
    return { status: 200, body: { id, object: 'webhook_endpoint', deleted: true } };
  }

  async #create(url: string): Promise<Answer> {
    const id = `we_${randomBytes(12).toString('hex')}`;
    const secret = `whsec_${randomBytes(24).toString('hex')}`;
    await this.#configure(id, secret);
    this.#endpoints.set(id, { id, url, secret });
    return { status: 200, body: { ...shownOf({ id, url }), secret } };
  }
}

function shownOf({ id, url }: { readonly id: string; readonly url: string }): Json {
  return { id, object: 'webhook_endpoint', url, status: 'enabled', livemode: false };
}
