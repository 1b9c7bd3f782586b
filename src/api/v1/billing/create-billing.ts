import { recordCustomer } from '../../../customers/record-customer.ts';
import type { Checkout } from '../../../database/entities/checkout.ts';
import { NO_SUBSCRIPTION, openCheckout, totalOf } from '../../checkouts/create-checkout.ts';
import { bareTaxId } from '../../customers/fields.ts';
import { brokenRule } from '../../frame/errors.ts';
import type { ApiRequest } from '../../frame/request.ts';
import { requireProviders } from '../../frame/require-provider.ts';
import { billedItems } from './billed-items.ts';
import type { CreateBillingBody } from './schema.ts';

type CreateRequest = ApiRequest<unknown, CreateBillingBody>;

/**
 * Creates a checkout or payment link with its products and customer in one transaction, so that a refused
 * billing leaves nothing behind.
 * @throws ApiError 422 that names the product, coupon or payment method that is refused.
 */
export async function createBilling(request: CreateRequest): Promise<Checkout> {
  await requireProviders(request, request.body.methods);
  const { products, allowCoupons, coupons, customer: _, ...asked } = request.body;
  const taxId = customerTaxId(request.body);
  return request.transaction(async () => {
    const items = await billedItems(request, products);
    totalOf(items, 'products');
    const customerId = await customerOf(request, taxId);
    const usable = allowCoupons ? coupons : [];
    const order = { ...asked, customerId, allowCoupons, coupons: usable, interest: null, fine: null };
    return openCheckout(request, order, items, NO_SUBSCRIPTION);
  });
}

/** @throws ApiError 422 if the customer cannot be used for this billing. */
function customerTaxId({ customer, customerId }: CreateBillingBody): string | null {
  if (!customer) return null;
  if (customerId)
    throw brokenRule('CUSTOMER_SENT_TWICE', 'customerId', 'must not be sent together with customer');
  return bareTaxId(customer.taxId, 'customer.taxId');
}

async function customerOf({ em, key, body, now }: CreateRequest, taxId: string | null) {
  if (!body.customer || taxId === null) return body.customerId;
  return (await recordCustomer(em, key, { ...body.customer, taxId }, now)).id;
}
