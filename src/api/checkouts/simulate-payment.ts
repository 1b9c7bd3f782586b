import { hash } from 'node:crypto';
import { METHODS } from '../../charges/methods/index.ts';
import { approvedTestCard } from '../../checkouts/entered-card.ts';
import { payCheckout } from '../../checkouts/pay-checkout.ts';
import type { PaymentChoice } from '../../checkouts/payment-choice.ts';
import { PaymentRefusal } from '../../checkouts/payment-refusal.ts';
import { findOpenCharge, isMadeOutTo } from '../../checkouts/waiting-charge.ts';
import { type Charge, ChargeEntity } from '../../database/entities/charge.ts';
import type { Checkout } from '../../database/entities/checkout.ts';
import { CouponEntity } from '../../database/entities/coupon.ts';
import { isCardWallet } from '../../domain/card.ts';
import type { CheckoutMethod, PaymentMethod } from '../../domain/charge.ts';
import type { ChargeId } from '../../domain/ids.ts';
import { NOBODY } from '../../domain/payer.ts';
import { METHOD_TRAITS } from '../../domain/payment-methods.ts';
import { mintId } from '../../ids.ts';
import { SANDBOX_PAYER } from '../../notifications/sandbox-payments.ts';
import { ApiError, brokenRule, requireDevMode } from '../frame/errors.ts';
import { reachTemporal, temporalOutOfReach } from '../frame/reach-temporal.ts';
import type { ApiRequest } from '../frame/request.ts';
import { canonicalJson } from '../idempotency/canonical-json.ts';
import { refuseAnotherPayment } from './paid-before.ts';
import { requireCheckout } from './queries.ts';
import { refusalError } from './refusals.ts';
import type { SimulateBody } from './schema.ts';

type SimulateRequest = ApiRequest<unknown, SimulateBody>;

/** A checkout after its simulated payment. */
export interface Simulated {
  readonly checkout: Checkout;
  readonly paymentId: ChargeId | null;
}

/**
 * Pays a checkout as its page would, on behalf of the payer (contract section 3).
 * @throws ApiError 403 with a production key, 422 if it cannot be paid or the card is declined, 503 if
 * Temporal is unreachable; the payment is then decided once Temporal is back.
 */
export async function paySandboxCheckout(request: SimulateRequest): Promise<Simulated> {
  const { key, body, em } = request;
  requireDevMode(key, 'simulate-payment is for');
  const checkout = await requireCheckout(em, key, body.id, null);
  if (checkout.status === 'PAID') return paidBefore(request, checkout);
  const charge = await paid(request, await begin(request, checkout));
  request.about.chargeId = charge.id;
  if (charge.status === 'FAILED') {
    throw cardDeclined(charge.failureReason);
  }
  if (charge.status === 'PENDING') throw temporalOutOfReach();
  if (charge.status !== 'PAID') throw refusalError('NOT_OPEN');
  return { checkout: await requireCheckout(em, key, body.id, null), paymentId: charge.id };
}

/** @throws ApiError 422 if the request differs from the payment that paid the checkout. */
async function paidBefore({ em, body }: SimulateRequest, checkout: Checkout): Promise<Simulated> {
  const { paidByChargeId } = checkout;
  if (paidByChargeId !== null) {
    const paidBy = await em.findOneOrFail(ChargeEntity, { id: paidByChargeId }, { disableIdentityMap: true });
    await refuseAnotherPayment(em, checkout, paidBy, body);
  }
  return { checkout, paymentId: paidByChargeId };
}

async function begin(request: SimulateRequest, checkout: Checkout): Promise<Charge> {
  const { deps, now, requestId } = request;
  try {
    const choice = choiceOf(request, checkout);
    const waiting = await findAskedFor(request, checkout);
    return waiting ?? (await payCheckout(deps, checkout, choice, { now, requestId }));
  } catch (error) {
    if (error instanceof PaymentRefusal) throw refusalError(error.reason);
    throw error;
  }
}

/**
 * The newest PIX or boleto that the payer created on the page and that is still unpaid; the simulation pays
 * it. Null if no such charge exists, if the request asks for something else, and for a payment link, because other
 * payers may use it.
 */
async function findAskedFor({ em, body, now }: SimulateRequest, checkout: Checkout): Promise<Charge | null> {
  const { method, coupon: code } = body;
  if ((method && METHOD_TRAITS[methodOf(method)].decidedBy !== 'PAYER') || body.card) return null;
  const { storeId, devMode } = checkout;
  const coupon = code && (await em.findOne(CouponEntity, { storeId, devMode, code, deletedAt: null }));
  const charge = await findOpenCharge(em, checkout, now, {
    ...(method && { method: methodOf(method) }),
    ...(code && { couponId: coupon ? coupon.id : null }),
  });
  return charge !== null && isMadeOutTo(charge, body.payer ?? NOBODY) ? charge : null;
}

/** A card payment is already decided; the sandbox bank pays the other methods. */
async function paid(request: SimulateRequest, charge: Charge): Promise<Charge> {
  if (METHODS[charge.method].decidedBy !== 'PAYER') return charge;
  const { now, requestId } = request;
  const { sandboxPayments, database } = request.deps;
  await reachTemporal(request, () => sandboxPayments.payCharge(charge, now, requestId));
  return database.em.fork().findOneOrFail(ChargeEntity, { id: charge.id });
}

function choiceOf(request: SimulateRequest, checkout: Checkout): PaymentChoice {
  const { body, now } = request;
  const chosen = body.method ?? (body.card ? 'CARD' : (checkout.methods[0] ?? 'PIX'));
  const method = methodOf(chosen);
  if (!METHOD_TRAITS[method].takesInstallments && (body.card !== undefined || body.installments > 1)) {
    const path = body.card === undefined ? 'installments' : 'card';
    throw brokenRule('ONLY_FOR_CARDS', path, `is for the method CARD, not for ${method}`);
  }
  return {
    submissionKey: submissionKeyOf(request),
    method,
    couponCode: body.coupon ?? null,
    installmentsCount: body.installments,
    shownCardCents: null,
    card: {
      typed: {
        ...approvedTestCard(now),
        ...(body.card && { number: body.card.number }),
        ...(body.card?.expiry !== undefined && { expiry: body.card.expiry }),
      },
      wallet: isCardWallet(chosen) ? chosen : null,
    },
    payer: body.payer ?? (METHODS[method].namesPayer ? { ...NOBODY, ...SANDBOX_PAYER } : NOBODY),
  };
}

/**
 * A retry with the same `Idempotency-Key` is the same payment. The first request may have started a payment
 * although its response was a 503 or was lost.
 */
function submissionKeyOf({ idempotencyKey, body, now }: SimulateRequest): string {
  if (idempotencyKey === null) return mintId('payment', now);
  return hash('sha256', `${idempotencyKey}\n${canonicalJson(body)}`);
}

/** The method of the charge: a wallet's is a card payment. */
function methodOf(chosen: CheckoutMethod): PaymentMethod {
  return isCardWallet(chosen) ? 'CARD' : chosen;
}

function cardDeclined(reason: Charge['failureReason']): ApiError {
  const declineReason = reason ?? 'card_declined';
  return new ApiError(
    422,
    'CARD_DECLINED',
    `card: was declined: ${declineReason}`,
    undefined,
    {},
    { declineReason },
  );
}
