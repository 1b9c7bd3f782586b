import { type Coupon, CouponEntity } from '../../database/entities/coupon.ts';
import { CustomerEntity } from '../../database/entities/customer.ts';
import { type Product, ProductEntity } from '../../database/entities/product.ts';
import type { Em } from '../../database/orm.ts';
import { type CheckoutItem, itemOf } from '../../domain/checkout.ts';
import { isOver, isUsedUp } from '../../domain/coupon.ts';
import type { ProductCycle } from '../../domain/cycle.ts';
import type { CustomerId, ProductId } from '../../domain/ids.ts';
import { type ApiError, brokenRule } from '../frame/errors.ts';
import { keptBy, ownedBy } from '../frame/rows.ts';
import type { Caller } from '../keys/caller.ts';

/**
 * Checks the objects that a checkout refers to: they must belong to the caller, exist and be of the right
 * kind. Errors name the field.
 */

/** A product with a cycle. */
export type Plan = Product & { readonly cycle: ProductCycle };

/** An item as a request names it. */
export interface Ordered {
  readonly id: string;
  readonly quantity: number;
}

/** The items with their current products, and a refusal of each one that cannot be sold in a checkout. */
export async function soldItems(
  em: Em,
  caller: Caller,
  items: readonly (Ordered | null)[],
): Promise<{ readonly items: CheckoutItem[]; readonly wrong: ApiError[] }> {
  const byId = await productsNamed(
    em,
    caller,
    items.flatMap((item) => item?.id ?? []),
  );
  const sold: CheckoutItem[] = [];
  const wrong: ApiError[] = [];
  for (const [index, item] of items.entries()) {
    if (item === null) continue;
    const product = byId.get(item.id);
    const path = `items[${index}].id`;
    if (product === undefined) wrong.push(unknownProduct(path));
    else if (product.archivedAt !== null) wrong.push(archived(path));
    else if (product.cycle !== null)
      wrong.push(brokenRule('PRODUCT_HAS_CYCLE', path, 'has a cycle; use subscriptions/create for it'));
    else sold.push(itemOf(product, item.quantity));
  }
  return { items: sold, wrong };
}

/**
 * Products by the names in a request: their ids, or the merchant's own. An id wins over the same text as somebody's own name.
 * @param kept products that are found by their ids although they are deleted.
 */
export async function productsNamed(
  em: Em,
  caller: Caller,
  names: readonly string[],
  kept: readonly ProductId[] = [],
): Promise<ReadonlyMap<string, Product>> {
  const where = {
    ...ownedBy(caller),
    $or: [
      { id: { $in: names as ProductId[] }, deletedAt: null },
      { externalId: { $in: [...names] }, deletedAt: null },
      ...(kept.length === 0 ? [] : [{ id: { $in: kept.filter((id) => names.includes(id)) } }]),
    ],
  };
  const products = await em.find(ProductEntity, where, { disableIdentityMap: true });
  return new Map<string, Product>([
    ...products.map((product) => [product.externalId, product] as const),
    ...products.map((product) => [product.id, product] as const),
  ]);
}

export function unknownProduct(path: string): ApiError {
  return brokenRule('UNKNOWN_PRODUCT', path, 'is not a product of this store and environment');
}

/** The current product of a subscription. @throws ApiError 422 that names `path` */
export async function soldPlan(em: Em, caller: Caller, id: string, path: string): Promise<Plan> {
  const product = (await productsNamed(em, caller, [id])).get(id);
  if (product === undefined) throw unknownProduct(path);
  refuseArchived(product, path);
  if (!isPlan(product))
    throw brokenRule('PRODUCT_WITHOUT_CYCLE', path, 'has no cycle; use checkouts/create for it');
  return product;
}

/** @throws ApiError 422 that names `path` */
export function refuseArchived({ archivedAt }: Product, path: string): void {
  if (archivedAt !== null) throw archived(path);
}

export function archived(path: string): ApiError {
  return brokenRule('PRODUCT_ARCHIVED', path, 'is archived; call products/restore to sell it again');
}

function isPlan(product: Product): product is Plan {
  return product.cycle !== null;
}

/** What a checkout refers to besides its products. */
export interface References {
  readonly customerId?: string | null | undefined;
  /** Null for a code that is no text. */
  readonly coupons: readonly (string | null)[];
  readonly upSellProductId?: string | null | undefined;
}

/** What a request refers to, with a refusal of everything that the caller does not have or that cannot be used (contract section 5). */
export async function namedReferences(
  em: Em,
  caller: Caller,
  named: References,
  now: Date,
): Promise<{ readonly upSellProductId: ProductId | null; readonly wrong: ApiError[] }> {
  const upSell = await namedUpSell(em, caller, named.upSellProductId);
  const wrong = [
    ...(await wrongCustomer(em, caller, named.customerId)),
    ...(await wrongCoupons(em, caller, named.coupons, now)),
    ...upSell.wrong,
  ];
  return { upSellProductId: upSell.id, wrong };
}

/** The refusals of {@link namedReferences}. */
export async function wrongReferences(
  em: Em,
  caller: Caller,
  named: References,
  now: Date,
): Promise<ApiError[]> {
  const { wrong } = await namedReferences(em, caller, named, now);
  return wrong;
}

async function wrongCustomer(em: Em, caller: Caller, id: References['customerId']): Promise<ApiError[]> {
  if (!id) return [];
  const count = await em.count(CustomerEntity, { ...keptBy(caller), id: id as CustomerId });
  if (count > 0) return [];
  return [brokenRule('UNKNOWN_CUSTOMER', 'customerId', 'is not a customer of this store and environment')];
}

/** Why a new checkout cannot name a coupon. One whose validity begins later is allowed: the payer may come later. */
function problemOf(coupon: Coupon | undefined, now: Date) {
  if (coupon === undefined) return ['COUPON_UNKNOWN', 'is unknown'] as const;
  if (isUsedUp(coupon)) return ['COUPON_EXPIRED', 'is used up'] as const;
  if (isOver(coupon, now)) return ['COUPON_OUTSIDE_VALIDITY', 'is no longer valid'] as const;
  return coupon.status === 'INACTIVE' ? (['COUPON_INACTIVE', 'is inactive'] as const) : null;
}

/** Coupons that are unknown, inactive, used up or no longer valid. */
async function wrongCoupons(
  em: Em,
  caller: Caller,
  codes: References['coupons'],
  now: Date,
): Promise<ApiError[]> {
  if (codes.length === 0) return [];
  const where = { ...keptBy(caller), code: { $in: codes.filter((code) => code !== null) } };
  const coupons = await em.find(CouponEntity, where, { disableIdentityMap: true });
  return codes.flatMap((code, index) => {
    if (code === null) return [];
    const problem = problemOf(
      coupons.find((found) => found.code === code),
      now,
    );
    return problem === null ? [] : [brokenRule(problem[0], `coupons[${index}]`, problem[1])];
  });
}

async function namedUpSell(em: Em, caller: Caller, name: References['upSellProductId']) {
  if (!name) return { id: null, wrong: [] };
  const product = (await productsNamed(em, caller, [name])).get(name);
  const message = 'is not a one-off product of this store and environment';
  if (product?.cycle !== null)
    return { id: null, wrong: [brokenRule('NO_ONE_OFF_PRODUCT', 'upSellProductId', message)] };
  return { id: product.id, wrong: product.archivedAt === null ? [] : [archived('upSellProductId')] };
}
