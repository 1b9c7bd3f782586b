import { type Checkout, CheckoutEntity } from '../../database/entities/checkout.ts';
import { type Customer, CustomerEntity } from '../../database/entities/customer.ts';
import { ProductEntity } from '../../database/entities/product.ts';
import { type Store, StoreEntity } from '../../database/entities/store.ts';
import type { Em } from '../../database/orm.ts';
import { storeTimeOf } from '../../database/store-clock.ts';
import { type CheckoutId, ID_PREFIX, type ProductId } from '../../domain/ids.ts';
import { NOTICES } from '../frame/notice-page.ts';
import { NoticeError, type PageDeps } from '../frame/page-context.ts';
import { type LoadedSubscription, loadSubscription } from './load-subscription.ts';

/** A checkout and whom it is between. */
export interface LoadedCheckout {
  /** The store's time: it decides what is open, and what is due. */
  readonly now: Date;
  /** The same where the clock of a dev environment was moved; null where it shows real time. */
  readonly movedTo: Date | null;
  readonly checkout: Checkout;
  /** Whom the money goes to, with what they say of themselves. */
  readonly store: Store;
  readonly merchantName: string;
  /** What the products of its items are, where the store says so. */
  readonly descriptions: ReadonlyMap<ProductId, string>;
  /** Whom the integrator named as the payer, unless their data was erased. */
  readonly customer: Customer | null;
  /** What its first payment has made of it. */
  readonly subscription: LoadedSubscription | null;
}

/** Ids as `mintId` makes them; anything else never reaches Postgres. */
const CHECKOUT_ID = new RegExp(`^${ID_PREFIX.checkout}[0-9A-Z]{26}$`);

/** @throws NoticeError 404 where there is no such checkout. */
export async function findCheckout(em: Em, id: string): Promise<Checkout> {
  const checkout = CHECKOUT_ID.test(id)
    ? await em.findOne(CheckoutEntity, { id: id as CheckoutId }, { disableIdentityMap: true })
    : null;
  if (checkout === null) throw new NoticeError(404, NOTICES.noCheckout);
  return checkout;
}

/** Adds the merchant's name, the customer, the subscription, and what the store's clock shows. */
export async function withParties(em: Em, checkout: Checkout, realNow: Date): Promise<LoadedCheckout> {
  const { storeId, customerId } = checkout;
  const [now, store, customer, subscription, descriptions] = await Promise.all([
    storeTimeOf(em, checkout, realNow),
    em.findOneOrFail(StoreEntity, { id: storeId }),
    customerId === null ? null : em.findOne(CustomerEntity, { id: customerId, deletedAt: null }),
    loadSubscription(em, checkout),
    descriptionsOf(em, checkout),
  ]);
  const movedTo = now > realNow ? now : null;
  return { now, movedTo, checkout, store, merchantName: store.name, descriptions, customer, subscription };
}

/**
 * Offers what the store's provider accounts can do now. Where they can do nothing of it, all is offered: whoever chooses
 * is told why it cannot be paid.
 */
export async function offeringPossible(
  { providers }: Pick<PageDeps, 'providers'>,
  loaded: LoadedCheckout,
): Promise<LoadedCheckout> {
  const storeProviders = await providers.providersOf(loaded.checkout);
  const methods = loaded.checkout.methods.filter((method) => storeProviders.has(method));
  return methods.length === 0 ? loaded : { ...loaded, checkout: { ...loaded.checkout, methods } };
}

/** Also of products that are no longer sold. */
async function descriptionsOf(em: Em, { items }: Checkout): Promise<ReadonlyMap<ProductId, string>> {
  const id = { $in: items.map(({ productId }) => productId) };
  const products = await em.find(
    ProductEntity,
    { id, description: { $ne: null } },
    { fields: ['description'] },
  );
  return new Map(products.map((product) => [product.id, product.description ?? '']));
}
