import { type Checkout, CheckoutEntity } from '../../database/entities/checkout.ts';
import { type Customer, CustomerEntity } from '../../database/entities/customer.ts';
import { StoreEntity } from '../../database/entities/store.ts';
import type { Em } from '../../database/orm.ts';
import { type CheckoutId, ID_PREFIX } from '../../domain/ids.ts';
import { NOTICES } from '../frame/notice-page.ts';
import { NoticeError } from '../frame/page-context.ts';
import { type LoadedSubscription, loadSubscription } from './load-subscription.ts';

/** A checkout and whom it is between. */
export interface LoadedCheckout {
  readonly checkout: Checkout;
  readonly merchantName: string;
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

/** Adds the merchant's name, the customer and the subscription. */
export async function withParties(em: Em, checkout: Checkout): Promise<LoadedCheckout> {
  const { storeId, customerId } = checkout;
  const [store, customer, subscription] = await Promise.all([
    em.findOneOrFail(StoreEntity, { id: storeId }),
    customerId === null ? null : em.findOne(CustomerEntity, { id: customerId, deletedAt: null }),
    loadSubscription(em, checkout),
  ]);
  return { checkout, merchantName: store.name, customer, subscription };
}
