import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { standardWebhooksSecret } from '../../src/webhooks/signature.ts';
import { Chance } from '../../test/support/chance.ts';

/** `erratic` endpoints recover when the faults stop. A dead one never answers. */
export type Manner = 'steady' | 'slow' | 'erratic' | 'dead';

/** One event as an endpoint received it. */
export interface ReceivedDelivery {
  readonly deliveryId: string;
  readonly event: string;
  readonly body: string;
  readonly data: Record<string, unknown>;
  /** How often it was received, and how often that was answered with a 2xx. */
  times: number;
  taken: number;
}

/** An integrator's endpoint and everything that it received. */
export class Endpoint {
  readonly manner: Manner;
  readonly storeId: string;
  readonly secret: string;
  readonly url: string;
  readonly deliveries = new Map<string, ReceivedDelivery>();
  /** Errors in received webhooks. */
  readonly wrong: string[] = [];

  constructor(manner: Manner, storeId: string, url: string) {
    this.manner = manner;
    this.storeId = storeId;
    this.secret = `the secret of ${url}`;
    this.url = url;
  }

  receive(body: string, headers: IncomingHttpHeaders): ReceivedDelivery {
    const { id, event, data } = JSON.parse(body);
    const delivery = this.deliveries.get(id) ?? { deliveryId: id, event, body, data, times: 0, taken: 0 };
    this.deliveries.set(id, delivery);
    delivery.times += 1;
    if (delivery.body !== body) this.wrong.push(`${id} was received with two bodies`);
    if (headers['webhook-id'] !== id) this.wrong.push(`${id} came as ${headers['webhook-id']}`);
    if (!this.#isGenuine(body, headers)) this.wrong.push(`${id} has a wrong signature`);
    return delivery;
  }

  #isGenuine(body: string, headers: IncomingHttpHeaders): boolean {
    try {
      new Webhook(standardWebhooksSecret(this.secret)).verify(body, headers as Record<string, string>);
    } catch {
      return false;
    }
    return createHmac('sha256', this.secret).update(body).digest('base64') === headers['x-webhook-signature'];
  }
}

/** Longer than the 30 seconds that an endpoint has. */
const HANG_MS = 40_000;

/** The endpoints of all stores, on one port of loopback. */
export class Endpoints implements AsyncDisposable {
  readonly all: Endpoint[] = [];
  readonly #server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    void this.#serve(request, response).catch(() => response.destroy());
  });
  readonly #chance: Chance;
  readonly #cleared = new AbortController();

  private constructor(seed: number) {
    this.#chance = new Chance(seed, 1_000);
  }

  static async start(seed: number): Promise<Endpoints> {
    const endpoints = new Endpoints(seed);
    await new Promise<void>((resolve) => endpoints.#server.listen(0, '127.0.0.1', resolve));
    return endpoints;
  }

  add(manner: Manner, storeId: string): Endpoint {
    const { port } = this.#server.address() as AddressInfo;
    const endpoint = new Endpoint(manner, storeId, `http://127.0.0.1:${port}/${this.all.length}`);
    this.all.push(endpoint);
    return endpoint;
  }

  /** Makes every endpoint answer from now on, except the dead ones. */
  mend(): void {
    this.#cleared.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.mend();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const endpoint = this.all[Number(request.url?.slice(1))];
    if (endpoint === undefined) return void response.writeHead(404).end();
    const delivery = endpoint.receive(await text(request), request.headers);
    const status = await this.#answerOf(endpoint.manner);
    if (status === 'reset') return void request.socket.resetAndDestroy();
    if (status === 'none' || request.socket.destroyed) return;
    if (status === 200) delivery.taken += 1;
    response.writeHead(status).end('ok');
  }

  async #answerOf(manner: Manner): Promise<number | 'reset' | 'none'> {
    if (manner === 'dead') return 'none';
    if (manner === 'steady' || this.#cleared.signal.aborted) return 200;
    if (manner === 'slow') return this.#after(this.#chance.between(200, 4_000), 200);
    const how = this.#chance.weighted({ right: 10, error: 4, reset: 3, slow: 2, hang: 1 });
    if (how === 'hang') return this.#after(HANG_MS, 200);
    if (how === 'slow') return this.#after(this.#chance.between(1_000, 15_000), 200);
    if (how === 'reset') return 'reset';
    return how === 'error' ? this.#chance.oneOf([500, 502, 404]) : 200;
  }

  async #after(ms: number, status: number): Promise<number> {
    await sleep(ms, undefined, { signal: this.#cleared.signal }).catch(() => undefined);
    return status;
  }
}
