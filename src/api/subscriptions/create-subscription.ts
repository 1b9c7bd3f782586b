import { beneficiaryOf } from '../../charges/new-charge.ts';
import type { Checkout } from '../../database/entities/checkout.ts';
import { itemOf } from '../../domain/checkout.ts';
import { itemsOfPlan, withAddOns } from '../../domain/subscribed-plan.ts';
import { mayReceiveDebits } from '../../mandates/new-mandate.ts';
import type { MandateTerms } from '../../providers/ports/mandates.ts';
import { soldAddOns } from '../checkouts/add-ons.ts';
import { openCheckout } from '../checkouts/create-checkout.ts';
import { refusalIn } from '../checkouts/draft-rules.ts';
import { soldPlan, wrongReferences } from '../checkouts/references.ts';
import { type ApiError, brokenRule, together } from '../frame/errors.ts';
import type { ApiRequest } from '../frame/request.ts';
import { requireKeptCards, requireProvider, requireProviders } from '../frame/require-provider.ts';
import { MANDATE_AMOUNTS } from '../mandates/pix-automatic.ts';
import type { CreateSubscriptionBody } from './schema.ts';

/**
 * Creates the checkout whose first payment starts the subscription (contract section 6).
 * @throws ApiError 422 that names every product, coupon and payment method that is refused.
 */
export async function createSubscription(
  request: ApiRequest<unknown, CreateSubscriptionBody>,
): Promise<Checkout> {
  const { em, key, body, now } = request;
  await requireProviders(request, body.methods);
  const mandates = body.pixAutomatic === undefined ? null : await requireMandates(request);
  // Later cycles charge the card without its payer.
  if (body.methods.includes('CARD'))
    requireKeptCards(await requireProvider(request, 'CARD', 'methods'), 'methods');
  const [{ id, quantity } = { id: '', quantity: 0 }] = body.items;
  const plan = await soldPlan(em, key, id, 'items[0].id').catch(async (error) => {
    throw together([
      ...refusalIn(error),
      ...(await soldAddOns(em, key, body.addOns, null)).wrong,
      ...wrongInstallments(body),
      ...(await wrongReferences(em, key, body, now)),
    ]);
  });
  const beside = { productId: plan.id, cycle: plan.cycle };
  const { addOns, wrong } = await soldAddOns(em, key, body.addOns, beside);
  if (mandates !== null && plan.trialDays !== null && !mandates.codes.includes('CONSENT'))
    throw noMandate(TRIAL);
  const { maxRetry, retryEvery } = body.retryPolicy;
  const terms = {
    cycle: plan.cycle,
    trialDays: plan.trialDays,
    maxRetry,
    retryEveryDays: retryEvery,
    mandateAmount: body.pixAutomatic === undefined ? null : MANDATE_AMOUNTS[body.pixAutomatic],
  };
  const order = { ...body, frequency: 'SUBSCRIPTION', interest: null, fine: null } as const;
  const items = itemsOfPlan(withAddOns(itemOf(plan, quantity), addOns));
  return openCheckout(request, order, items, terms, [...wrong, ...wrongInstallments(body)]);
}

const TRIAL =
  'is not possible for plans with a trial at the bank of this store, which asks payers only together with a payment';

function noMandate(message: string): ApiError {
  return brokenRule('MANDATE_NOT_POSSIBLE', 'pixAutomatic', message);
}

/** @returns what the bank offers. @throws ApiError 422 if debits are not possible: not by PIX, not at the store's bank, or not for its tax id. */
async function requireMandates(request: ApiRequest<unknown, CreateSubscriptionBody>): Promise<MandateTerms> {
  const { em, key, body } = request;
  if (!body.methods.includes('PIX')) throw noMandate('is only for subscriptions whose methods have PIX');
  const { mandates } = await requireProvider(request, 'PIX', 'methods');
  if (mandates === undefined)
    throw noMandate('is not offered by the bank of this store: without it, each cycle is paid by a code');
  const { taxId } = await beneficiaryOf(em, key.storeId);
  if (!mayReceiveDebits(mandates, taxId))
    throw noMandate('is only for stores with a CNPJ: Bacen lets companies alone receive debits');
  return mandates;
}

function wrongInstallments({ card }: CreateSubscriptionBody): ApiError[] {
  if ((card?.maxInstallments ?? 1) === 1) return [];
  const message = 'must be 1: each cycle of a subscription is charged in one payment';
  return [brokenRule('INSTALLMENTS_OF_SUBSCRIPTION', 'card.maxInstallments', message)];
}
