import { itemOf } from '../../checkouts/accept-up-sell.ts';
import { CouponEntity } from '../../database/entities/coupon.ts';
import { CustomerEntity } from '../../database/entities/customer.ts';
import { type Product, ProductEntity } from '../../database/entities/product.ts';
import type { Em } from '../../database/orm.ts';
import type { CheckoutItem } from '../../domain/checkout.ts';
import { couponStatusOf } from '../../domain/coupon.ts';
import type { ProductCycle } from '../../domain/cycle.ts';
import type { CustomerId, ProductId } from '../../domain/ids.ts';
import { brokenRule } from '../frame/errors.ts';
import { keptBy } from '../frame/rows.ts';
import type { Caller } from '../keys/caller.ts';
import type { CreateCheckoutBody } from './schema.ts';

/**
 * Checks the objects that a checkout refers to: they must belong to the caller, exist and be of the right
 * kind. Errors name the field.
 */

/** A product with a cycle. */
export type Plan = Product & { readonly cycle: ProductCycle };

/** The items with their current products. @throws ApiError 422 */
export async function soldItems(
  em: Em,
  caller: Caller,
  items: CreateCheckoutBody['items'],
): Promise<CheckoutItem[]> {
  const ids = items.map(({ id }) => id as ProductId);
  const products = await em.find(
    ProductEntity,
    { ...keptBy(caller), id: { $in: ids } },
    { disableIdentityMap: true },
  );
  const byId = new Map<string, Product>(products.map((product) => [product.id, product]));
  return items.map(({ id, quantity }, index) => {
    const product = byId.get(id);
    const path = `items[${index}].id`;
    if (product === undefined)
      throw brokenRule('UNKNOWN_PRODUCT', path, 'is not a product of this store and environment');
    refuseArchived(product, path);
    if (product.cycle !== null)
      throw brokenRule('PRODUCT_HAS_CYCLE', path, 'has a cycle; use subscriptions/create for it');
    return itemOf(product, quantity);
  });
}

/** The current product of a subscription. @throws ApiError 422 that names `path` */
export async function soldPlan(em: Em, caller: Caller, id: string, path: string): Promise<Plan> {
  const where = { ...keptBy(caller), id: id as ProductId };
  const product = await em.findOne(ProductEntity, where, { disableIdentityMap: true });
  if (product === null)
    throw brokenRule('UNKNOWN_PRODUCT', path, 'is not a product of this store and environment');
  refuseArchived(product, path);
  if (!isPlan(product))
    throw brokenRule('PRODUCT_WITHOUT_CYCLE', path, 'has no cycle; use checkouts/create for it');
  return product;
}

/** @throws ApiError 422 that names `path` */
export function refuseArchived({ archivedAt }: Product, path: string): void {
  if (archivedAt === null) return;
  throw brokenRule('PRODUCT_ARCHIVED', path, 'is archived; call products/restore to sell it again');
}

function isPlan(product: Product): product is Plan {
  return product.cycle !== null;
}

/** @throws ApiError 422 unless the id is one of the caller's customers. */
export async function checkCustomer(
  em: Em,
  caller: Caller,
  customerId: string | null | undefined,
): Promise<void> {
  if (!customerId) return;
  const count = await em.count(CustomerEntity, { ...keptBy(caller), id: customerId as CustomerId });
  if (count === 0)
    throw brokenRule('UNKNOWN_CUSTOMER', 'customerId', 'is not a customer of this store and environment');
}

/** A coupon is EXPIRED by its uses, not by a date. */
const COUPON_STATES = { UNKNOWN: 'unknown', INACTIVE: 'inactive', EXPIRED: 'used up' } as const;

/** @throws ApiError 422 if a coupon is unknown, inactive or used up (contract section 5). */
export async function checkCoupons(em: Em, caller: Caller, codes: readonly string[]): Promise<void> {
  if (codes.length === 0) return;
  const where = { ...keptBy(caller), code: { $in: [...codes] } };
  const coupons = await em.find(CouponEntity, where, { disableIdentityMap: true });
  for (const [index, code] of codes.entries()) {
    const coupon = coupons.find((found) => found.code === code);
    const status = coupon === undefined ? 'UNKNOWN' : couponStatusOf(coupon);
    if (status !== 'ACTIVE') {
      throw brokenRule(`COUPON_${status}`, `coupons[${index}]`, `is ${COUPON_STATES[status]}`);
    }
  }
}

/** @throws ApiError 422 unless the id is a one-off product. */
export async function checkUpSell(
  em: Em,
  caller: Caller,
  productId: string | null | undefined,
): Promise<void> {
  if (!productId) return;
  const where = { ...keptBy(caller), id: productId as ProductId, cycle: null };
  const product = await em.findOne(ProductEntity, where, { disableIdentityMap: true });
  if (product !== null) return refuseArchived(product, 'upSellProductId');
  throw brokenRule(
    'NO_ONE_OFF_PRODUCT',
    'upSellProductId',
    'is not a one-off product of this store and environment',
  );
}
