import { offeredUpSell } from '../../checkouts/accept-up-sell.ts';
import { type Charge, ChargeEntity } from '../../database/entities/charge.ts';
import type { Checkout } from '../../database/entities/checkout.ts';
import { type Coupon, CouponEntity } from '../../database/entities/coupon.ts';
import { type Cycle, CycleEntity } from '../../database/entities/cycle.ts';
import { type Product, ProductEntity } from '../../database/entities/product.ts';
import type { Em } from '../../database/orm.ts';
import { storeTimeOf } from '../../database/store-clock.ts';
import type { ProductId } from '../../domain/ids.ts';
import { brCodeToday } from '../../providers/br-code-today.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import { findPageCharge } from '../frame/find-page-charge.ts';
import { NOTICES } from '../frame/notice-page.ts';
import { NoticeError, type PageDeps } from '../frame/page-context.ts';
import { findCheckout, type LoadedCheckout, withParties } from './load-checkout.ts';

/** One payment of a checkout, with everything its page shows. */
export interface LoadedPayment {
  readonly loaded: LoadedCheckout;
  readonly charge: Charge;
  readonly coupon: Coupon | null;
  readonly couponCode: string | null;
  /** The subscription cycle it tries to pay; null for a first payment. */
  readonly cycle: Cycle | null;
  /** Products among the items with a file to download. */
  readonly filesOf: ReadonlySet<ProductId>;
  /** The PIX code of a waiting boleto, for the amount due today; null if it has none. A waiting PIX has its own. */
  readonly boletoPix: string | null;
  /** The upsell that the confirmation offers, until it is bought. */
  readonly offer: Product | null;
  /** The payment of an accepted upsell. */
  readonly upSell: Charge | null;
}

/** @throws NoticeError 404 if the checkout does not exist, or the charge is not one of its payments. */
export async function findPayment(
  em: Em,
  checkoutId: string,
  chargeId: string,
): Promise<{ readonly checkout: Checkout; readonly charge: Charge }> {
  const [checkout, charge] = await Promise.all([findCheckout(em, checkoutId), findPageCharge(em, chargeId)]);
  if (charge === null || charge.checkoutId !== checkout.id) throw new NoticeError(404, NOTICES.noCheckout);
  return { checkout, charge };
}

/**
 * Everything the page of a payment shows, in two round trips to the database.
 * @param mayTakeUpSell whether the reader may be offered an upsell.
 */
export async function loadPayment(
  { database, providers, clock }: Pick<PageDeps, 'database' | 'providers' | 'clock'>,
  checkoutId: string,
  chargeId: string,
  mayTakeUpSell: (charge: Charge) => boolean,
): Promise<LoadedPayment> {
  const em = database.em.fork();
  const realNow = clock();
  const { checkout, charge } = await findPayment(em, checkoutId, chargeId);
  const isPaid = charge.status === 'PAID';
  const [loaded, coupon, cycle, filesOf, offered, upSell] = await Promise.all([
    withParties(em, checkout, realNow),
    couponOf(em, charge),
    cycleOf(em, charge),
    isPaid ? findFiles(em, charge) : new Set<ProductId>(),
    mayTakeUpSell(charge)
      ? storeTimeOf(em, checkout, realNow).then((now) => offeredUpSell(em, checkout, charge, now))
      : null,
    isPaid && checkout.upSellProductId !== null ? findUpSell(em, charge) : null,
  ]);
  return {
    // An upsell is not a payment of the subscription.
    loaded: charge.upsellOf === null ? loaded : { ...loaded, subscription: null },
    charge,
    coupon,
    couponCode: coupon?.code ?? null,
    cycle,
    filesOf,
    boletoPix: await boletoPixOf(charge, loaded, providers),
    offer: upSell === null ? offered : null,
    upSell,
  };
}

async function couponOf(em: Em, { couponId }: Charge): Promise<Coupon | null> {
  return couponId === null ? null : em.findOne(CouponEntity, { id: couponId });
}

async function cycleOf(em: Em, { cycleId }: Charge): Promise<Cycle | null> {
  return cycleId === null ? null : em.findOneOrFail(CycleEntity, { id: cycleId });
}

/** Includes products that are no longer sold, because the payer has paid for them. */
async function findFiles(em: Em, { items }: Charge): Promise<ReadonlySet<ProductId>> {
  const ids = (items ?? []).map(({ productId }) => productId);
  const products = await em.find(ProductEntity, { id: { $in: ids }, fileUrl: { $ne: null } });
  return new Set(products.map(({ id }) => id));
}

/** A boleto waits for its payer with or without a PIX code, so a provider that does not answer is no reason to show no page. */
async function boletoPixOf(
  charge: Charge,
  { store, now }: LoadedCheckout,
  providers: PageDeps['providers'],
): Promise<string | null> {
  if (charge.status !== 'PENDING' || charge.barCode === null) return null;
  try {
    return await brCodeToday(charge, { providers, beneficiary: store, now });
  } catch (error) {
    if (error instanceof ProviderError) return null;
    throw error;
  }
}

function findUpSell(em: Em, { id }: Charge): Promise<Charge | null> {
  const ended = { $nin: ['EXPIRED' as const, 'CANCELLED' as const, 'FAILED' as const] };
  return em.findOne(ChargeEntity, { upsellOf: id, status: ended }, { disableIdentityMap: true });
}
