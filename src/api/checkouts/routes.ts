import { exampleCheckout, exampleCheckoutId } from '../../wire/checkout.ts';
import { type Route, route } from '../frame/route.ts';
import { refundRoute } from '../refunds/refund-route.ts';
import { groupRoutes, presentOne } from './group-routes.ts';
import { oneClickRoute } from './one-click.ts';
import { createCheckoutBody, examplePaidCheckout, simulateBody, simulatedCheckout } from './schema.ts';
import { paySandboxCheckout } from './simulate-payment.ts';

const group = groupRoutes({
  path: '/checkouts',
  frequency: null,
  example: exampleCheckout,
  create: {
    summary: 'Create a checkout',
    description:
      'Send the payer to `url`. A checkout can be paid once and expires after 30 days; with `MULTIPLE_PAYMENTS` it is a payment ' +
      'link. Products keep their current price. `interest` and `fine` apply to its boletos.',
    body: createCheckoutBody,
  },
  get: { summary: 'Get a checkout or payment link' },
  list: { summary: 'List checkouts and payment links, newest first', alias: 'POST' },
  cancel: {
    summary: 'Cancel an unpaid checkout or a payment link',
    description:
      'Nobody can pay through it any more, and started payments are closed. A checkout that is already cancelled ' +
      'is returned unchanged. If it was paid first, the API returns 422.',
  },
});

export const [createCheckout, getCheckout, listCheckouts, cancelCheckout] = group;

export const refundCheckoutPayment = refundRoute({
  scope: 'checkouts',
  summary: 'Refund a payment of a checkout',
  description:
    '`id` is the id of the checkout, for its own payment (for a subscription, the first one), or the id of a charge, such as an ' +
    "upsell or a subscription's renewal. Refunding a checkout's own payment makes it `REFUNDED`; a subscription continues.",
  exampleId: exampleCheckoutId,
  exampleCents: 9_800,
});

/** Hosted checkouts (contract section 5.1). Payment links are checkouts too. */
export const checkoutRoutes: readonly Route[] = [
  ...group,
  route({
    method: 'POST',
    path: '/checkouts/simulate-payment',
    summary: 'Pay a checkout or payment link in dev mode',
    description:
      'Does what a payer does on the page, so that you can test without a browser. A checkout that is already paid is ' +
      'returned unchanged; a request with another card, method, coupon or payer than its payment is refused. Test cards: 4242 4242 4242 4242 is approved; 4000 0000 0000 0002, 4000 0000 0000 9995, 4000 0000 0000 0127, ' +
      '4000 0000 0000 0069 and 4000 0000 0000 0101 are declined.',
    permission: 'CHECKOUT:READ',
    waitsForWorkflow: true,
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
      const { checkout, paymentId } = await paySandboxCheckout(request);
      return { ...(await presentOne(request, checkout)), paymentId };
    },
  }),
  oneClickRoute,
  refundCheckoutPayment,
];
