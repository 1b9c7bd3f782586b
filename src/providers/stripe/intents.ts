import { mintedAt } from '../../ids.ts';
import type { CloseAnswer } from '../ports/charges.ts';
import type { ProviderPayment } from '../ports/payment.ts';
import { ProviderError } from '../provider-error.ts';
import { keyOf, OWN_REFERENCE, REFERENCE, STRIPE_ID } from './ids.ts';
import { allOfList, refundsOf } from './refunds.ts';
import type { StripeClient } from './stripe-client.ts';
import { StripeCallError } from './stripe-error.ts';
import {
  isPaid,
  paymentOf,
  readCharge,
  readIntent,
  readList,
  referenceIn,
  type StripeCharge,
  type StripeIntent,
} from './wire.ts';

/** The search may lag by up to an hour (docs.stripe.com/search); a list by time does not. */
const SEARCH_LAG_MS = 60 * 60_000;
/** Clocks of Recebe and Stripe may differ. */
const CLOCK_SKEW_MS = 5 * 60_000;
/** Of a hundred intents each. Above that, the search has to find the intent. */
const MOST_PAGES = 20;
/** The pause before an intent that Stripe has not decided is asked about again. */
export const POLL_AFTER_MS = 2_000;
/** Stripe's smallest amount in BRL. The intent that reserves a reference has it and is never confirmed. */
const SMALLEST_CENTS = 50;

/** The same for a boleto past its last day, which Stripe decides on the next business day. */
const VOUCHER_POLL_MS = 30 * 60_000;

export type CancelReason = 'requested_by_customer' | 'abandoned';

/** The payment intents of charges: one per reference. */
export class StripeIntents {
  readonly #client: StripeClient;

  constructor(client: StripeClient) {
    this.#client = client;
  }

  /** Null if Stripe does not know it. */
  async get(id: string): Promise<StripeIntent | null> {
    if (!STRIPE_ID.test(id)) return null;
    const body = await this.#client.find('getting a payment intent', (sdk) =>
      sdk.paymentIntents.retrieve(id, { expand: ['latest_charge.refunds'] }),
    );
    return body === null ? null : readIntent(body);
  }

  /** All intents of a reference as they are now, paid ones first. More than one means another program, or a restore. */
  async findAll(reference: string): Promise<readonly StripeIntent[]> {
    if (!OWN_REFERENCE.test(reference)) return [];
    const searched = await this.#search(reference);
    const ids = searched.length > 0 ? searched : await this.#listRecent(reference);
    const found = (await Promise.all(ids.map((id) => this.get(id)))).filter((intent) => intent !== null);
    const ranks = ['succeeded', 'processing', 'requires_action', 'requires_payment_method', 'canceled'];
    return found
      .filter((intent) => referenceIn(intent) === reference)
      .sort((one, other) => ranks.indexOf(one.status) - ranks.indexOf(other.status));
  }

  /** The payment of an intent; null if it holds no money, or is not one of Recebe. */
  async paymentIn(intent: StripeIntent): Promise<ProviderPayment | null> {
    const reference = referenceIn(intent);
    const charge = await this.#chargeOf(intent);
    if (reference === null || charge === null || !isPaid(charge)) return null;
    return paymentOf(charge, { id: intent.id, reference }, await refundsOf(this.#client, charge));
  }

  /**
   * Makes sure that nobody can pay this reference. If Stripe has no intent for it, this creates and cancels one under
   * the idempotency key of the charge, so that a delayed request to charge the card finds the key used.
   */
  async close(reference: string): Promise<CloseAnswer> {
    const found = await this.findAll(reference);
    const intents = found.length > 0 ? found : await this.#reserve(reference);
    if (intents === null) return { outcome: 'PENDING', pollAfterMs: POLL_AFTER_MS };
    const ended = await Promise.all(intents.map((intent) => this.#closeOne(intent)));
    for (const intent of ended) {
      const payment = await this.paymentIn(intent);
      if (payment !== null) return { outcome: 'PAID', payment };
    }
    if (ended.every((intent) => intent.status === 'canceled' || isLiveVoucher(intent)))
      return { outcome: 'CLOSED' };
    return { outcome: 'PENDING', pollAfterMs: ended.some(isVoucher) ? VOUCHER_POLL_MS : POLL_AFTER_MS };
  }

  /**
   * Stripe cancels no boleto before it expires, and reports its payment on the next business day. Recebe ends such a
   * charge without it: a payment that comes later belongs to a charge that has ended.
   */
  async #closeOne(intent: StripeIntent): Promise<StripeIntent> {
    if (!isVoucher(intent)) return this.cancel(intent, 'requested_by_customer');
    try {
      return await this.cancel(intent, 'requested_by_customer');
    } catch (error) {
      const now = await this.get(intent.id);
      const isRefused = error instanceof StripeCallError && error.isRefusal;
      if (isRefused && now !== null && isVoucher(now)) return now;
      throw error;
    }
  }

  /** Cancels an intent unless it has ended or Stripe is deciding it. @returns the intent afterwards. */
  async cancel(intent: StripeIntent, reason: CancelReason): Promise<StripeIntent> {
    if (['succeeded', 'canceled', 'processing'].includes(intent.status)) return intent;
    let failure: unknown = null;
    try {
      await this.#client.call('cancelling a payment intent', (sdk) =>
        sdk.paymentIntents.cancel(
          intent.id,
          { cancellation_reason: reason },
          { idempotencyKey: keyOf.close(intent.id) },
        ),
      );
    } catch (error) {
      // It may have been paid at the same time, or the answer was lost: a look-up decides.
      failure = error;
    }
    const now = await this.get(intent.id);
    if (now !== null && ['succeeded', 'canceled', 'processing'].includes(now.status)) return now;
    throw failure ?? new ProviderError('RETRY', 'Stripe has not cancelled the payment intent yet');
  }

  /** @returns null while Stripe is using the key. */
  async #reserve(reference: string): Promise<readonly StripeIntent[] | null> {
    try {
      const { body } = await this.#client.call('reserving a reference', (sdk) =>
        sdk.paymentIntents.create(
          {
            amount: SMALLEST_CENTS,
            currency: 'brl',
            allowed_payment_method_types: ['card'],
            metadata: { [REFERENCE]: reference },
          },
          { idempotencyKey: keyOf.charge(reference) },
        ),
      );
      const intent = await this.get(readIntent(body).id);
      return intent && [intent];
    } catch (error) {
      if (!(error instanceof StripeCallError)) throw error;
      if (error.status === 409) return null;
      // Stripe has used the key for a request to charge the card. If that failed at Stripe, there is no intent.
      if (error.isOtherRequest || error.isReplay) return this.findAll(reference);
      throw error;
    }
  }

  async #search(reference: string): Promise<string[]> {
    const { body } = await this.#client.call('searching a payment intent', (sdk) =>
      sdk.paymentIntents.search({ query: `metadata['${REFERENCE}']:'${reference}'`, limit: 10 }),
    );
    return readList(body).data.map((item) => readIntent(item).id);
  }

  /** Looks through the newest intents, which the search may not know yet. */
  async #listRecent(reference: string): Promise<string[]> {
    const minted = mintedAt(reference)?.getTime() ?? 0;
    const since = Math.floor((Math.max(minted, Date.now() - SEARCH_LAG_MS) - CLOCK_SKEW_MS) / 1_000);
    const intents = await allOfList(
      (after) =>
        this.#client.call('listing payment intents', (sdk) =>
          sdk.paymentIntents.list({ created: { gte: since }, limit: 100, ...after }),
        ),
      MOST_PAGES,
    );
    // Items of other programs may lack what Recebe reads.
    return intents.flatMap((item) => {
      const { id, metadata } = item as { readonly id?: unknown; readonly metadata?: Record<string, unknown> };
      return metadata?.[REFERENCE] === reference && typeof id === 'string' ? [id] : [];
    });
  }

  async #chargeOf({ latest_charge: charge }: StripeIntent): Promise<StripeCharge | null> {
    if (charge == null) return null;
    if (typeof charge !== 'string') return charge;
    const body = await this.#client.find('getting a charge', (sdk) =>
      sdk.charges.retrieve(charge, { expand: ['refunds'] }),
    );
    return body === null ? null : readCharge(body);
  }
}

/** Whether a payer was shown a boleto, and Stripe has not decided it yet. */
function isVoucher({ status, next_action: action }: StripeIntent): boolean {
  return status === 'requires_action' && action?.boleto_display_details != null;
}

/** Whether a boleto can still be paid. Afterwards Stripe may not have reported its payment yet. */
function isLiveVoucher(intent: StripeIntent): boolean {
  const expiresAt = intent.next_action?.boleto_display_details?.expires_at ?? null;
  return isVoucher(intent) && expiresAt !== null && expiresAt.getTime() > Date.now();
}
