import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

type Json = Record<string, unknown>;
type Fields = ReadonlyMap<string, string>;

/** How a card behaves when it is charged. */
export type StripeCard = 'APPROVE' | 'CONFIRM' | { readonly decline: string };

/** What happens to a request. */
export type StripeFault =
  | { readonly kind: 'CUT_BEFORE' | 'CUT_AFTER' }
  | { readonly kind: 'STATUS'; readonly status: number; readonly isStored?: boolean }
  | { readonly kind: 'DELAY'; readonly delayMs: number };

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly fields: Fields;
  readonly headers: Readonly<Record<string, unknown>>;
}

interface Answer {
  readonly status: number;
  readonly body: Json;
}

class Refused extends Error {
  readonly answer: Answer;
  constructor(status: number, error: Json) {
    super(String(error.code));
    this.answer = { status, body: { error } };
  }
}

/** Until when each dispute takes evidence. */
export const DISPUTE_DUE_BY = Date.UTC(2030, 0, 15) / 1_000;

/**
 * Stripe as far as Recebe uses it, with state, idempotency keys and a search that lags. Its shapes are those of
 * Stripe's OpenAPI document.
 */
export class StripeStandIn {
  readonly intents = new Map<string, Json>();
  readonly setups = new Map<string, Json>();
  readonly refunds = new Map<string, Json>();
  readonly disputes = new Map<string, Json>();
  readonly files = new Map<string, Json>();
  readonly endpoints = new Map<string, Json>();
  /** Balance transactions, and payouts to the bank, that a test books. */
  readonly balance = new Map<string, Json>();
  readonly payouts = new Map<string, Json>();
  /** Domains whose pages may show wallets. A new one awaits its validation for Apple Pay. */
  readonly domains = new Map<string, Json>();
  readonly seen: SeenRequest[] = [];
  /** The search finds nothing that was created while this is set. */
  isSearchBlind = false;
  /** The status of new refunds; `pending` until {@link endRefund}. */
  refundStatus: 'succeeded' | 'pending' = 'succeeded';
  fault: (request: SeenRequest) => StripeFault | null = () => null;
  readonly #charges = new Map<string, Json>();
  readonly #methods = new Map<string, Json>();
  readonly #customers = new Map<string, Json>();
  readonly #cards = new Map<string, StripeCard>();
  readonly #keys = new Map<string, Answer & { readonly asked: string }>();
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  /** A card that the payer has typed into Stripe's fields. @returns the payment method's id. */
  addCard(behaviour: StripeCard = 'APPROVE', wallet: 'apple_pay' | 'google_pay' | null = null): string {
    const id = newId('pm');
    const given = wallet === null ? null : { type: wallet, [wallet]: {} };
    const card = { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2030, wallet: given };
    this.#methods.set(id, { id, object: 'payment_method', type: 'card', customer: null, card });
    this.#cards.set(id, behaviour);
    return id;
  }

  /** The payer confirms a payment at their bank, or fails to. */
  confirm(intentId: string, isConfirmed: boolean): void {
    const intent = this.#of(this.intents, intentId);
    intent.next_action = null;
    if (isConfirmed) this.#charge(intent, 'APPROVE');
    else {
      intent.status = 'requires_payment_method';
      intent.last_payment_error = { code: 'payment_intent_authentication_failure', type: 'card_error' };
    }
  }

  /** The payer pays a boleto. Stripe reports it on the next business day, which the test decides. */
  payBoleto(intentId: string, createdAt = new Date()): void {
    const intent = this.#of(this.intents, intentId);
    intent.next_action = null;
    this.#charge(intent, 'APPROVE');
    const charge = this.#of(this.#charges, String(intent.latest_charge));
    charge.created = Math.floor(createdAt.getTime() / 1_000);
    charge.payment_method_details = { type: 'boleto', boleto: { tax_id: '529.982.247-25' } };
    charge.isBoleto = true;
  }

  /** A boleto passes its last day. UNDECIDED: Stripe has not said yet whether it was paid. */
  expireBoleto(intentId: string, state: 'UNDECIDED' | 'EXPIRED'): void {
    const intent = this.#of(this.intents, intentId);
    const action = intent.next_action as { boleto_display_details: Json };
    action.boleto_display_details.expires_at = nowSeconds() - 60;
    if (state === 'UNDECIDED') return;
    intent.next_action = null;
    intent.status = 'requires_payment_method';
    intent.last_payment_error = { type: 'card_error', code: 'payment_intent_payment_attempt_expired' };
  }

  endRefund(refundId: string, status: 'succeeded' | 'failed'): void {
    this.#of(this.refunds, refundId).status = status;
  }

  /** The card's issuer takes a payment back. @returns the dispute's id. */
  dispute(intentId: string, status = 'needs_response'): string {
    const id = newId('du');
    const charge = this.#of(this.#charges, String(this.#of(this.intents, intentId).latest_charge));
    charge.disputed = true;
    const { amount } = charge;
    this.disputes.set(id, {
      ...{ id, object: 'dispute', amount, status, reason: 'fraudulent' },
      ...{ charge: charge.id, payment_intent: intentId, livemode: false },
      evidence: {},
      evidence_details: { due_by: DISPUTE_DUE_BY, has_evidence: false, past_due: false, submission_count: 0 },
      balance_transactions: status.startsWith('warning_')
        ? []
        : [this.#moneyOfDispute(-Number(amount), 5_500)],
    });
    return id;
  }

  /** The issuer decides. @param returnedFeeCents what Stripe returns of its fee with the money. */
  decideDispute(id: string, status: 'won' | 'lost' | 'warning_closed', returnedFeeCents = 0): void {
    const dispute = this.#of(this.disputes, id);
    dispute.status = status;
    const money = dispute.balance_transactions as Json[];
    if (status === 'won') money.push(this.#moneyOfDispute(Number(dispute.amount), 0 - returnedFeeCents));
  }

  #submitEvidence(dispute: Json, fields: Fields): Json {
    if (!String(dispute.status).endsWith('needs_response'))
      throw new Refused(400, { type: 'invalid_request_error', code: 'dispute_closed' });
    const given = [...fields].flatMap(([name, value]) => {
      const [, field] = /^evidence\[(\w+)\]$/.exec(name) ?? [];
      return field === undefined ? [] : [[field, value] as const];
    });
    dispute.evidence = Object.fromEntries(given);
    dispute.metadata = { recebe_submission: fields.get('metadata[recebe_submission]') };
    if (fields.get('submit') !== 'true') return dispute;
    const details = dispute.evidence_details as Json;
    Object.assign(details, { has_evidence: true, submission_count: Number(details.submission_count) + 1 });
    dispute.status = String(dispute.status).replace('needs_response', 'under_review');
    return dispute;
  }

  #moneyOfDispute(amount: number, fee: number): Json {
    const id = newId('txn');
    return { id, object: 'balance_transaction', amount, currency: 'brl', fee, net: amount - fee };
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const { pathname: path, searchParams } = new URL(url, 'http://stripe');
    const sent = await fieldsOf(await buffer(request), headers['content-type'] ?? '');
    const seen = { method, path, fields: new Map([...searchParams, ...sent]), headers };
    this.seen.push(seen);
    const fault = this.fault(seen);
    if (fault?.kind === 'CUT_BEFORE') return void response.destroy();
    if (fault?.kind === 'DELAY') await delay(fault.delayMs);
    const failed =
      fault?.kind === 'STATUS'
        ? { status: fault.status, body: { error: { type: 'api_error', code: 'fault' } } }
        : null;
    const { answer, isReplay } = failed ? this.#failed(seen, failed, fault) : this.#answer(seen);
    if (fault?.kind === 'CUT_AFTER') return void response.destroy();
    response
      .writeHead(answer.status, {
        'content-type': 'application/json',
        'request-id': newId('req'),
        ...(isReplay && { 'idempotent-replayed': 'true' }),
      })
      .end(JSON.stringify(answer.body));
  }

  /** Stripe stores its own failures under the key too (docs.stripe.com/api/idempotent_requests). */
  #failed({ headers, path, fields }: SeenRequest, answer: Answer, fault: StripeFault | null) {
    const key = headers['idempotency-key'];
    if (fault?.kind === 'STATUS' && fault.isStored && typeof key === 'string' && !this.#keys.has(key))
      this.#keys.set(key, { ...answer, asked: JSON.stringify([path, [...fields]]) });
    return { answer, isReplay: false };
  }

  #answer({ method, path, fields, headers }: SeenRequest): { answer: Answer; isReplay: boolean } {
    const key = method === 'POST' ? headers['idempotency-key'] : undefined;
    const asked = JSON.stringify([path, [...fields]]);
    const stored = typeof key === 'string' ? this.#keys.get(key) : undefined;
    if (stored !== undefined) {
      if (stored.asked === asked) return { answer: stored, isReplay: true };
      const error = { type: 'idempotency_error', message: 'the key was used with other parameters' };
      return { answer: { status: 400, body: { error } }, isReplay: false };
    }
    const answer = this.#executed(method, path, fields);
    // What fails the validation is not stored.
    if (typeof key === 'string' && answer.status !== 400 && answer.status !== 404)
      this.#keys.set(key, { ...structuredClone(answer), asked });
    return { answer, isReplay: false };
  }

  #executed(method: string, path: string, fields: Fields): Answer {
    try {
      return { status: 200, body: this.#route(method, path, fields) };
    } catch (error) {
      if (error instanceof Refused) return error.answer;
      throw error;
    }
  }

  #route(method: string, path: string, fields: Fields): Json {
    const [, , resource = '', id = '', action = ''] = path.split('/');
    const call = `${method} ${resource}${id === '' ? '' : '/:id'}${action === '' ? '' : `/${action}`}`;
    const expanded = [...fields].filter(([name]) => name.startsWith('expand')).map(([, value]) => value);
    switch (call) {
      case 'POST payment_intents':
        return this.#expanded(this.#createIntent(fields), expanded);
      case 'GET payment_intents/:id':
        return id === 'search' ? this.#search(fields) : this.#expanded(this.#of(this.intents, id), expanded);
      case 'POST payment_intents/:id/cancel':
        return this.#cancel(this.#of(this.intents, id), fields);
      case 'GET payment_intents':
        return page(this.intents, fields);
      case 'GET charges':
        return page(this.#charges, fields, (charge) => ({
          ...charge,
          payment_intent: this.intents.get(String(charge.payment_intent)),
          refunds: this.#refundsOf(charge),
        }));
      case 'GET charges/:id': {
        const charge = this.#of(this.#charges, id);
        return { ...charge, refunds: this.#refundsOf(charge) };
      }
      case 'GET payment_methods/:id':
        return this.#of(this.#methods, id);
      case 'POST payment_methods/:id/detach':
        return this.#detach(this.#of(this.#methods, id));
      case 'POST setup_intents':
        return this.#createSetup(fields);
      case 'GET setup_intents/:id':
        return this.#of(this.setups, id);
      case 'POST setup_intents/:id/cancel':
        return { ...this.#of(this.setups, id), status: 'canceled' };
      case 'POST customers':
        return this.#createCustomer(fields);
      case 'POST customers/:id':
      case 'GET customers/:id':
        return this.#of(this.#customers, id);
      case 'DELETE customers/:id':
        return this.#deleteCustomer(id);
      case 'GET customers':
        return page(this.#customers, fields);
      case 'POST refunds':
        return this.#refund(fields);
      case 'POST refunds/:id':
        return this.#of(this.refunds, id);
      case 'GET refunds':
        return page(this.refunds, fields);
      case 'GET disputes':
        return page(this.disputes, fields);
      case 'GET disputes/:id': {
        const dispute = this.#of(this.disputes, id);
        return { ...dispute, payment_intent: this.intents.get(String(dispute.payment_intent)) };
      }
      case 'POST disputes/:id':
        return this.#submitEvidence(this.#of(this.disputes, id), fields);
      case 'POST disputes/:id/close':
        return Object.assign(this.#of(this.disputes, id), { status: 'lost' });
      case 'POST files': {
        const file = { id: newId('file'), object: 'file', purpose: fields.get('purpose') };
        this.files.set(file.id, { ...file, content: fields.get('file') });
        return file;
      }
      case 'GET balance_transactions':
        return page(this.balance, fields);
      case 'GET payouts':
        return page(this.payouts, fields);
      case 'GET payment_method_domains':
        return page(
          new Map([...this.domains].filter(([, each]) => each.domain_name === fields.get('domain_name'))),
          fields,
        );
      case 'POST payment_method_domains':
        return this.#createDomain(fields);
      case 'POST payment_method_domains/:id':
        return Object.assign(this.#of(this.domains, id), { enabled: fields.get('enabled') === 'true' });
      case 'POST payment_method_domains/:id/validate':
        return Object.assign(this.#of(this.domains, id), { apple_pay: { status: 'active' } });
      case 'GET webhook_endpoints':
        return page(this.endpoints, fields, ({ secret: _secret, ...endpoint }) => endpoint);
      case 'POST webhook_endpoints':
        return this.#createEndpoint(fields);
      case 'POST webhook_endpoints/:id': {
        const { secret: _secret, ...endpoint } = this.#of(this.endpoints, id);
        return endpoint;
      }
      case 'DELETE webhook_endpoints/:id':
        this.#of(this.endpoints, id);
        this.endpoints.delete(id);
        return { id, object: 'webhook_endpoint', deleted: true };
      default:
        throw new Error(`the stand-in does not have ${call}`);
    }
  }

  #of(all: ReadonlyMap<string, Json>, id: string): Json {
    const found = all.get(id);
    if (found === undefined)
      throw new Refused(404, { type: 'invalid_request_error', code: 'resource_missing' });
    return found;
  }

  #createIntent(fields: Fields): Json {
    if (fields.get('payment_method_data[type]') === 'boleto') return this.#createBoleto(fields);
    const method = fields.get('payment_method') ?? null;
    if (method !== null) this.#usableMethod(method, fields.get('customer') ?? null);
    const intent = this.#newIntent(fields, method);
    const id = String(intent.id);
    if (fields.get('confirm') !== 'true' || method === null) return intent;
    const behaviour = this.#cards.get(method) ?? 'APPROVE';
    if (behaviour !== 'CONFIRM') this.#charge(intent, behaviour);
    else if (fields.get('off_session') === 'true')
      this.#charge(intent, { decline: 'authentication_required' });
    else {
      intent.status = 'requires_action';
      intent.next_action = { type: 'redirect_to_url', redirect_to_url: { url: `${this.url}/3ds/${id}` } };
    }
    if (fields.get('setup_future_usage') === 'off_session')
      this.#of(this.#methods, method).customer = fields.get('customer');
    const error = intent.last_payment_error as Json | null;
    if (error !== null) throw new Refused(402, { ...error, type: 'card_error', payment_intent: intent });
    return intent;
  }

  #newIntent(fields: Fields, method: string | null): Json {
    const id = newId('pi');
    const intent: Json = {
      ...{
        id,
        object: 'payment_intent',
        amount: Number(fields.get('amount')),
        currency: fields.get('currency'),
      },
      ...{ status: 'requires_payment_method', created: nowSeconds(), livemode: false, latest_charge: null },
      ...{
        metadata: metadataIn(fields),
        next_action: null,
        last_payment_error: null,
        payment_method: method,
      },
      ...{ isSearchable: !this.isSearchBlind, cancellation_reason: null },
    };
    this.intents.set(id, intent);
    return intent;
  }

  /** What Stripe requires of a boleto (docs.stripe.com/payments/boleto). Its test mode has such numbers. */
  #createBoleto(fields: Fields): Json {
    const details = 'payment_method_data[billing_details]';
    const needed = [
      '[name]',
      '[email]',
      ...['line1', 'city', 'state', 'postal_code'].map((name) => `[address][${name}]`),
    ];
    const missing = needed.find((name) => !fields.get(details + name));
    if (missing !== undefined || fields.get(`${details}[address][country]`) !== 'BR')
      throw new Refused(400, { type: 'invalid_request_error', code: 'parameter_missing', param: missing });
    const amount = Number(fields.get('amount'));
    if (amount < 500) throw new Refused(400, { type: 'invalid_request_error', code: 'amount_too_small' });
    if (amount > 4_999_999)
      throw new Refused(400, { type: 'invalid_request_error', code: 'amount_too_large' });
    const days = Number(fields.get('payment_method_options[boleto][expires_after_days]') ?? 3);
    if (!Number.isInteger(days) || days < 0 || days > 60)
      throw new Refused(400, { type: 'invalid_request_error', code: 'parameter_invalid_integer' });
    const intent = this.#newIntent(fields, newId('pm'));
    if (fields.get('payment_method_data[boleto][tax_id]') === '00000000191') {
      const error = { type: 'card_error', code: 'tax_id_invalid' };
      intent.last_payment_error = error;
      throw new Refused(402, { ...error, payment_intent: intent });
    }
    intent.status = 'requires_action';
    intent.next_action = {
      type: 'boleto_display_details',
      boleto_display_details: {
        number: '01010101010101010101010101010101010101010101010',
        expires_at: nowSeconds() + (days + 1) * 86_400,
        hosted_voucher_url: `https://payments.stripe.com/boleto/voucher/${intent.id}`,
        pdf: `https://payments.stripe.com/boleto/voucher/${intent.id}/pdf`,
      },
    };
    return intent;
  }

  #createDomain(fields: Fields): Json {
    const id = newId('pmd');
    const waiting = { status: 'inactive', status_details: { error_message: 'not verified with Apple yet' } };
    const domain: Json = {
      ...{ id, object: 'payment_method_domain', created: nowSeconds(), livemode: false },
      ...{ domain_name: fields.get('domain_name'), enabled: fields.get('enabled') === 'true' },
      ...{ apple_pay: waiting, google_pay: { status: 'active' } },
    };
    this.domains.set(id, domain);
    return domain;
  }

  /** Verifies a card for later charges, and attaches it to its customer. */
  #createSetup(fields: Fields): Json {
    const method = String(fields.get('payment_method'));
    const customer = fields.get('customer') ?? null;
    this.#usableMethod(method, customer);
    const id = newId('seti');
    const setup: Json = {
      ...{ id, object: 'setup_intent', status: 'requires_payment_method', created: nowSeconds() },
      ...{ livemode: false, metadata: metadataIn(fields), payment_method: method, customer },
      ...{ next_action: null, last_setup_error: null },
    };
    this.setups.set(id, setup);
    const behaviour = this.#cards.get(method) ?? 'APPROVE';
    if (behaviour === 'CONFIRM') {
      setup.status = 'requires_action';
      setup.next_action = { type: 'redirect_to_url', redirect_to_url: { url: `${this.url}/3ds/${id}` } };
    } else if (behaviour === 'APPROVE') this.#attach(setup);
    else {
      const error = { type: 'card_error', code: 'card_declined', decline_code: behaviour.decline };
      setup.last_setup_error = error;
      throw new Refused(402, { ...error, setup_intent: setup });
    }
    return setup;
  }

  #attach(setup: Json): void {
    setup.status = 'succeeded';
    setup.next_action = null;
    this.#of(this.#methods, String(setup.payment_method)).customer = setup.customer;
  }

  /** The payer confirms a new card at their bank, or fails to. */
  confirmSetup(setupId: string, isConfirmed: boolean): void {
    const setup = this.#of(this.setups, setupId);
    if (isConfirmed) this.#attach(setup);
    else
      Object.assign(setup, {
        next_action: null,
        status: 'requires_payment_method',
        last_setup_error: { code: 'setup_intent_authentication_failure', type: 'card_error' },
      });
  }

  #usableMethod(id: string, customer: string | null): void {
    const { customer: owner } = this.#of(this.#methods, id);
    if (owner !== null && owner !== customer)
      throw new Refused(400, { type: 'invalid_request_error', param: 'payment_method' });
  }

  #charge(intent: Json, behaviour: Exclude<StripeCard, 'CONFIRM'>): void {
    if (behaviour !== 'APPROVE') {
      const { decline } = behaviour;
      intent.status = 'requires_payment_method';
      intent.last_payment_error = { type: 'card_error', code: 'card_declined', decline_code: decline };
      return;
    }
    const id = newId('ch');
    const { amount, currency } = intent;
    this.#charges.set(id, {
      ...{ id, object: 'charge', amount, currency, status: 'succeeded', captured: true },
      ...{ created: nowSeconds(), disputed: false, payment_intent: intent.id, livemode: false },
      ...{ billing_details: { name: 'ANA SOUZA' }, metadata: intent.metadata },
    });
    intent.status = 'succeeded';
    intent.latest_charge = id;
  }

  #cancel(intent: Json, fields: Fields): Json {
    const { boleto_display_details: boleto } = Object(intent.next_action);
    if (boleto !== undefined || ['succeeded', 'canceled', 'processing'].includes(String(intent.status)))
      throw new Refused(400, { type: 'invalid_request_error', code: 'payment_intent_unexpected_state' });
    intent.status = 'canceled';
    intent.next_action = null;
    intent.cancellation_reason = fields.get('cancellation_reason');
    return intent;
  }

  #createCustomer(fields: Fields): Json {
    const id = newId('cus');
    const attached = fields.get('payment_method');
    if (attached !== undefined) {
      const behaviour = this.#cards.get(attached);
      if (typeof behaviour === 'object')
        throw new Refused(402, {
          type: 'card_error',
          code: 'card_declined',
          decline_code: behaviour.decline,
        });
      this.#of(this.#methods, attached).customer = id;
    }
    const customer = { id, object: 'customer', created: nowSeconds(), metadata: metadataIn(fields) };
    this.#customers.set(id, customer);
    return customer;
  }

  /** A detached method cannot be attached again (docs.stripe.com/api/payment_methods/detach). */
  #detach(method: Json): Json {
    if (method.customer === null)
      throw new Refused(400, { type: 'invalid_request_error', message: 'it is not attached to a customer' });
    method.customer = null;
    this.#cards.set(String(method.id), { decline: 'detached' });
    return method;
  }

  #deleteCustomer(id: string): Json {
    if (this.#of(this.#customers, id).deleted === true)
      throw new Refused(404, { type: 'invalid_request_error', code: 'resource_missing' });
    const deleted = { id, object: 'customer', deleted: true };
    this.#customers.set(id, deleted);
    return deleted;
  }

  /** The network replaces a card. */
  replaceCard(methodId: string, changes: Json): void {
    const method = this.#of(this.#methods, methodId);
    method.card = { ...(method.card as Json), ...changes };
  }

  /** A customer that another program has made. */
  addCustomer(): string {
    return String(this.#createCustomer(new Map()).id);
  }

  /** A day passes, after which Stripe has forgotten every idempotency key. */
  forgetKeys(): void {
    this.#keys.clear();
  }

  /** The customers that are not deleted. */
  get keptCustomers(): readonly string[] {
    return [...this.#customers.values()].filter(({ deleted }) => !deleted).map(({ id }) => String(id));
  }

  #refund(fields: Fields): Json {
    const intent = this.#of(this.intents, fields.get('payment_intent') ?? '');
    const charge = this.#of(this.#charges, String(intent.latest_charge));
    if (charge.isBoleto === true)
      throw new Refused(400, { type: 'invalid_request_error', code: 'charge_not_refundable' });
    const amount = Number(fields.get('amount') ?? charge.amount);
    const made = this.#refundsOf(charge).data.filter(({ status }) => status !== 'failed');
    const left = made.reduce((rest, refund) => rest - Number(refund.amount), Number(charge.amount));
    if (amount > left) {
      const code = left === 0 ? 'charge_already_refunded' : 'parameter_invalid_integer';
      throw new Refused(400, { type: 'invalid_request_error', code });
    }
    return this.addRefund(String(intent.id), amount, metadataIn(fields));
  }

  /** Someone refunds a payment, such as in Stripe's own dashboard. */
  addRefund(intentId: string, amount: number, metadata: Json = {}): Json {
    const id = newId('re');
    const charge = this.#of(this.#charges, String(this.#of(this.intents, intentId).latest_charge));
    const refund = {
      ...{ id, object: 'refund', amount, currency: 'brl', metadata, created: nowSeconds() },
      ...{
        charge: charge.id,
        payment_intent: intentId,
        status: this.refundStatus,
      },
    };
    this.refunds.set(id, refund);
    return refund;
  }

  #createEndpoint(fields: Fields): Json {
    const id = newId('we');
    const secret = `whsec_${randomBytes(24).toString('hex')}`;
    const endpoint = {
      id,
      object: 'webhook_endpoint',
      url: fields.get('url'),
      secret,
      created: nowSeconds(),
    };
    this.endpoints.set(id, endpoint);
    return endpoint;
  }

  #refundsOf(charge: Json) {
    const data = [...this.refunds.values()].filter((refund) => refund.charge === charge.id);
    return { object: 'list', data, has_more: false };
  }

  #expanded(intent: Json, expanded: readonly string[]): Json {
    const charge = this.#charges.get(String(intent.latest_charge));
    if (charge === undefined || expanded.length === 0) return structuredClone(intent);
    const refunds = expanded.includes('latest_charge.refunds') ? this.#refundsOf(charge) : undefined;
    return structuredClone({ ...intent, latest_charge: { ...charge, refunds } });
  }

  #search(fields: Fields): Json {
    const [, name = '', value = ''] = /^metadata\['(\w+)'\]:'(\w+)'$/.exec(fields.get('query') ?? '') ?? [];
    const data = [...this.intents.values()].filter(
      ({ metadata, isSearchable }) => isSearchable && (metadata as Json)[name] === value,
    );
    return { object: 'search_result', data, has_more: false };
  }
}

/** Newest first, with the filters that Stripe has. */
function page(
  all: ReadonlyMap<string, Json>,
  fields: Fields,
  shown: (item: Json) => Json = (item) => item,
): Json {
  const [from, until] = [
    Number(fields.get('created[gte]') ?? 0),
    Number(fields.get('created[lt]') ?? Infinity),
  ];
  const limit = Number(fields.get('limit') ?? 10);
  const filters = ['payment_intent', 'charge', 'customer'].filter((name) => fields.has(name));
  const items = [...all.values()]
    .reverse()
    .filter((item) => Number(item.created ?? 0) >= from && Number(item.created ?? 0) < until)
    .filter((item) => filters.every((name) => item[name] === fields.get(name)));
  const start = items.findIndex(({ id }) => id === fields.get('starting_after')) + 1;
  const data = items.slice(start, start + limit).map((item) => structuredClone(shown(item)));
  return { object: 'list', data, has_more: items.length > start + limit };
}

function metadataIn(fields: Fields): Json {
  const entries = [...fields].flatMap(([name, value]) => {
    const [, key] = /^metadata\[(\w+)\]$/.exec(name) ?? [];
    return key === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(entries);
}

const newId = (prefix: string) => `${prefix}_${randomBytes(12).toString('hex')}`;
const nowSeconds = () => Math.floor(Date.now() / 1_000);

/** The fields of a form. A file is its content in hex. */
async function fieldsOf(body: Buffer, contentType: string): Promise<readonly (readonly [string, string])[]> {
  if (!contentType.startsWith('multipart/')) return [...new URLSearchParams(body.toString('utf8'))];
  const headers = { 'content-type': contentType };
  const form = await new Response(new Uint8Array(body), { headers }).formData();
  return Promise.all(
    [...form].map(async ([name, value]) => {
      if (typeof value === 'string') return [name, value] as const;
      return [name, Buffer.from(await value.arrayBuffer()).toString('hex')] as const;
    }),
  );
}
