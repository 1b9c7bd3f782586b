import type { Checkout } from '../../../database/entities/checkout.ts';
import { CustomerEntity } from '../../../database/entities/customer.ts';
import type { Em } from '../../../database/orm.ts';
import { chargeMethodsOf } from '../../../domain/charge.ts';
import type { CheckoutId, ProductId } from '../../../domain/ids.ts';
import { type PlatformFees, platformFeeCentsOf } from '../../../domain/platform-fee.ts';
import { presentV1Customer } from '../customer.ts';
import { type BillingView, isV1Method } from './schema.ts';

/**
 * Checkouts and payment links in the v1 format, with their customers and products (deleted ones included) and
 * payments.
 */
export async function presentBillings(
  em: Em,
  checkouts: readonly Checkout[],
  { publicUrl, platformFee }: { readonly publicUrl: string; readonly platformFee: PlatformFees },
): Promise<BillingView[]> {
  const customers = await customersOf(em, checkouts);
  const externalIds = await externalIdsOf(em, checkouts);
  const payments = await paymentsOf(em, checkouts);
  const feeOf = ({ methods, amountCents }: Checkout) =>
    platformFeeCentsOf(platformFee, chargeMethodsOf(methods)[0] ?? 'PIX', amountCents);
  return checkouts.map((checkout) => ({
    id: checkout.id,
    externalId: checkout.externalId,
    url: `${publicUrl}/pay/${checkout.id}`,
    status: checkout.status,
    devMode: checkout.devMode,
    methods: chargeMethodsOf(checkout.methods).filter(isV1Method),
    products: checkout.items.map(({ productId, quantity }) => ({
      id: productId,
      externalId: externalIds.get(productId) ?? '',
      quantity,
    })),
    frequency: checkout.frequency === 'MULTIPLE_PAYMENTS' ? 'MULTIPLE_PAYMENTS' : 'ONE_TIME',
    amount: checkout.amountCents,
    nextBilling: null,
    customer: customers.get(checkout.customerId) ?? null,
    allowCoupons: checkout.allowCoupons,
    coupons: checkout.coupons,
    couponsUsed: payments.get(checkout.id)?.codes ?? [],
    metadata: {
      ...checkout.metadata,
      fee: payments.get(checkout.id)?.feeCents ?? feeOf(checkout),
      returnUrl: checkout.returnUrl ?? '',
      completionUrl: checkout.completionUrl ?? '',
    },
    createdAt: checkout.createdAt.toISOString(),
    updatedAt: checkout.updatedAt.toISOString(),
  }));
}

async function customersOf(em: Em, checkouts: readonly Checkout[]) {
  const ids = checkouts.flatMap(({ customerId }) => customerId ?? []);
  const found = await em.find(CustomerEntity, { id: { $in: ids } }, { disableIdentityMap: true });
  return new Map<string | null, BillingView['customer']>(
    found.map((customer) => [customer.id, presentV1Customer(customer)]),
  );
}

/** The payment of each PAID billing: the platform's fee, and the coupon used. */
async function paymentsOf(em: Em, checkouts: readonly Checkout[]) {
  const ids = checkouts.flatMap(({ paidByChargeId }) => paidByChargeId ?? []);
  const rows =
    ids.length === 0
      ? []
      : await em.execute<{ checkout_id: CheckoutId; fee_cents: string; code: string | null }[]>(
          `select charges.checkout_id, charges.platform_fee_cents::text as fee_cents, coupons.code
           from charges left join coupons on coupons.id = charges.coupon_id
           where charges.id in (select json_array_elements_text(:ids::json))`,
          { ids: JSON.stringify(ids) },
        );
  return new Map(
    rows.map(({ checkout_id, fee_cents, code }) => [
      checkout_id,
      { feeCents: Number(fee_cents), codes: code === null ? [] : [code] },
    ]),
  );
}

/**
 * Passes the ids as one JSON text, because a page may name more products than a statement may have
 * parameters.
 */
async function externalIdsOf(em: Em, checkouts: readonly Checkout[]): Promise<Map<ProductId, string>> {
  const ids = new Set(checkouts.flatMap(({ items }) => items.map(({ productId }) => productId)));
  const found = await em.execute<{ id: ProductId; external_id: string }[]>(
    'select id, external_id from products where id in (select json_array_elements_text(:ids::json))',
    { ids: JSON.stringify([...ids]) },
  );
  return new Map(found.map(({ id, external_id }) => [id, external_id]));
}
