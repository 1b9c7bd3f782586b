import { type CheckoutSummary, checkoutSummaries } from '../../../api/checkouts/checkout-summaries.ts';
import { listCheckouts } from '../../../api/checkouts/routes.ts';
import { listPaymentLinks } from '../../../api/payment-links/routes.ts';
import { listProducts } from '../../../api/products/routes.ts';
import type { ProductView } from '../../../api/products/schema.ts';
import { itemsText } from '../../../domain/checkout.ts';
import type { ShownCheckout } from '../../../wire/checkout.ts';
import { cycleText } from '../catalog/cycle-text.ts';
import { standingName } from '../checkouts/standing.ts';
import type { Visit } from '../frame/visit.ts';
import { methodName } from '../words.ts';
import { type Column, sheet } from './sheet.ts';

const CREATED = ['createdFrom', 'createdTo'] as const;

interface CheckoutRow {
  readonly checkout: ShownCheckout;
  readonly summary: CheckoutSummary | undefined;
}

const CHECKOUT_COLUMNS: readonly Column<CheckoutRow>[] = [
  { heading: 'dashboard.exports.sent.heading', value: ({ checkout }) => ({ at: checkout.createdAt }) },
  { heading: 'dashboard.product', value: ({ summary }) => itemsText(summary?.items ?? []) },
  { heading: 'dashboard.customer', value: ({ summary }) => summary?.customerName ?? null },
  {
    heading: 'dashboard.status',
    value: ({ checkout, summary }, say) => standingName(checkout, summary, say),
  },
  { heading: 'dashboard.amount', value: ({ checkout }) => ({ cents: checkout.amount }) },
  { heading: 'dashboard.exports.what.heading', value: ({ checkout }) => ({ cents: checkout.paidAmount }) },
  {
    heading: 'dashboard.method',
    value: ({ checkout }, say) => checkout.methods.map((method) => methodName(method, say)).join(', '),
  },
  { heading: 'dashboard.exports.expiresAt', value: ({ checkout }) => ({ at: checkout.expiresAt }) },
  { heading: 'dashboard.yourId', value: ({ checkout }) => checkout.externalId },
  { heading: 'dashboard.exports.link', value: ({ checkout }) => checkout.url },
  { heading: 'dashboard.exports.id', value: ({ checkout }) => checkout.id },
];

const common = {
  days: CREATED,
  dated: 'dashboard.exports.created2',
  async rows({ em, caller }: Visit, items: readonly ShownCheckout[]): Promise<readonly CheckoutRow[]> {
    const ids = items.map(({ id }) => id);
    const summaries = await checkoutSummaries(em, caller, ids);
    return items.map((checkout) => ({ checkout, summary: summaries.get(checkout.id) }));
  },
  columns: () => CHECKOUT_COLUMNS,
} as const;

/** All checkouts, also payment links and those of subscriptions. */
export const checkoutsSheet = sheet<ShownCheckout, CheckoutRow>({
  ...common,
  id: 'checkouts',
  name: 'dashboard.checkoutsAndLinks',
  file: 'dashboard.exports.checkouts',
  operation: listCheckouts,
});

export const linksSheet = sheet<ShownCheckout, CheckoutRow>({
  ...common,
  id: 'links',
  name: 'dashboard.checkouts.paymentLinks',
  file: 'dashboard.exports.links',
  operation: listPaymentLinks,
});

export const productsSheet = sheet<ProductView, ProductView>({
  id: 'products',
  name: 'dashboard.products',
  file: 'dashboard.exports.products',
  operation: listProducts,
  days: CREATED,
  dated: 'dashboard.exports.created2',
  rows: async (_, items) => items,
  columns: () => [
    { heading: 'dashboard.name', value: ({ name }) => name },
    { heading: 'dashboard.catalog.price', value: ({ price }) => ({ cents: price }) },
    { heading: 'dashboard.catalog.charged', value: ({ cycle }, say) => cycleText({ say }, cycle) },
    { heading: 'dashboard.exports.trialDays', value: ({ trialDays }) => trialDays },
    {
      heading: 'dashboard.status',
      value: ({ status }, say) =>
        say(status === 'ARCHIVED' ? 'dashboard.catalog.archived' : 'dashboard.catalog.onSale'),
    },
    { heading: 'dashboard.description', value: ({ description }) => description },
    { heading: 'dashboard.yourId', value: ({ externalId }) => externalId },
    { heading: 'dashboard.exports.sent.heading', value: ({ createdAt }) => ({ at: createdAt }) },
    { heading: 'dashboard.exports.id', value: ({ id }) => id },
  ],
});
