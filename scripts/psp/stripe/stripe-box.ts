import type { IncomingHttpHeaders } from 'node:http';
import { BoxBalance } from './box-balance.ts';
import { BoxDisputes } from './box-disputes.ts';
import { BoxSetups } from './box-setups.ts';
import { BoxWebhooks, FORWARDED } from './box-webhooks.ts';
import { bankPage, FIELDS, SCRIPT } from './fields-pages.ts';
import { type Answer, type Beyond, type Fields, type Json, LocalstripeGaps } from './localstripe-gaps.ts';

/**
 * Stripe on this machine: localstripe, which charges, refunds and stores cards, and what it lacks. That is the fields
 * on the payer's page, the bank's page of 3-D Secure, boletos, disputes, and webhook endpoints.
 */
export class StripeBox implements Beyond {
  readonly stripe: LocalstripeGaps;
  readonly disputes: BoxDisputes;
  readonly webhooks: BoxWebhooks;
  readonly #setups: BoxSetups;
  readonly #balance: BoxBalance;

  /** @param target the address of localstripe. */
  constructor(target: string) {
    this.stripe = new LocalstripeGaps(target);
    this.stripe.beyond = this;
    this.webhooks = new BoxWebhooks(this.stripe.faults, (id, secret) =>
      this.stripe.ask('POST', `/_config/webhooks/${id}`, { url: `${this.url}${FORWARDED}${id}`, secret }),
    );
    this.disputes = new BoxDisputes(
      (id) => this.#intent(id),
      (type, object) => this.webhooks.send(type, object),
    );
    this.#setups = new BoxSetups(this.stripe);
    this.#balance = new BoxBalance(this.stripe, () => this.disputes.all);
  }

  open(port: number): Promise<void> {
    return this.stripe.open(port);
  }

  close(): Promise<void> {
    return this.stripe.close();
  }

  get url(): string {
    return this.stripe.url;
  }

  /** Newest first. */
  async intents(): Promise<readonly Json[]> {
    const cards = await this.stripe.all('/v1/payment_intents');
    return [...cards, ...this.stripe.boletos.values()].sort(
      (one, other) => Number(other.created) - Number(one.created),
    );
  }

  /** Of cards and of paid boletos. */
  async charges(): Promise<readonly Json[]> {
    return [...(await this.stripe.all('/v1/charges')), ...this.stripe.boletoCharges.values()];
  }

  /** The payer pays a boleto, and the bank reports it at once. @throws Error unless it can be paid. */
  payBoleto(id: string): Json {
    const intent = this.stripe.boletos.get(id);
    if (intent?.status !== 'requires_action') throw new Error(`${id} is no open boleto`);
    const chargeId = id.replace('pi_', 'ch_');
    const { amount, metadata } = intent;
    const created = Math.floor(Date.now() / 1_000);
    this.stripe.boletoCharges.set(chargeId, {
      ...{ id: chargeId, object: 'charge', amount, currency: 'brl', created, metadata, livemode: false },
      ...{ status: 'succeeded', captured: true, disputed: false, payment_intent: id },
      ...{ billing_details: { name: null }, refunds: { data: [], has_more: false } },
    });
    Object.assign(intent, { status: 'succeeded', next_action: null, latest_charge: chargeId });
    this.webhooks.send('payment_intent.succeeded', intent);
    return intent;
  }

  /** The card's holder disputes a payment, once. @throws Error for one that was not made by card. */
  async dispute(intentId: string, isInquiry: boolean): Promise<Json> {
    const { latest_charge: charge } = await this.#intent(intentId);
    const id = String(Object(charge).id ?? charge);
    const { status, body } = await this.stripe.ask('GET', `/v1/charges/${id}`);
    if (status !== 200) throw new Error(`${intentId} is no payment by card`);
    if (this.stripe.disputed.has(id)) throw new Error(`${intentId} was disputed`);
    this.stripe.disputed.add(id);
    return this.disputes.open({ ...body, payment_intent: intentId }, isInquiry);
  }

  async answer(method: string, path: string, fields: Fields): Promise<Answer | null> {
    if (method === 'POST' && path === '/v1/files')
      return { status: 200, body: { id: `file_${Date.now()}`, object: 'file', purpose: 'dispute_evidence' } };
    return (
      (await this.disputes.answer(method, path, fields)) ??
      (await this.webhooks.answer(method, path, fields)) ??
      (await this.#balance.answer(method, path, fields)) ??
      this.#setups.answer(method, path, fields)
    );
  }

  async page(method: string, { pathname }: URL, body: string, headers: IncomingHttpHeaders) {
    if (this.webhooks.forward(pathname, body, headers['stripe-signature'])) return pageOf('');
    if (pathname === '/js.stripe.com/v3/') return pageOf(SCRIPT, 'text/javascript');
    if (pathname === '/fields') return pageOf(FIELDS);
    if (pathname === '/fields/tokenize' && method === 'POST')
      return pageOf(JSON.stringify(await this.#tokenize(new URLSearchParams(body))), 'application/json');
    const [, id] = /^\/3ds\/(\w+)$/.exec(pathname) ?? [];
    if (id === undefined) return null;
    if (method === 'POST') return this.#confirmed(id, new URLSearchParams(body).get('success') === 'true');
    return pageOf(bankPage(id.startsWith('seti_') ? 0 : Number((await this.#intent(id)).amount)));
  }

  /** What the fields give to the payer's page: a payment method, or what to correct. */
  async #tokenize(typed: URLSearchParams): Promise<Json> {
    const { status, body } = await this.stripe.ask('POST', '/v1/payment_methods', {
      type: 'card',
      'card[number]': typed.get('number') ?? '',
      'card[exp_month]': typed.get('month') ?? '',
      'card[exp_year]': typed.get('year') ?? '',
      'card[cvc]': typed.get('cvc') ?? '',
    });
    if (status !== 200)
      return { error: { message: 'Check the number, the expiry and the code of the card.' } };
    return { paymentMethod: { id: body.id } };
  }

  async #confirmed(id: string, isConfirmed: boolean) {
    if (!(await this.#setups.confirm(id, isConfirmed))) {
      const { payment_method: method, customer } = (await this.stripe.authenticate(id, isConfirmed)).body;
      if (isConfirmed && typeof customer === 'string') await this.stripe.confirmStored(String(method));
    }
    const location = this.stripe.returnUrls.get(id) ?? '/';
    return { status: 303, headers: { location }, text: '' };
  }

  async #intent(id: string): Promise<Json> {
    return this.stripe.boletos.get(id) ?? (await this.stripe.ask('GET', `/v1/payment_intents/${id}`)).body;
  }
}

function pageOf(text: string, type = 'text/html') {
  return { status: 200, headers: { 'content-type': `${type}; charset=utf-8` }, text };
}
