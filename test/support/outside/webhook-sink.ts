import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** One POST as it came in. */
export interface ReceivedWebhook {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** What was appended to the endpoint's address. */
  readonly query: string;
}

/**
 * What an endpoint answers to its n-th webhook (the first is 1): a status, or nothing until the promise
 * resolves.
 */
export type Script = (attempt: number, webhook: ReceivedWebhook) => number | Promise<number>;

export interface Endpoint {
  readonly url: string;
  /** Every webhook so far, oldest first. */
  readonly received: readonly ReceivedWebhook[];
  /** The highest number of requests in flight at once. */
  readonly mostAtOnce: number;
  /** Resolves as soon as the condition holds for what has been received. */
  waitFor(condition: (received: readonly ReceivedWebhook[]) => boolean): Promise<void>;
}

/** An integrator's server on loopback with any number of endpoints, each answering by its script. */
export interface WebhookSink extends AsyncDisposable {
  /** A new endpoint; without a script it takes everything. */
  endpoint(script?: Script): Endpoint;
}

/**
 * Far beyond what a busy machine needs, and within jest's own limit, so that a failure names what was
 * missing.
 */
const PATIENCE_MS = 60_000;

export async function startWebhookSink(): Promise<WebhookSink> {
  const endpoints = new Map<string, ScriptedEndpoint>();
  // It closes no idle connection: on a machine that stalls, the next webhook might be sent into one that is
  // being closed.
  const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    const [path = '', query = ''] = (request.url ?? '').split('?');
    const webhook = { headers: request.headers, body: await text(request), query };
    const endpoint = endpoints.get(path);
    if (endpoint === undefined) return answer(response, 404);
    const leave = endpoint.enter();
    // A sender that gives up closes the connection; the first of these events shows it.
    const ends = ['end', 'error', 'close'];
    for (const end of ends) request.socket.once(end, leave);
    const status = await endpoint.take(webhook);
    for (const end of ends) request.socket.off(end, leave);
    leave();
    answer(response, status);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint(script = () => 200) {
      const path = `/hooks/${endpoints.size + 1}`;
      const endpoint = new ScriptedEndpoint(`http://127.0.0.1:${port}${path}`, script);
      endpoints.set(path, endpoint);
      return endpoint;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(response: ServerResponse, status: number): void {
  response.writeHead(status, status >= 300 && status < 400 ? { location: '/elsewhere' } : {});
  response.end(`answer ${status}`);
}

interface Waiter {
  readonly isMet: () => boolean;
  readonly resolve: () => void;
}

class ScriptedEndpoint implements Endpoint {
  readonly url: string;
  readonly received: ReceivedWebhook[] = [];
  readonly #script: Script;
  #entered = 0;
  #mostAtOnce = 0;
  #waiters: Waiter[] = [];

  constructor(url: string, script: Script) {
    this.url = url;
    this.#script = script;
  }

  get mostAtOnce(): number {
    return this.#mostAtOnce;
  }

  /** @returns what to call when nobody waits for the answer any more; again it does nothing. */
  enter(): () => void {
    this.#entered += 1;
    this.#mostAtOnce = Math.max(this.#mostAtOnce, this.#entered);
    let hasLeft = false;
    return () => {
      if (!hasLeft) this.#entered -= 1;
      hasLeft = true;
    };
  }

  take(webhook: ReceivedWebhook): number | Promise<number> {
    const attempt = this.received.push(webhook);
    for (const waiter of this.#waiters) if (waiter.isMet()) waiter.resolve();
    this.#waiters = this.#waiters.filter((waiter) => !waiter.isMet());
    return this.#script(attempt, webhook);
  }

  waitFor(condition: (received: readonly ReceivedWebhook[]) => boolean): Promise<void> {
    const isMet = () => condition(this.received);
    if (isMet()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new Error(`${this.url}: still waiting after ${this.received.length} webhooks`));
      }, PATIENCE_MS);
      this.#waiters.push({
        isMet,
        resolve: () => {
          clearTimeout(timer);
          resolve();
        },
      });
    });
  }
}

/** The charges that webhooks came for, each once. */
export function notifiedChargesOf(received: readonly ReceivedWebhook[]): Set<string> {
  return new Set(received.map(({ body }) => JSON.parse(body).data.transparent.id));
}
