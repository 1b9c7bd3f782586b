import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Fault, Faults } from '../box-faults.ts';
import { passesAfter, passesBefore } from '../box-strikes.ts';
import { closed, listening } from '../local-server.ts';
import { answerTo } from './api.ts';
import { Books } from './books.ts';
import { servePayerPage } from './payer-page.ts';
import { WebhookQueue } from './webhook-queue.ts';

export const API_KEY = '$aact_hmlg_box';

/** A request as the box received it. */
export interface SeenRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Asaas (API v3) on this machine: one account with play money, its payers, and a fault plan. */
export class AsaasBox {
  readonly faults: Faults;
  readonly queue: WebhookQueue;
  readonly books: Books;
  /** Every request, oldest first. */
  readonly seen: SeenRequest[] = [];
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  constructor({ seed = 1 }: { readonly seed?: number } = {}) {
    this.faults = new Faults(seed);
    this.queue = new WebhookQueue(this.faults);
    this.books = new Books((event) => this.queue.notify(event));
  }

  async open(port = 0): Promise<this> {
    await listening(this.#server, port);
    this.books.pagesUrl = this.url;
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    await Promise.all([this.queue.close(), closed(this.#server)]);
  }

  /** The next request of this kind, such as `POST /v3/payments`, meets the fault. */
  breakNext(on: string, fault: Fault): void {
    this.faults.order({ on, fault, times: 1 });
  }

  /** The bodies of requests such as `POST /v3/payments`. */
  bodiesOf(line: string): readonly SeenRequest['body'][] {
    return this.seen.filter(({ method, path }) => `${method} ${path}` === line).map(({ body }) => body);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '' } = request;
    const url = new URL(path, 'http://asaas');
    const sent = await text(request);
    if (!url.pathname.startsWith('/v3/')) return this.#servePayer(response, method, url.pathname, sent);
    const body = parsed(sent);
    this.seen.push({ method, path, body });
    const on = `${method} ${url.pathname}`;
    if (!(await passesBefore(this.faults, on, request, response))) return;
    const lag = method === 'GET' ? this.faults.take(on, ['LISTINGS_LAG']) : null;
    const [status, reply] =
      request.headers.access_token === API_KEY
        ? answerTo(this.books, this.queue, { method, url, body, lagMs: (lag?.seconds ?? 0) * 1_000 })
        : [401, UNKNOWN_KEY];
    if (passesAfter(this.faults, on, request)) answer(response, status, reply);
  }

  #servePayer(response: ServerResponse, method: string, path: string, sent: string): void {
    const served = servePayerPage(this.books, method, path, new URLSearchParams(sent));
    const { status, html, location } = served ?? {
      status: 404,
      html: 'There is no such page.',
      location: null,
    };
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...(location && { location }) });
    response.end(html);
  }
}

const UNKNOWN_KEY = {
  errors: [{ code: 'invalid_access_token', description: 'A chave de API fornecida é inválida' }],
};

function parsed(sent: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(sent));
  } catch {
    return {};
  }
}

function answer(response: ServerResponse, status: number, reply: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(reply === null ? '' : JSON.stringify(reply));
}
