import { type Checkout, NEW_CHECKOUT } from '../database/entities/checkout.ts';
import type { Coupon } from '../database/entities/coupon.ts';
import type { Customer } from '../database/entities/customer.ts';
import type { Product } from '../database/entities/product.ts';
import { type CheckoutItem, totalCentsOf } from '../domain/checkout.ts';
import type { CheckoutId, CouponId, CustomerId, ProductId } from '../domain/ids.ts';
import { mintId } from '../ids.ts';
import { type GOODS, inventPerson, upTo } from './people-and-goods.ts';
import type { Shop } from './sales.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

export function newCustomer({ storeId }: Shop, at: Date): Customer {
  return {
    id: mintId<CustomerId>('customer', at),
    storeId,
    devMode: true,
    ...inventPerson(),
    taxIdHash: null,
    cellphone: null,
    zipCode: null,
    country: 'BR',
    metadata: {},
    typedByPayer: false,
    createdAt: at,
    updatedAt: at,
    deletedAt: null,
  };
}

export function productOf(
  { storeId }: Shop,
  { name, priceCents, cycle }: (typeof GOODS)[number],
  at: Date,
): Product {
  const id = mintId<ProductId>('product', at);
  const externalId = `demo-${id.slice(-8).toLowerCase()}`;
  const made = {
    ...{ createdAt: at, updatedAt: at, deletedAt: null, archivedAt: null, madeBySale: false },
    billsFinalUsage: cycle !== null,
    usageCycle: null,
    usagePrice: null,
  };
  const texts = { name, description: null, imageUrl: null, fileUrl: null };
  return { id, storeId, devMode: true, externalId, ...texts, priceCents, cycle, trialDays: null, ...made };
}

export function itemOf(
  { id: productId, name, priceCents: unitPriceCents }: Product,
  quantity: number,
): CheckoutItem {
  return { productId, name, imageUrl: null, quantity, unitPriceCents };
}

export function checkoutOf({ storeId }: Shop, items: readonly CheckoutItem[], at: Date): Checkout {
  return {
    ...NEW_CHECKOUT,
    id: mintId<CheckoutId>('checkout', at),
    storeId,
    devMode: true,
    frequency: 'ONE_TIME',
    amountCents: totalCentsOf(items),
    items,
    methods: ['PIX', 'CARD', 'BOLETO'],
    coupons: [],
    externalId: `carrinho-${upTo(1_000_000)}`,
    maxInstallments: 3,
    expiresAt: new Date(at.getTime() + 30 * DAY_MS),
    createdAt: at,
    updatedAt: at,
    workflowStartedAt: at,
  };
}

export function linkOf(shop: Shop, product: Product | undefined, at: Date): Checkout {
  if (product === undefined) throw new RangeError('the shop sells nothing');
  const link = checkoutOf(shop, [itemOf(product, 1)], at);
  return { ...link, frequency: 'MULTIPLE_PAYMENTS', expiresAt: null, externalId: 'link-da-bio' };
}

export function couponOf({ storeId }: Shop, at: Date): Coupon {
  return {
    id: mintId<CouponId>('coupon', at),
    storeId,
    devMode: true,
    code: `CAFE${upTo(1_000_000_000)}`,
    discountKind: 'PERCENTAGE' as const,
    discountValue: 1_000,
    maxRedeems: -1,
    redeemsCount: 0,
    reservedCount: 0,
    status: 'ACTIVE' as const,
    validFrom: null,
    duration: 'ONCE',
    durationCycles: null,
    validUntil: null,
    notes: 'Dez por cento para quem volta',
    metadata: {},
    createdAt: at,
    updatedAt: at,
    deletedAt: null,
  };
}
