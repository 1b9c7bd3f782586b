import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import { Faults } from '../box-faults.ts';
import { passesAfter, passesBefore } from '../box-strikes.ts';
import { closed, listening } from '../local-server.ts';

export type Json = Record<string, unknown>;
export type Fields = Readonly<Partial<Record<string, string>>>;
export interface Answer {
  readonly status: number;
  readonly body: Json;
}
/** An extension of this server. It returns null to leave a request to the server. */
export interface Beyond {
  /** A request of the API. */
  answer(method: string, path: string, fields: Fields): Promise<Answer | null> | Answer | null;
  /** A page for a browser. */
  page(
    method: string,
    url: URL,
    body: string,
    headers: IncomingHttpHeaders,
  ): Promise<{
    readonly status: number;
    readonly headers: Record<string, string>;
    readonly text: string;
  } | null>;
}
/** The fault of an answer. */
export type Fault = 'CUT_AFTER_EFFECT' | 'DELAY' | 429 | 503;

/** Parameters of Stripe that localstripe refuses as unexpected. */
const UNKNOWN_THERE = [
  'expand',
  'return_url',
  'setup_future_usage',
  'allowed_payment_method_types',
  'cancellation_reason',
];
/** How long an adapter must wait at most to notice a DELAY. */
export const ADAPTER_WAITS_MS = 1_200;
/** Stripe's test card that its bank confirms once: later charges without the payer need no confirmation. */
const CONFIRMED_ONCE = '3155';
/** Longer than {@link ADAPTER_WAITS_MS}. */
const DELAY_MS = 1_500;
const AUTHORIZED = { authorization: 'Bearer sk_test_12345' };

/**
 * Stands before localstripe and adds what Stripe has and localstripe lacks: idempotency keys, the search and lists by
 * time, saving a card with its payment, the intent in a card error, 3-D Secure by redirect. It also injects faults.
 */
export class LocalstripeGaps {
  readonly #target: string;
  readonly #stored = new Map<string, { readonly asked: string; readonly answer: Promise<Answer> }>();
  readonly #server = createServer((incoming, outgoing) => void this.#serve(incoming, outgoing));
  readonly boletos = new Map<string, Json>();
  /** Charges of paid boletos. */
  readonly boletoCharges = new Map<string, Json>();
  /** The ids of charges that were disputed. */
  readonly disputed = new Set<string>();
  /** Why intents were cancelled, by their ids. */
  readonly #reasons = new Map<string, string>();
  /** Payment methods whose payer has confirmed that they are stored. */
  readonly #confirmed = new Set<string>();
  /** Where a payer goes after 3-D Secure, by the intent's id. */
  readonly returnUrls = new Map<string, string>();
  beyond: Beyond = { answer: () => null, page: async () => null };
  /** Faults that rules order. */
  readonly faults = new Faults();
  /** By method, path and idempotency key, which is empty if a request has none. */
  fault: (method: string, path: string, key: string) => Fault | null = () => null;

  constructor(target: string) {
    this.#target = target;
  }

  open(port = 0): Promise<void> {
    return listening(this.#server, port);
  }

  close(): Promise<void> {
    return closed(this.#server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The request itself, past this server. */
  async ask(method: 'GET' | 'POST' | 'DELETE', path: string, fields: Fields = {}): Promise<Answer> {
    const sent = new URLSearchParams(fields as Record<string, string>).toString();
    const answered = await request(
      `${this.#target}${path}${method === 'GET' && sent !== '' ? `?${sent}` : ''}`,
      {
        method,
        headers: { ...AUTHORIZED, 'content-type': 'application/x-www-form-urlencoded' },
        ...(method === 'POST' && { body: sent }),
      },
    );
    return { status: answered.statusCode, body: (await answered.body.json().catch(() => ({}))) as Json };
  }

  /** All intents whose metadata names this reference. */
  async intentsOf(reference: string): Promise<Json[]> {
    const all = await this.all('/v1/payment_intents');
    return [...all, ...this.boletos.values()].filter(
      ({ metadata }) => (metadata as Json).recebe_reference === reference,
    );
  }

  /** The payer has confirmed the card at its bank while it was stored. */
  async confirmStored(method: string): Promise<void> {
    const { card } = (await this.ask('GET', `/v1/payment_methods/${method}`)).body;
    if (Object(card).last4 === CONFIRMED_ONCE) this.#confirmed.add(method);
  }

  /** The payer answers their bank about a payment. */
  async authenticate(id: string, isConfirmed: boolean): Promise<Answer> {
    const { client_secret: secret } = (await this.ask('GET', `/v1/payment_intents/${id}`)).body;
    return this.ask('POST', `/v1/payment_intents/${id}/_authenticate?success=${isConfirmed}`, {
      client_secret: String(secret),
    });
  }

  async #serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = '', headers } = incoming;
    const url = new URL(incoming.url ?? '', 'http://stripe');
    const { pathname, searchParams } = url;
    const body = await text(incoming);
    const page = await this.beyond.page(method, url, body, headers);
    if (page !== null) return void outgoing.writeHead(page.status, page.headers).end(page.text);
    const on = `${method} ${pathname}`;
    if (!(await passesBefore(this.faults, on, incoming, outgoing))) return;
    const sent = new URLSearchParams(body);
    const key = String(headers['idempotency-key'] ?? '');
    const fault = this.fault(method, pathname, key);
    if (fault === 429 || fault === 503)
      return void reply(outgoing, { status: fault, body: errorOf('api_error') });
    const execute = () => this.#execute(method, pathname, Object.fromEntries([...searchParams, ...sent]));
    const answer = await (key === '' ? execute() : this.#once(key, `${pathname}?${sent}`, execute));
    if (fault === 'CUT_AFTER_EFFECT') return void outgoing.destroy();
    if (fault === 'DELAY') await delay(DELAY_MS);
    if (passesAfter(this.faults, on, incoming)) reply(outgoing, answer);
  }

  #once(key: string, asked: string, execute: () => Promise<Answer>): Promise<Answer> {
    const stored = this.#stored.get(key) ?? { asked, answer: execute() };
    this.#stored.set(key, stored);
    if (stored.asked === asked) return stored.answer;
    return Promise.resolve({ status: 400, body: errorOf('idempotency_error') });
  }

  async #execute(method: string, path: string, fields: Fields): Promise<Answer> {
    const added = await this.beyond.answer(method, path, fields);
    if (added !== null) return added;
    if (path === '/v1/payment_intents/search') {
      const [, reference = ''] = /:'(\w+)'$/.exec(fields.query ?? '') ?? [];
      return listOf(await this.intentsOf(reference));
    }
    if (method === 'GET' && (path === '/v1/payment_intents' || path === '/v1/charges')) {
      const all = [...(path === '/v1/charges' ? this.boletoCharges.values() : []), ...(await this.all(path))];
      const within = createdWithin(all, fields);
      return listOf(
        path === '/v1/charges' ? await Promise.all(within.map((each) => this.#withIntent(each))) : within,
      );
    }
    const known = Object.entries(fields).filter(
      ([name]) => !UNKNOWN_THERE.some((each) => name.startsWith(each)),
    );
    const [, , resource, id = ''] = path.split('/');
    if (fields.cancellation_reason !== undefined) this.#reasons.set(id, fields.cancellation_reason);
    const boleto = resource === 'payment_intents' ? this.boletos.get(id) : this.boletoCharges.get(id);
    // Stripe cancels no boleto before it expires.
    if (boleto !== undefined)
      return method === 'GET'
        ? { status: 200, body: boleto }
        : { status: 400, body: errorOf('invalid_request_error') };
    if (this.boletoCharges.has(fields.charge ?? '') || this.boletos.has(fields.payment_intent ?? ''))
      return method === 'GET' ? listOf([]) : { status: 400, body: errorOf('invalid_request_error') };
    if (fields['payment_method_data[type]'] === 'boleto') return this.#createBoleto(fields);
    if (method === 'POST' && path === '/v1/payment_intents')
      return this.#create(fields, Object.fromEntries(known));
    if (method === 'GET' && /^\/v1\/payment_intents\/\w+$/.test(path))
      return this.#shown(await this.ask('GET', path));
    if (method === 'DELETE') return this.ask('DELETE', path);
    const answer = cardError(
      await this.ask(method === 'GET' ? 'GET' : 'POST', path, Object.fromEntries(known)),
    );
    return answer.status === 200 && path.endsWith('/cancel') ? this.#shown(answer) : answer;
  }

  async #create(fields: Fields, known: Fields): Promise<Answer> {
    if (fields.setup_future_usage !== undefined) {
      const { customer = '', payment_method: method } = fields;
      const attached = await this.ask('POST', `/v1/payment_methods/${method}/attach`, { customer });
      if (attached.status !== 200) return cardError(attached);
    }
    const made = await this.ask('POST', '/v1/payment_intents', known);
    // localstripe asks for a confirmation of each charge, also of those without the payer.
    if (made.body.status === 'requires_action' && this.#isConfirmed(fields))
      return this.#shown(await this.authenticate(String(made.body.id), true));
    if (made.status === 200) {
      if (fields.return_url !== undefined) this.returnUrls.set(String(made.body.id), fields.return_url);
      return this.#shown(made);
    }
    const [intent] = await this.intentsOf(fields['metadata[recebe_reference]'] ?? '');
    return cardError(made, intent);
  }

  #isConfirmed({ off_session: offSession, payment_method: method = '' }: Fields): boolean {
    return offSession === 'true' && this.#confirmed.has(method);
  }

  /** localstripe has no boletos: the shape is that of Stripe's OpenAPI document. */
  #createBoleto(fields: Fields): Answer {
    const id = `pi_boleto_${this.boletos.size}`;
    const voucher = `https://payments.stripe.com/boleto/voucher/${id}`;
    const body = {
      id,
      object: 'payment_intent',
      amount: Number(fields.amount),
      currency: 'brl',
      created: Math.floor(Date.now() / 1_000),
      livemode: false,
      status: 'requires_action',
      latest_charge: null,
      last_payment_error: null,
      metadata: { recebe_reference: fields['metadata[recebe_reference]'] },
      next_action: {
        type: 'boleto_display_details',
        boleto_display_details: {
          number: '01010101010101010101010101010101010101010101010',
          expires_at: Math.floor(Date.now() / 1_000) + 3 * 86_400,
          hosted_voucher_url: voucher,
          pdf: `${voucher}/pdf`,
        },
      },
    };
    this.boletos.set(id, body);
    return { status: 200, body };
  }

  /** An intent as the pinned version of Stripe shows it. */
  async #shown({ status, body }: Answer): Promise<Answer> {
    const reason = this.#reasons.get(String(body.id)) ?? null;
    const action = body.next_action;
    if (action === null || action === undefined)
      return { status, body: { ...body, cancellation_reason: reason } };
    const url = `${this.url}/3ds/${String(body.id)}`;
    return { status, body: { ...body, next_action: { type: 'redirect_to_url', redirect_to_url: { url } } } };
  }

  async #withIntent(charge: Json): Promise<Json> {
    const { id, payment_intent: intent } = charge;
    if (typeof intent !== 'string') return charge;
    return {
      ...charge,
      disputed: this.disputed.has(String(id)),
      payment_intent:
        this.boletos.get(intent) ?? (await this.ask('GET', `/v1/payment_intents/${intent}`)).body,
    };
  }

  /** All objects of a list at localstripe. */
  async all(path: string): Promise<Json[]> {
    const items: Json[] = [];
    for (;;) {
      const after = items.at(-1)?.id;
      const { body } = await this.ask('GET', path, {
        limit: '100',
        ...(typeof after === 'string' && { starting_after: after }),
      });
      items.push(...((body.data ?? []) as Json[]));
      if (body.has_more !== true) return items;
    }
  }
}

function cardError({ status, body }: Answer, intent?: Json): Answer {
  if (status !== 402) return { status, body };
  const error = {
    ...(body.error as Json),
    type: 'card_error',
    ...(intent !== undefined && { payment_intent: intent }),
  };
  return { status, body: { error } };
}

/** The objects within the time range of a list. */
export function createdWithin(all: readonly Json[], fields: Fields): Json[] {
  const [from, until] = [Number(fields['created[gte]'] ?? 0), Number(fields['created[lt]'] ?? Infinity)];
  return all.filter(({ created }) => Number(created) >= from && Number(created) < until);
}

export const errorOf = (type: string): Json => ({ error: { type } });
export const listOf = (data: readonly Json[]): Answer => ({
  status: 200,
  body: { object: 'list', data, has_more: false },
});

function reply(outgoing: ServerResponse, { status, body }: Answer): void {
  outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
