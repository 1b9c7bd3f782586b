import type { CardToken } from '../../domain/card.ts';
import { mintedAt } from '../../ids.ts';
import { type AcceptCard, type CardAnswer, type ChargeCard, requireToken } from '../ports/cards.ts';
import { ProviderError } from '../provider-error.ts';
import { declineReasonOf } from './decline-reasons.ts';
import {
  cardOfToken,
  KEY_IS_SURE_MS,
  keyOf,
  REFERENCE,
  STRIPE_ID,
  SUBMISSION,
  submissionOf,
  tokenOf,
} from './ids.ts';
import { POLL_AFTER_MS, type StripeIntents } from './intents.ts';
import type { StripeClient } from './stripe-client.ts';
import { StripeCallError } from './stripe-error.ts';
import { expiryMonthIn, readCustomer, readIntent, readMethod, type StripeIntent, walletIn } from './wire.ts';

/** The payer's bank may take minutes; the workflow gives up before Stripe does. */
const ACTION_POLL_MS = 3_000;

/**
 * Looks the payment method of the payer's browser up. If later charges are agreed, it gets a customer of its own:
 * the first payment attaches it, or its verification if nothing is due now.
 */
export async function acceptCard(
  client: StripeClient,
  paymentMethod: string,
  { submissionKey, keepsCard, isFree }: AcceptCard,
): Promise<CardToken | null> {
  if (!/^pm_/.test(paymentMethod) || !STRIPE_ID.test(paymentMethod)) return null;
  const body = await client.find('getting a payment method', (sdk) =>
    sdk.paymentMethods.retrieve(paymentMethod),
  );
  if (body === null) return null;
  // The id of the answer counts: Stripe's test ids stand for a new object each time.
  const { id, card, customer: owner = null } = readMethod(body);
  if (card === undefined || card === null) return null;
  const submission = submissionOf(submissionKey, paymentMethod);
  if (owner !== null && !(await isOfSubmission(client, owner, submission))) return null;
  const customer = owner ?? (keepsCard || isFree ? await customerFor(client, submission) : null);
  const wallet = walletIn(card);
  return {
    token: tokenOf({ paymentMethod: id, customer }),
    brand: card.brand,
    lastFour: card.last4,
    expiryMonth: expiryMonthIn(card),
    ...(wallet !== null && { wallet }),
  };
}

/** A repeated request finds its own customer; any other owner is another payer. */
async function isOfSubmission(client: StripeClient, customer: string, submission: string): Promise<boolean> {
  const body = await client.find('getting a customer', (sdk) => sdk.customers.retrieve(customer));
  return body !== null && readCustomer(body).metadata?.[SUBMISSION] === submission;
}

/** Creates the customer of a stored card, once. It has no name and no tax id: Stripe does not need them. */
async function customerFor(client: StripeClient, submission: string): Promise<string> {
  const { body } = await client.call('creating a customer', (sdk) =>
    sdk.customers.create(
      { metadata: { [SUBMISSION]: submission } },
      { idempotencyKey: keyOf.customer(submission) },
    ),
  );
  return readCustomer(body).id;
}

/**
 * Charges a card with one payment intent per reference. The idempotency key is derived from the reference, so the
 * same request finds the first one; once Stripe may have forgotten the key, a look-up comes first.
 */
export async function chargeCard(
  client: StripeClient,
  intents: StripeIntents,
  request: ChargeCard,
): Promise<CardAnswer> {
  const { reference, installmentsCount, now } = request;
  if (installmentsCount > 1) throw new ProviderError('UNSUPPORTED', 'Stripe has no installments in Brazil');
  const minted = mintedAt(reference);
  if (minted === null || now.getTime() - minted.getTime() > KEY_IS_SURE_MS) {
    const [there] = await intents.findAll(reference);
    if (there !== undefined) return answerOf(intents, request, there);
  }
  try {
    const { body } = await client.call('charging a card', (sdk) =>
      sdk.paymentIntents.create(paramsOf(request), { idempotencyKey: keyOf.charge(reference) }),
    );
    return await currentAnswer(intents, request, readIntent(body));
  } catch (error) {
    if (!(error instanceof StripeCallError)) throw error;
    if (error.intent !== null) return currentAnswer(intents, request, readIntent(error.intent));
    return afterFailure(intents, request, error);
  }
}

function paramsOf(request: ChargeCard) {
  const { amountCents, reference, returnUrl, isOffSession, keepsCard } = request;
  const { paymentMethod, customer } = cardOfToken(requireToken(request));
  return {
    amount: amountCents,
    currency: 'brl',
    confirm: true,
    capture_method: 'automatic' as const,
    payment_method: paymentMethod,
    allowed_payment_method_types: ['card' as const],
    metadata: { [REFERENCE]: reference },
    expand: ['latest_charge'],
    ...(customer !== null && { customer }),
    return_url: returnUrl,
    ...(isOffSession && { off_session: true }),
    ...(keepsCard && !isOffSession && customer !== null && { setup_future_usage: 'off_session' as const }),
  };
}

/** Stripe repeats its first answer to a repeated request, so an intent that had not ended then is read again. */
async function currentAnswer(
  intents: StripeIntents,
  request: ChargeCard,
  intent: StripeIntent,
): Promise<CardAnswer> {
  const hasEnded = ['succeeded', 'requires_payment_method'].includes(intent.status);
  const now = hasEnded ? intent : await intents.get(intent.id);
  if (now === null) throw new ProviderError('RETRY', 'Stripe does not find its payment intent yet');
  return answerOf(intents, request, now);
}

/**
 * An earlier request may have charged the card, so a refusal is final only if there is no intent. The same holds for a
 * failure of Stripe that it repeats for this key: the key can create nothing any more.
 */
async function afterFailure(
  intents: StripeIntents,
  request: ChargeCard,
  error: StripeCallError,
): Promise<CardAnswer> {
  if (error.status === 409) return { outcome: 'PENDING', pollAfterMs: POLL_AFTER_MS };
  if (!error.isRefusal && !error.isOtherRequest && !error.isReplay) throw error;
  const [there] = await intents.findAll(request.reference);
  if (there !== undefined) return answerOf(intents, request, there);
  const { status, code, declineCode } = error;
  const reason = status === 402 ? declineReasonOf([declineCode, code]) : 'processing_error';
  return { outcome: 'DECLINED', reason, issuerCode: declineCode ?? code };
}

async function answerOf(
  intents: StripeIntents,
  request: ChargeCard,
  intent: StripeIntent,
): Promise<CardAnswer> {
  switch (intent.status) {
    case 'succeeded': {
      const payment = await intents.paymentIn(intent);
      return payment === null
        ? { outcome: 'PENDING', pollAfterMs: POLL_AFTER_MS }
        : { outcome: 'APPROVED', payment };
    }
    case 'requires_action':
      return request.isOffSession ? withoutPayer(intents, request, intent) : actionOf(intent);
    case 'requires_payment_method':
      return declined(intent);
    case 'canceled':
      return intent.cancellation_reason === 'abandoned'
        ? { outcome: 'DECLINED', reason: 'authentication_required' }
        : { outcome: 'DECLINED', reason: 'processing_error' };
    default:
      return { outcome: 'PENDING', pollAfterMs: POLL_AFTER_MS };
  }
}

function actionOf({ next_action: action }: StripeIntent): CardAnswer {
  const url = action?.redirect_to_url?.url;
  if (url === undefined)
    throw new ProviderError('RETRY', 'Stripe wants an action of the payer and names no address');
  return { outcome: 'REQUIRES_ACTION', url, pollAfterMs: ACTION_POLL_MS };
}

/** Nobody is there to confirm a later charge. */
async function withoutPayer(
  intents: StripeIntents,
  request: ChargeCard,
  intent: StripeIntent,
): Promise<CardAnswer> {
  return answerOf(intents, request, await intents.cancel(intent, 'abandoned'));
}

function declined({ last_payment_error: error }: StripeIntent): CardAnswer {
  const { code, decline_code: decline, network_decline_code: network } = error ?? {};
  return {
    outcome: 'DECLINED',
    reason: declineReasonOf([decline, code]),
    issuerCode: network ?? decline ?? code ?? null,
  };
}
