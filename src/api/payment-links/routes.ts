import { groupRoutes } from '../checkouts/group-routes.ts';
import { createPaymentLinkBody, examplePaymentLink } from '../checkouts/schema.ts';
import type { Route } from '../frame/route.ts';
import { refundRoute } from '../refunds/refund-route.ts';

const group = groupRoutes({
  path: '/payment-links',
  frequency: 'MULTIPLE_PAYMENTS',
  example: examplePaymentLink,
  create: {
    summary: 'Create a payment link',
    description:
      'The same as `checkouts/create` with `MULTIPLE_PAYMENTS`: it does not expire, stays `PENDING`, and creates a charge for ' +
      'each payment.',
    body: createPaymentLinkBody,
  },
  get: { summary: 'Get a payment link' },
  list: { summary: 'List payment links, newest first' },
  cancel: {
    summary: 'Cancel a payment link',
    description:
      'Nobody can pay through it any more. A link that is already cancelled is returned unchanged.',
  },
});

export const [createPaymentLink, , listPaymentLinks] = group;

/** Payment links: checkouts that any number of payers can pay (contract section 5). */
export const paymentLinkRoutes: readonly Route[] = [
  ...group,
  refundRoute({
    scope: 'payment-links',
    summary: 'Refund a payment of a payment link',
    description: '`id` is the id of one payment of the link. Each payment is refunded separately.',
    exampleId: 'card_01KAK0Z7Q3C5D7E9F1G3H5J7KM',
    exampleCents: 9_800,
  }),
];
