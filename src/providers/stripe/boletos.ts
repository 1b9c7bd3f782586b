import { addBusinessDays, nextBusinessDay } from '../../domain/business-days.ts';
import {
  addDays,
  type CivilDate,
  daysBetween,
  saoPauloDateOf,
  saoPauloMidnight,
} from '../../domain/civil-date.ts';
import { mintedAt } from '../../ids.ts';
import type { BoletoTerms, IssueBoleto, IssuedBoleto } from '../ports/boletos.ts';
import type { IssueAnswer } from '../ports/issuing.ts';
import { ProviderError } from '../provider-error.ts';
import { KEY_IS_SURE_MS, keyOf, REFERENCE } from './ids.ts';
import { POLL_AFTER_MS, type StripeIntents } from './intents.ts';
import type { StripeClient } from './stripe-client.ts';
import { StripeCallError } from './stripe-error.ts';
import { barCodeOfVoucher, readIntent, type StripeIntent } from './wire.ts';

/** Stripe's code of an intent whose voucher nobody paid in time. */
const EXPIRED = 'payment_intent_payment_attempt_expired';
/** Stripe reports payments and expiry one business day after a voucher has expired; this is a day more. */
const BUSINESS_DAYS_TO_REPORT = 2;

/**
 * Amounts: docs.stripe.com/payments/boleto. A voucher lives for at most 60 days. The last four are kept for a due date
 * at the start of carnival, whose boleto can be paid until Ash Wednesday.
 */
export const STRIPE_BOLETOS: BoletoTerms = {
  minCents: 500,
  maxCents: 4_999_999,
  minDueDays: 0,
  maxDueDays: 56,
  interest: false,
  fine: false,
  payerNeeds: ['email', 'address'],
  // The bar code names the bank; Stripe reports nothing else of it.
  issuer: { bankName: 'Stripe', agencyAndAccount: null, wallet: null },
  codeShowsAmount: null,
};

/**
 * Issues a boleto with one payment intent per charge, under the idempotency key of the charge. A charge that may be
 * older than Stripe's memory of keys is looked up first.
 */
export async function issueBoleto(
  client: StripeClient,
  intents: StripeIntents,
  request: IssueBoleto,
): Promise<IssueAnswer<IssuedBoleto>> {
  const { chargeId, now, payer } = request;
  const { name, taxId, email = null, address = null } = payer;
  if (name === null || taxId === null || email === null || address === null)
    return { outcome: 'REFUSED', reason: 'Stripe needs name, tax id, e-mail and address of the payer' };
  const lastDay = nextBusinessDay(request.dueDate);
  const minted = mintedAt(chargeId);
  if (minted === null || now.getTime() - minted.getTime() > KEY_IS_SURE_MS) {
    const [there] = await intents.findAll(chargeId);
    if (there !== undefined) return answerOf(there, request, lastDay);
  }
  try {
    const { body } = await client.call('issuing a boleto', (sdk) =>
      sdk.paymentIntents.create(
        {
          amount: request.amountCents,
          currency: 'brl',
          confirm: true,
          allowed_payment_method_types: ['boleto'],
          payment_method_data: {
            type: 'boleto',
            boleto: { tax_id: taxId },
            billing_details: {
              name,
              email,
              address: {
                line1: address.street,
                city: address.city,
                state: address.state,
                postal_code: address.zipCode,
                country: 'BR',
              },
            },
          },
          payment_method_options: {
            boleto: { expires_after_days: Math.max(0, daysBetween(saoPauloDateOf(now), lastDay)) },
          },
          metadata: { [REFERENCE]: chargeId },
        },
        { idempotencyKey: keyOf.charge(chargeId) },
      ),
    );
    // Stripe repeats its first answer to a repeated request, although the boleto may have been closed since.
    const intent = await intents.get(readIntent(body).id);
    if (intent === null) throw new ProviderError('RETRY', 'Stripe does not find its payment intent yet');
    return answerOf(intent, request, lastDay);
  } catch (error) {
    if (!(error instanceof StripeCallError)) throw error;
    return afterFailure(intents, request, lastDay, error);
  }
}

/**
 * An earlier request may have issued the boleto, so a refusal is final only if there is no intent. A stored failure of
 * Stripe means that this key can create nothing any more: another charge has to replace this one.
 */
async function afterFailure(
  intents: StripeIntents,
  request: IssueBoleto,
  lastDay: CivilDate,
  error: StripeCallError,
): Promise<IssueAnswer<IssuedBoleto>> {
  if (error.status === 409) return { outcome: 'PENDING', pollAfterMs: POLL_AFTER_MS };
  if (!error.isRefusal && !error.isOtherRequest && !error.isReplay) throw error;
  const [there] = await intents.findAll(request.chargeId);
  if (there !== undefined) return answerOf(there, request, lastDay);
  if (error.isRefusal) return { outcome: 'REFUSED', reason: error.message };
  return { outcome: 'DEAD', reason: 'Stripe has failed to issue it' };
}

function answerOf(
  intent: StripeIntent,
  { chargeId }: IssueBoleto,
  lastDay: CivilDate,
): IssueAnswer<IssuedBoleto> {
  const { status, next_action: action, last_payment_error: failure } = intent;
  const details = action?.boleto_display_details;
  switch (status) {
    case 'requires_action':
      if (details == null) throw new ProviderError('RETRY', 'Stripe shows no boleto yet');
      return {
        outcome: 'ISSUED',
        issued: {
          reference: chargeId,
          barCode: barCodeOfVoucher(details.number, intent.livemode),
          voucherUrl: details.hosted_voucher_url ?? null,
          voucherPdfUrl: details.pdf ?? null,
          reportedBy: saoPauloMidnight(addDays(addBusinessDays(lastDay, BUSINESS_DAYS_TO_REPORT), 1)),
        },
      };
    case 'requires_payment_method': {
      const code = failure?.code ?? 'no code';
      return code === EXPIRED
        ? { outcome: 'DEAD', reason: 'its voucher has expired' }
        : { outcome: 'REFUSED', reason: `Stripe refuses the boleto: ${code}` };
    }
    case 'succeeded':
      // Stripe no longer shows its number, so no row can be made. The payment is one of a charge that was never stored.
      return { outcome: 'DEAD', reason: 'its voucher was paid before the charge was stored' };
    case 'canceled':
      return { outcome: 'DEAD', reason: 'it was cancelled' };
    default:
      return { outcome: 'PENDING', pollAfterMs: POLL_AFTER_MS };
  }
}
