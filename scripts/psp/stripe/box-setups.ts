import { type Answer, errorOf, type Fields, type Json, type LocalstripeGaps } from './localstripe-gaps.ts';

interface Setup {
  readonly body: Json;
  readonly method: string;
  readonly customer: string;
}

/** Setup intents that are confirmed as they are made, and read again: localstripe makes and confirms them apart. */
export class BoxSetups {
  readonly #setups = new Map<string, Setup>();
  readonly #stripe: LocalstripeGaps;

  constructor(stripe: LocalstripeGaps) {
    this.#stripe = stripe;
  }

  /** A request of the API; null if it is about something else. */
  async answer(method: string, path: string, fields: Fields): Promise<Answer | null> {
    const [, , resource, id = '', action = ''] = path.split('/');
    if (resource !== 'setup_intents') return null;
    if (method === 'POST' && id === '') return this.#create(fields);
    const setup = this.#setups.get(id);
    if (setup === undefined) return { status: 404, body: errorOf('invalid_request_error') };
    if (action === 'cancel') setup.body.status = 'canceled';
    return { status: 200, body: setup.body };
  }

  /** The payer answers their bank. @returns false if no setup intent of this id waits for that. */
  async confirm(id: string, isConfirmed: boolean): Promise<boolean> {
    const setup = this.#setups.get(id);
    if (setup?.body.status !== 'requires_action') return false;
    setup.body.next_action = null;
    if (isConfirmed) {
      await this.#attach(setup);
      await this.#stripe.confirmStored(setup.method);
    } else {
      setup.body.status = 'requires_payment_method';
      setup.body.last_setup_error = { type: 'card_error', code: 'setup_intent_authentication_failure' };
    }
    return true;
  }

  async #create({
    payment_method: method = '',
    customer = '',
    return_url: returnUrl,
  }: Fields): Promise<Answer> {
    const made = await this.#stripe.ask('POST', '/v1/setup_intents', { customer });
    const id = String(made.body.id);
    const confirmed = await this.#stripe.ask('POST', `/v1/setup_intents/${id}/confirm`, {
      payment_method: method,
    });
    if (confirmed.status !== 200)
      return { ...confirmed, body: { error: { ...(confirmed.body.error as Json), type: 'card_error' } } };
    const setup = { body: { ...confirmed.body, last_setup_error: null }, method, customer };
    this.#setups.set(id, setup);
    if (confirmed.body.status === 'succeeded') await this.#attach(setup);
    else {
      if (returnUrl !== undefined) this.#stripe.returnUrls.set(id, returnUrl);
      const redirect = { url: `${this.#stripe.url}/3ds/${id}` };
      Object.assign(setup.body, {
        next_action: { type: 'redirect_to_url', redirect_to_url: redirect },
      });
    }
    return { status: 200, body: setup.body };
  }

  async #attach({ body, method, customer }: Setup): Promise<void> {
    await this.#stripe.ask('POST', `/v1/payment_methods/${method}/attach`, { customer });
    body.status = 'succeeded';
  }
}
