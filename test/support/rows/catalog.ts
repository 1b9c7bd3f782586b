import type { CouponView } from '../../../src/api/coupons/schema.ts';
import type { CustomerView } from '../../../src/api/customers/schema.ts';
import type { ProductView } from '../../../src/api/products/schema.ts';
import { type ApiClient, dataOf } from '../api/api-client.ts';

let made = 0;

/**
 * Creates a customer over the API, without tax id unless one is given. @param data changes and adds fields.
 */
export async function buildCustomer(
  api: ApiClient,
  data: Record<string, unknown> = {},
): Promise<CustomerView> {
  const { metadata = {}, ...fields } = data;
  const body = { data: { email: 'ana@example.com', name: 'Ana Souza', ...fields }, metadata };
  return dataOf(await api.post('/v2/customers/create', body));
}

/** The body of a product of R$ 25.00 that would be accepted, each with an `externalId` of its own. */
export function productBody(changes: Record<string, unknown> = {}) {
  made += 1;
  return { externalId: `product-${made}`, name: 'Camiseta', price: 2500, currency: 'BRL', ...changes };
}

/** Creates a product over the API. @param changes changes and adds fields of {@link productBody}. */
export async function buildProduct(
  api: ApiClient,
  changes: Record<string, unknown> = {},
): Promise<ProductView> {
  return dataOf(await api.post('/v2/products/create', productBody(changes)));
}

/** The body of a coupon of 10 % without a cap that would be accepted, each with a `code` of its own. */
export function couponBody(changes: Record<string, unknown> = {}) {
  made += 1;
  return { code: `COUPON-${made}`, discountKind: 'PERCENTAGE', discount: 10, ...changes };
}

/** Creates a coupon over the API. @param changes changes and adds fields of {@link couponBody}. */
export async function buildCoupon(
  api: ApiClient,
  changes: Record<string, unknown> = {},
): Promise<CouponView> {
  return dataOf(await api.post('/v2/coupons/create', couponBody(changes)));
}
