import type { ShownCheckout } from '../../../src/wire/checkout.ts';
import { type ApiClient, dataOf } from '../api/api-client.ts';
import { buildProduct } from './catalog.ts';

/** The body of a checkout of two shirts of R$ 25.00 that would be accepted. */
export async function checkoutBody(api: ApiClient, changes: Record<string, unknown> = {}) {
  const items = changes.items ?? [{ id: (await buildProduct(api)).id, quantity: 2 }];
  return { items, ...changes };
}

/** Creates a checkout over the API. @param changes changes and adds fields of {@link checkoutBody}. */
export async function buildCheckout(
  api: ApiClient,
  changes: Record<string, unknown> = {},
): Promise<ShownCheckout> {
  return dataOf(await api.post('/v2/checkouts/create', await checkoutBody(api, changes)));
}

/** Creates a payment link over the API. @param changes changes and adds fields of {@link checkoutBody}. */
export async function buildPaymentLink(
  api: ApiClient,
  changes: Record<string, unknown> = {},
): Promise<ShownCheckout> {
  return dataOf(await api.post('/v2/payment-links/create', await checkoutBody(api, changes)));
}
