import { checkoutView, exampleCheckoutId } from '../../wire/checkout.ts';
import { cancelCheckout } from '../checkouts/cancel-checkout.ts';
import { createCheckout } from '../checkouts/create-checkout.ts';
import { exampleCheckoutBody, examplePaymentLink } from '../checkouts/examples.ts';
import { findCheckout } from '../checkouts/queries.ts';
import { listCheckouts, presentOne } from '../checkouts/routes.ts';
import {
  byCheckoutId,
  checkoutIdBody,
  createPaymentLinkBody,
  listCheckoutsQuery,
} from '../checkouts/schema.ts';
import { listRoute, type Route, route } from '../frame/route.ts';
import { refundRoute } from '../refunds/refund-route.ts';

const LINK = 'MULTIPLE_PAYMENTS';

/** Payment links: checkouts that any number of payers can pay (contract section 5). */
export const paymentLinkRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/payment-links/create',
    summary: 'Create a payment link',
    description:
      'The same as `checkouts/create` with `MULTIPLE_PAYMENTS`: it does not expire, stays `PENDING`, and each payment is a ' +
      'charge of its own.',
    permission: 'CHECKOUT:CREATE',
    body: createPaymentLinkBody,
    response: checkoutView,
    errors: ['NOT_ACCEPTABLE', 'COUPON_NOT_ACCEPTED', 'NO_PAYMENT_PROVIDER'],
    example: { body: exampleCheckoutBody, response: examplePaymentLink },
    handler: async (request) => presentOne(request, await createCheckout(request)),
  }),
  route({
    method: 'GET',
    path: '/payment-links/get',
    summary: 'Get a payment link',
    permission: 'CHECKOUT:READ',
    query: byCheckoutId,
    response: checkoutView,
    errors: ['NOT_FOUND'],
    example: { response: examplePaymentLink },
    handler: async (request) =>
      presentOne(request, await findCheckout(request.em, request.key, request.query.id, LINK)),
  }),
  listRoute({
    path: '/payment-links/list',
    summary: 'List payment links, newest first',
    permission: 'CHECKOUT:READ',
    query: listCheckoutsQuery,
    response: checkoutView,
    errors: [],
    example: { response: examplePaymentLink },
    handler: (request) => listCheckouts(request, LINK),
  }),
  route({
    method: 'POST',
    path: '/payment-links/cancel',
    summary: 'Cancel a payment link',
    description:
      'Nothing can be paid through it any more. One that is cancelled already is returned as it is.',
    permission: 'CHECKOUT:DELETE',
    body: checkoutIdBody,
    response: checkoutView,
    errors: ['NOT_FOUND', 'INVALID_STATE', 'TEMPORARILY_UNAVAILABLE'],
    example: { body: { id: exampleCheckoutId }, response: { ...examplePaymentLink, status: 'CANCELLED' } },
    handler: async (request) => presentOne(request, await cancelCheckout(request, LINK)),
  }),
  refundRoute({
    scope: 'payment-links',
    summary: 'Refund a payment of a payment link',
    description: '`id` is the id of one payment of the link: each is refunded on its own.',
    exampleId: 'card_01KAK0Z7Q3C5D7E9F1G3H5J7KM',
  }),
];
