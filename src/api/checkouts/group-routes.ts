import type { z } from 'zod';
import { checkoutWorkflowId } from '../../../workflows/checkout.contract.ts';
import type { Checkout } from '../../database/entities/checkout.ts';
import type { CheckoutFrequency } from '../../domain/checkout.ts';
import { checkoutView, exampleCheckoutId, presentCheckout } from '../../wire/checkout.ts';
import { type ApiError, brokenRule } from '../frame/errors.ts';
import { reachTemporal } from '../frame/reach-temporal.ts';
import type { ApiRequest } from '../frame/request.ts';
import { listRoute, type Route, route } from '../frame/route.ts';
import { createCheckout } from './create-checkout.ts';
import { wrongReferencesOfDraft } from './draft-rules.ts';
import { pageOfCheckouts, requireCheckout } from './queries.ts';
import {
  byCheckoutId,
  type CreateCheckoutBody,
  checkoutIdBody,
  exampleCheckoutBody,
  listCheckoutsQuery,
} from './schema.ts';
import { presentCheckouts, withSubscription } from './subscription-status.ts';

interface Texts {
  readonly summary: string;
  readonly description: string;
}

/** The differences between the routes of payment links and those of all checkouts. */
interface CheckoutGroup {
  readonly path: '/checkouts' | '/payment-links';
  /** Only checkouts of this kind; null for any. */
  readonly frequency: CheckoutFrequency | null;
  readonly example: z.output<typeof checkoutView>;
  readonly create: Texts & { readonly body: z.ZodType<CreateCheckoutBody> };
  readonly get: Pick<Texts, 'summary'>;
  readonly list: Pick<Texts, 'summary'> & Pick<Route, 'alias'>;
  readonly cancel: Texts;
}

/** Adds the ids of a checkout and its workflow to the request's log line. */
export function aboutCheckout({ about }: ApiRequest, { id }: Checkout): void {
  about.checkoutId = id;
  about.workflowId = checkoutWorkflowId(id);
}

/** Presents the checkout of a request. */
export async function presentOne(request: ApiRequest, checkout: Checkout) {
  aboutCheckout(request, checkout);
  const [, subscription] = await withSubscription(request.em, checkout);
  return presentCheckout(checkout, request.deps.publicUrl, subscription);
}

/** Routes that checkouts and payment links share: create, get, list and cancel. */
export function groupRoutes(group: CheckoutGroup) {
  const { path, frequency, example } = group;
  return [
    route({
      ...group.create,
      method: 'POST',
      path: `${path}/create`,
      permission: 'CHECKOUT:CREATE',
      givesWayToPayments: true,
      response: checkoutView,
      errors: ['NOT_ACCEPTABLE', 'COUPON_NOT_ACCEPTED', 'NO_PAYMENT_PROVIDER'],
      draftRules: wrongReferencesOfDraft,
      example: { body: exampleCheckoutBody, response: example },
      handler: async (request) => presentOne(request, await createCheckout(request)),
    }),
    route({
      ...group.get,
      method: 'GET',
      path: `${path}/get`,
      permission: 'CHECKOUT:READ',
      query: byCheckoutId,
      response: checkoutView,
      errors: ['NOT_FOUND'],
      example: { response: example },
      handler: async (request) =>
        presentOne(request, await requireCheckout(request.em, request.key, request.query.id, frequency)),
    }),
    listRoute({
      ...group.list,
      path: `${path}/list`,
      permission: 'CHECKOUT:READ',
      query: listCheckoutsQuery,
      response: checkoutView,
      errors: [],
      example: { response: example },
      handler: async (request) =>
        presentCheckouts(request, await pageOfCheckouts(request, frequency), presentCheckout),
    }),
    route({
      ...group.cancel,
      method: 'POST',
      path: `${path}/cancel`,
      permission: 'CHECKOUT:DELETE',
      waitsForWorkflow: true,
      audited: true,
      body: checkoutIdBody,
      response: checkoutView,
      errors: ['NOT_FOUND', 'INVALID_STATE', 'TEMPORARILY_UNAVAILABLE'],
      example: { body: { id: exampleCheckoutId }, response: { ...example, status: 'CANCELLED' } },
      handler: async (request) => presentOne(request, await cancelCheckout(request, frequency)),
    }),
  ] as const;
}

/**
 * Cancels an open checkout or payment link. Returns an already cancelled one unchanged.
 * @throws ApiError 422 if it has ended in another way, 503 if Temporal is unreachable.
 */
export async function cancelCheckout(
  request: ApiRequest<unknown, { readonly id: string }>,
  frequency: CheckoutFrequency | null,
): Promise<Checkout> {
  const { em, key, body, deps, requestId } = request;
  const found = await requireCheckout(em, key, body.id, frequency);
  if (found.status === 'CANCELLED') return found;
  if (found.status !== 'PENDING') throw refusal(found);
  await request.expectLine(found.id, undefined, [found.id]);
  await reachTemporal(request, () => deps.checkoutUpdates.cancel(found, requestId));
  const checkout = await requireCheckout(em, key, body.id, frequency);
  if (checkout.status !== 'CANCELLED') throw refusal(checkout);
  return checkout;
}

function refusal({ status }: Checkout): ApiError {
  return brokenRule('NOT_OPEN', null, `The checkout is ${status} and can no longer be cancelled`);
}
