import { type Checkout, CheckoutEntity } from '../../../database/entities/checkout.ts';
import { aboutCheckout } from '../../checkouts/group-routes.ts';
import { paginate } from '../../frame/pagination.ts';
import { presentPieces } from '../../frame/present-each.ts';
import type { ApiRequest } from '../../frame/request.ts';
import { linkedListRoute, type Route, route } from '../../frame/route.ts';
import { ownedBy } from '../../frame/rows.ts';
import { createBilling } from './create-billing.ts';
import { loadBillings } from './load-billings.ts';
import { type Presentation, presentBilling } from './presenter.ts';
import {
  type BillingView,
  billingView,
  createBillingBody,
  exampleBilling,
  exampleBillingBody,
} from './schema.ts';

function shownWith({ deps }: ApiRequest): Presentation {
  return { publicUrl: deps.publicUrl, platformFee: deps.config.platformFee };
}

/** Presents the billing of a request, and adds its id and its workflow's to the request's log line. */
async function presentOne(request: ApiRequest, checkout: Checkout): Promise<BillingView> {
  aboutCheckout(request, checkout);
  const [loaded] = await loadBillings(request.em, [checkout]);
  if (loaded === undefined) throw new Error('one billing is loaded as one');
  return presentBilling(loaded, shownWith(request));
}

/** Checkouts and payment links of v2 in the v1 format (contract section 5.10). */
export const v1BillingRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v1/billing/create',
    summary: 'Create a billing',
    description: `A checkout, or with \`MULTIPLE_PAYMENTS\` a payment link, of v2: send the payer to \`url\`. Products are created by their
\`externalId\`. A product created by an earlier billing takes on the name, description and price that you send; one created in v2
stays unchanged, and your values apply to this billing only. Earlier billings keep theirs. A product with a cycle cannot be billed in v1. The customer is found by tax id or created, and pre-fills the page; send \`customer\` or
\`customerId\`, not both. Coupons apply only with \`allowCoupons\`. \`metadata\` is returned with \`fee\`, \`returnUrl\` and
\`completionUrl\` added.`,
    permission: 'CHECKOUT:CREATE',
    givesWayToPayments: true,
    body: createBillingBody,
    response: billingView,
    errors: ['NOT_ACCEPTABLE', 'INVALID_TAX_ID', 'COUPON_NOT_ACCEPTED', 'NO_PAYMENT_PROVIDER'],
    example: { body: exampleBillingBody, response: exampleBilling },
    handler: async (request) => presentOne(request, await createBilling(request)),
  }),
  linkedListRoute({
    path: '/v1/billing/list',
    summary: 'List billings, newest first',
    description: `All checkouts and payment links, including those created in v2. Subscriptions exist only in v2, and their checkouts are
listed there. The method \`BOLETO\` is omitted from \`methods\` here.`,
    permission: 'CHECKOUT:READ',
    response: billingView,
    errors: [],
    example: { response: exampleBilling },
    async handler(request) {
      const { em, key } = request;
      const where = { ...ownedBy(key), frequency: { $ne: 'SUBSCRIPTION' as const } };
      const page = await paginate(request, CheckoutEntity, where);
      const items = await presentPieces(page.items, async (checkouts) => {
        const loaded = await loadBillings(em, checkouts);
        return loaded.map((billing) => presentBilling(billing, shownWith(request)));
      });
      return { ...page, items };
    },
  }),
];
