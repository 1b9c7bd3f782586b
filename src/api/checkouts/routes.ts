import { checkoutWorkflowId } from '../../../workflows/checkout.contract.ts';
import { type Checkout, CheckoutEntity } from '../../database/entities/checkout.ts';
import type { CheckoutFrequency } from '../../domain/checkout.ts';
import { checkoutView, exampleCheckout, exampleCheckoutId, presentCheckout } from '../../wire/checkout.ts';
import { type PageQuery, paginate } from '../frame/pagination.ts';
import type { ApiRequest } from '../frame/request.ts';
import { listRoute, type Route, route } from '../frame/route.ts';
import { refundRoute } from '../refunds/refund-route.ts';
import { cancelCheckout } from './cancel-checkout.ts';
import { createCheckout } from './create-checkout.ts';
import { exampleCheckoutBody, examplePaidCheckout } from './examples.ts';
import { checkoutFilter, findCheckout } from './queries.ts';
import {
  byCheckoutId,
  checkoutIdBody,
  createCheckoutBody,
  type ListCheckoutsQuery,
  listCheckoutsQuery,
  simulateBody,
  simulatedCheckout,
} from './schema.ts';
import { simulatePayment } from './simulate-payment.ts';

/** Shows the one checkout a request is about, and names it and its workflow in the request's log line. */
export function presentOne(request: ApiRequest, checkout: Checkout) {
  request.about.checkoutId = checkout.id;
  request.about.workflowId = checkoutWorkflowId(checkout.id);
  return presentCheckout(checkout, request.deps.publicUrl);
}

/** A page of checkouts, of one kind or of all. */
export async function listCheckouts(
  request: ApiRequest<ListCheckoutsQuery & PageQuery & { readonly limit: number }>,
  frequency: CheckoutFrequency | null,
) {
  const { em, key, query, deps } = request;
  const filter = await checkoutFilter(em, key, query, frequency);
  const { items, pagination } = await paginate<Checkout>(request, CheckoutEntity, filter, query.limit);
  return { items: items.map((checkout) => presentCheckout(checkout, deps.publicUrl)), pagination };
}

/** Hosted checkouts (spec, "Checkout"; contract section 5). Payment links are checkouts too. */
export const checkoutRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/checkouts/create',
    summary: 'Create a checkout',
    description:
      'Send the payer to `url`. It can be paid once and expires after 30 days; with `MULTIPLE_PAYMENTS` it is a payment link. ' +
      'Products keep the price that they have now. `interest` and `fine` are for its boletos.',
    permission: 'CHECKOUT:CREATE',
    body: createCheckoutBody,
    response: checkoutView,
    errors: ['NOT_ACCEPTABLE', 'COUPON_NOT_ACCEPTED', 'NO_PAYMENT_PROVIDER'],
    example: { body: exampleCheckoutBody, response: exampleCheckout },
    handler: async (request) => presentOne(request, await createCheckout(request)),
  }),
  route({
    method: 'GET',
    path: '/checkouts/get',
    summary: 'Get a checkout or payment link',
    permission: 'CHECKOUT:READ',
    query: byCheckoutId,
    response: checkoutView,
    errors: ['NOT_FOUND'],
    example: { response: exampleCheckout },
    handler: async (request) =>
      presentOne(request, await findCheckout(request.em, request.key, request.query.id, null)),
  }),
  listRoute({
    path: '/checkouts/list',
    alias: 'POST',
    summary: 'List checkouts and payment links, newest first',
    permission: 'CHECKOUT:READ',
    query: listCheckoutsQuery,
    response: checkoutView,
    errors: [],
    example: { response: exampleCheckout },
    handler: (request) => listCheckouts(request, null),
  }),
  route({
    method: 'POST',
    path: '/checkouts/cancel',
    summary: 'Cancel an unpaid checkout or a payment link',
    description:
      'Nothing can be paid through it any more, and what its payers have begun is closed. One that is cancelled already is ' +
      'returned as it is; one that was paid first answers 422.',
    permission: 'CHECKOUT:DELETE',
    body: checkoutIdBody,
    response: checkoutView,
    errors: ['NOT_FOUND', 'INVALID_STATE', 'TEMPORARILY_UNAVAILABLE'],
    example: { body: { id: exampleCheckoutId }, response: { ...exampleCheckout, status: 'CANCELLED' } },
    handler: async (request) => presentOne(request, await cancelCheckout(request, null)),
  }),
  route({
    method: 'POST',
    path: '/checkouts/simulate-payment',
    summary: 'Pay a checkout or payment link in dev mode',
    description:
      'Does what a payer would on the page, so that you can test without a browser. A checkout that is paid already is ' +
      'returned as it is. Test cards: 4242424242424242 is approved; 4000000000000002, 4000000000009995, 4000000000000127, ' +
      '4000000000000069 and 4000000000000101 are declined.',
    permission: 'CHECKOUT:READ',
    body: simulateBody,
    response: simulatedCheckout,
    errors: [
      'NOT_FOUND',
      'WRONG_ENVIRONMENT',
      'INVALID_STATE',
      'NOT_ACCEPTABLE',
      'INVALID_TAX_ID',
      'COUPON_NOT_ACCEPTED',
      'CARD_NOT_ACCEPTED',
      'CARD_DECLINED',
      'NO_PAYMENT_PROVIDER',
      'TEMPORARILY_UNAVAILABLE',
    ],
    example: {
      body: { id: exampleCheckoutId, method: 'CARD', card: { number: '4242424242424242' } },
      response: examplePaidCheckout,
    },
    handler: async (request) => {
      const { checkout, paymentId } = await simulatePayment(request);
      return { ...presentOne(request, checkout), paymentId };
    },
  }),
  refundRoute({
    scope: 'checkouts',
    summary: 'Refund a payment of a checkout',
    description:
      '`id` is the id of the checkout, for its own (of a subscription its first) payment, or of one of its charges: an ' +
      "upsell, or a subscription's renewal. The checkout becomes `REFUNDED` with its own payment; a subscription goes on.",
    exampleId: exampleCheckoutId,
  }),
];
