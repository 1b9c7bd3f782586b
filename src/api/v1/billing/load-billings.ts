import type { Checkout } from '../../../database/entities/checkout.ts';
import { type Customer, CustomerEntity } from '../../../database/entities/customer.ts';
import type { Em } from '../../../database/orm.ts';
import type { CheckoutId, ProductId } from '../../../domain/ids.ts';

/** A checkout or payment link with what v1 shows of it. */
export interface LoadedBilling {
  readonly checkout: Checkout;
  readonly customer: Customer | null;
  /** The products of all loaded checkouts, deleted ones included. */
  readonly externalIds: ReadonlyMap<ProductId, string>;
  /** The payment that paid it; null while it is unpaid. */
  readonly payment: BillingPayment | null;
}

interface BillingPayment {
  /** The platform's fee. */
  readonly feeCents: number;
  /** The coupon used; empty without one. */
  readonly codes: readonly string[];
}

/** Loads what v1 shows of checkouts and payment links: three statements for all of them. */
export async function loadBillings(em: Em, checkouts: readonly Checkout[]): Promise<LoadedBilling[]> {
  const customers = await customersOf(em, checkouts);
  const externalIds = await externalIdsOf(em, checkouts);
  const payments = await paymentsOf(em, checkouts);
  return checkouts.map((checkout) => ({
    checkout,
    customer: customers.get(checkout.customerId) ?? null,
    externalIds,
    payment: payments.get(checkout.id) ?? null,
  }));
}

async function customersOf(em: Em, checkouts: readonly Checkout[]) {
  const ids = checkouts.flatMap(({ customerId }) => customerId ?? []);
  const found = await em.find(CustomerEntity, { id: { $in: ids } }, { disableIdentityMap: true });
  return new Map<string | null, Customer>(found.map((customer) => [customer.id, customer]));
}

async function paymentsOf(
  em: Em,
  checkouts: readonly Checkout[],
): Promise<ReadonlyMap<CheckoutId, BillingPayment>> {
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
