import type { ProductId } from './ids.ts';
import type { UsageCycle } from './usage-cycle.ts';

/**
 * Once, as often as there are payers (a payment link), or every cycle from the first payment on (contract
 * section 5.1).
 */
export const CHECKOUT_FREQUENCIES = ['ONE_TIME', 'MULTIPLE_PAYMENTS', 'SUBSCRIPTION'] as const;
export type CheckoutFrequency = (typeof CHECKOUT_FREQUENCIES)[number];

/** Contract section 5. A payment link stays PENDING however often it is paid. */
export const CHECKOUT_STATUSES = ['PENDING', 'PAID', 'EXPIRED', 'CANCELLED', 'REFUNDED'] as const;
export type CheckoutStatus = (typeof CHECKOUT_STATUSES)[number];

/**
 * A line of a checkout, with what the product was when the checkout was made: later changes to it do not
 * change the price.
 */
export interface CheckoutItem {
  readonly productId: ProductId;
  readonly name: string;
  readonly imageUrl: string | null;
  readonly quantity: number;
  readonly unitPriceCents: number;
  /** For a plan whose usage is charged more often than the plan: how often. */
  readonly usageCycle?: UsageCycle;
}

/** What an item takes from its product. */
interface SoldProduct {
  readonly id: ProductId;
  readonly name: string;
  readonly imageUrl: string | null;
  readonly priceCents: number;
  readonly usageCycle: UsageCycle | null;
}

/** An item of a product at its current price. */
export function itemOf(product: SoldProduct, quantity = 1): CheckoutItem {
  const { id: productId, name, imageUrl, priceCents: unitPriceCents, usageCycle } = product;
  const item = { productId, name, imageUrl, quantity, unitPriceCents };
  return usageCycle === null ? item : { ...item, usageCycle };
}

/**
 * Whether a card of this checkout is charged again without being entered again: by the cycles of a subscription, or for
 * the upsell that the confirmation page offers.
 */
export function mayChargeAgain({
  frequency,
  upSellProductId,
}: {
  readonly frequency: CheckoutFrequency;
  readonly upSellProductId: ProductId | null;
}): boolean {
  return frequency === 'SUBSCRIPTION' || upSellProductId !== null;
}

/** `2 × Caneca`; one of a product is only its name. */
export function itemText({ name, quantity }: Pick<CheckoutItem, 'name' | 'quantity'>): string {
  return quantity === 1 ? name : `${quantity} × ${name}`;
}

/** `Camiseta, 2 × Caneca`. */
export function itemsText(items: readonly CheckoutItem[]): string {
  return items.map(itemText).join(', ');
}

/** The sum of the items, in cents, before any coupon. */
export function totalCentsOf(items: readonly CheckoutItem[]): number {
  return items.reduce((sum, { quantity, unitPriceCents }) => sum + quantity * unitPriceCents, 0);
}

/** What is paid at least per installment (contract section 5). */
export const MIN_INSTALLMENT_CENTS = 1_000;

/** The most installments that a card payment of this amount may have: 1 where it cannot be divided. */
export function maxInstallmentsFor(amountCents: number, offered: number): number {
  return Math.max(1, Math.min(offered, Math.floor(amountCents / MIN_INSTALLMENT_CENTS)));
}

/**
 * The amounts of a card payment's installments; one of them has the cents that are left over.
 * @param amountCents at least `count` cents.
 * @param lastIsLarger whether that is the last one, and not the first.
 */
export function installmentAmountsCents(amountCents: number, count: number, lastIsLarger = false): number[] {
  const each = Math.floor(amountCents / count);
  const larger = lastIsLarger ? count - 1 : 0;
  return Array.from({ length: count }, (_, index) =>
    index === larger ? amountCents - each * (count - 1) : each,
  );
}

/**
 * @returns the address as it may be linked to, or null unless it is an absolute http or https one without
 *   credentials.
 */
export function linkableUrl(address: string | null): string | null {
  const url = address === null ? null : URL.parse(address);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return null;
  return url.username === '' && url.password === '' ? url.href : null;
}
