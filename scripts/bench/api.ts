import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import type { StoreId } from '../../src/domain/ids.ts';
import { LARGEST_METADATA } from './largest-body.ts';

/** Connections to the API; the load generator never has more requests in flight. */
export const CONNECTIONS = 64;

/** What an integrator sends: the README's first charge. */
export const PIX_CHARGE = JSON.stringify({
  method: 'PIX',
  data: { amount: 2500, description: 'Pedido 1042' },
});

/** The calls of an integrator, over HTTP. Each throws for an error that its description does not name. */
export class Api {
  readonly #apiUrl: string;
  readonly #pool: Pool;
  readonly #headers: Record<string, string>;

  constructor(apiUrl: string, key: string) {
    this.#apiUrl = apiUrl;
    this.#pool = new Pool(apiUrl, { connections: CONNECTIONS, pipelining: 1 });
    this.#headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  }

  /** @returns the charge's id. */
  async createCharge(idempotencyKey?: string): Promise<string> {
    const path = '/v2/transparents/create';
    const { statusCode, text } = await this.#send(path, PIX_CHARGE, idempotencyKey);
    return dataOf<{ id: string }>(path, statusCode, text).id;
  }

  /** @returns false if it is not done yet: the service could not wait (503), or still works on it (409). */
  async cancelCharge(chargeId: string, idempotencyKey: string): Promise<boolean> {
    const path = '/v2/transparents/cancel';
    const { statusCode, text } = await this.#send(path, JSON.stringify({ id: chargeId }), idempotencyKey);
    if (statusCode === 503 || statusCode === 409) return false;
    const { status } = dataOf<{ status: string }>(path, statusCode, text);
    if (status !== 'CANCELLED') throw new Error(`${chargeId} is ${status} after it was cancelled`);
    return true;
  }

  /**
   * @returns false where the service answered 503: it was too busy to wait, and takes the payment in behind
   *   the answer.
   */
  async simulatePayment(chargeId: string): Promise<boolean> {
    const path = `/v2/transparents/simulate-payment?id=${chargeId}`;
    const { statusCode, text } = await this.#send(path, '{}');
    if (statusCode === 503) return false;
    const { status } = dataOf<{ status: string }>(path, statusCode, text);
    if (status !== 'PAID') throw new Error(`${chargeId} is ${status} after its payment`);
    return true;
  }

  /** @returns the product's id. */
  async createProduct(cycle: 'WEEKLY' | 'MONTHLY' | null = null): Promise<string> {
    const product = {
      externalId: `bench-${randomUUID()}`,
      name: 'Curso',
      price: 4900,
      currency: 'BRL',
      cycle,
    };
    return (await this.#post<{ id: string }>('/v2/products/create', JSON.stringify(product))).id;
  }

  /** @returns the checkout's id. */
  async createCheckout(productId: string): Promise<string> {
    const checkout = { items: [{ id: productId, quantity: 2 }], card: { maxInstallments: 3 } };
    return (await this.#post<{ id: string }>('/v2/checkouts/create', JSON.stringify(checkout))).id;
  }

  /** @returns false if the service answered 503. The payment is then decided after the answer. */
  async payByCard(checkoutId: string): Promise<boolean> {
    const path = '/v2/checkouts/simulate-payment';
    const { statusCode, text } = await this.#send(path, JSON.stringify({ id: checkoutId, method: 'CARD' }));
    if (statusCode === 503) return false;
    const { status } = dataOf<{ status: string }>(path, statusCode, text);
    if (status !== 'PAID') throw new Error(`${checkoutId} is ${status} after its payment`);
    return true;
  }

  /** Has a payer begin a subscription. @returns its id. */
  async subscribePayer(productId: string, card?: { number: string; expiry: string }): Promise<string> {
    const subscription = JSON.stringify({ items: [{ id: productId, quantity: 1 }] });
    const { id } = await this.#post<{ id: string }>('/v2/subscriptions/create', subscription);
    const payment = JSON.stringify({ id, ...(card && { card }) });
    const paid = await this.#post<{ subscriptionId: string }>('/v2/checkouts/simulate-payment', payment);
    return paid.subscriptionId;
  }

  async changePlan(subscriptionId: string, productId: string): Promise<void> {
    const change = JSON.stringify({ id: subscriptionId, productId, quantity: 1 });
    await this.#post('/v2/subscriptions/change-plan', change);
  }

  /** Starts to advance the clock of the store. @param by such as `P1Y`. */
  async advanceClock(by: string): Promise<void> {
    await this.#post('/v2/dev/clock/advance', JSON.stringify({ by }));
  }

  /** @param email of a customer with the largest metadata. */
  async createCustomer(email: string): Promise<void> {
    await this.#post('/v2/customers/create', JSON.stringify({ email, metadata: LARGEST_METADATA }));
  }

  /** Whether all work that was due up to the target of the clock has ended. */
  async isClockReady(): Promise<boolean> {
    return (await this.#get<{ status: string }>('/v2/dev/clock')).status === 'ready';
  }

  /**
   * Opens the hosted page as a payer's browser does.
   * @param headers such as the address that a proxy names.
   */
  async openPage(checkoutId: string, headers: Readonly<Record<string, string>> = {}): Promise<void> {
    const answer = await this.#pool.request({ path: `/pay/${checkoutId}`, method: 'GET', headers });
    const text = await answer.body.text();
    if (answer.statusCode !== 200)
      throw new Error(`/pay/${checkoutId} answers ${answer.statusCode}: ${text}`);
  }

  /** The store of the key, with its balance. */
  getStore(): Promise<{ readonly id: StoreId }> {
    return this.#get('/v2/store/get');
  }

  /** The id of the newest object of a list; undefined if there is none. */
  async firstId(list: string): Promise<string | undefined> {
    return (await this.list<{ readonly id?: string }>(`${list}?limit=1`))[0]?.id;
  }

  /** The headers of every request. */
  get headers(): Readonly<Record<string, string>> {
    return this.#headers;
  }

  /** A page of a list. */
  list<Item>(path: string): Promise<readonly Item[]> {
    return this.#get(path);
  }

  /** The same API with another key. */
  as(key: string): Api {
    return new Api(this.#apiUrl, key);
  }

  async unsubscribe(id: string): Promise<void> {
    await this.#post('/v2/webhooks/delete', JSON.stringify({ id }));
  }

  /** @returns the webhook's id. */
  async subscribe(endpoint: string): Promise<string> {
    const webhook = {
      name: 'Bench',
      endpoint,
      secret: 'only-for-this-bench',
      events: ['transparent.completed', 'checkout.completed', 'subscription.renewed'],
    };
    return (await this.#post<{ id: string }>('/v2/webhooks/create', JSON.stringify(webhook))).id;
  }

  async #get<Data>(path: string): Promise<Data> {
    const answer = await this.#pool.request({ path, method: 'GET', headers: this.#headers });
    return dataOf<Data>(path, answer.statusCode, await answer.body.text());
  }

  async #post<Data>(path: string, body: string): Promise<Data> {
    const { statusCode, text } = await this.#send(path, body);
    return dataOf<Data>(path, statusCode, text);
  }

  async #send(path: string, body: string, idempotencyKey?: string) {
    const headers =
      idempotencyKey === undefined ? this.#headers : { ...this.#headers, 'idempotency-key': idempotencyKey };
    const answer = await this.#pool.request({ path, method: 'POST', headers, body });
    return { statusCode: answer.statusCode, text: await answer.body.text() };
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }
}

function dataOf<Data>(path: string, statusCode: number, text: string): Data {
  if (statusCode !== 200) throw new Error(`${path} answers ${statusCode}: ${text}`);
  return JSON.parse(text).data;
}
