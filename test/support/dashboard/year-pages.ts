import { ChargeEntity } from '../../../src/database/entities/charge.ts';
import { CheckoutEntity } from '../../../src/database/entities/checkout.ts';
import { CouponEntity } from '../../../src/database/entities/coupon.ts';
import { CustomerEntity } from '../../../src/database/entities/customer.ts';
import { ProductEntity } from '../../../src/database/entities/product.ts';
import { SubscriptionEntity } from '../../../src/database/entities/subscription.ts';
import type { Em } from '../../../src/database/orm.ts';
import type { ChargeId, StoreId } from '../../../src/domain/ids.ts';

/** The dashboard's lists, and forms that create what they show. */
export const LISTS = [
  '',
  '/payments',
  '/subscriptions',
  '/subscriptions?state=CANCELLED',
  '/checkouts',
  '/checkouts?kind=links',
  '/new-checkout',
  '/customers',
  '/products',
  '/products?status=ARCHIVED',
  '/new-product',
  '/coupons',
  '/coupons?status=EXPIRED',
  '/new-coupon',
  '/balance',
  '/sub-accounts',
  '/payouts',
  '/payouts?kind=transfers',
  '/new-payout',
  '/new-transfer',
];

/** An id of each kind of a store that `fillYear` filled. */
export type YearIds = Record<
  'payment' | 'failed' | 'open' | 'checkout' | 'link' | 'subscription' | 'customer' | 'product' | 'coupon',
  string
>;

/** Finds them, and cancels a charge: the year is random, and may end without a cancelled one, but not without expired ones. */
export async function idsOfYear(em: Em, storeId: StoreId): Promise<YearIds> {
  const one = async (entity: never, where: object) =>
    ((await em.findOneOrFail(entity, where as never)) as { readonly id: string }).id;
  const cancelled = (await one(ChargeEntity as never, { status: 'EXPIRED' })) as ChargeId;
  await em.nativeUpdate(ChargeEntity, { id: cancelled }, { status: 'CANCELLED' });
  return {
    payment: await one(ChargeEntity as never, { status: 'PAID', method: 'PIX' }),
    failed: await one(ChargeEntity as never, { status: 'FAILED', cycleId: { $ne: null } }),
    open: cancelled,
    checkout: await one(CheckoutEntity as never, { status: 'PENDING', frequency: 'ONE_TIME' }),
    link: await one(CheckoutEntity as never, { frequency: 'MULTIPLE_PAYMENTS' }),
    subscription: await one(SubscriptionEntity as never, { status: 'ACTIVE' }),
    customer: await one(CustomerEntity as never, { taxId: { $ne: null } }),
    product: await one(ProductEntity as never, { cycle: null }),
    coupon: (await em.findOneOrFail(CouponEntity, { storeId })).code,
  };
}

/** The pages of these objects. */
export function detailsOf(ids: YearIds): string[] {
  return [
    ...[ids.payment, ids.failed, ids.open].map((id) => `/payments/${id}`),
    `/checkouts/${ids.checkout}`,
    `/checkouts/${ids.link}`,
    `/subscriptions/${ids.subscription}`,
    `/customers/${ids.customer}`,
    `/products/${ids.product}`,
    `/products/${ids.product}/edit`,
    `/coupons/${ids.coupon}`,
  ];
}
