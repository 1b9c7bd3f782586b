import { lateChargeRefusals } from '../../charges/boleto-limits.ts';
import { passedFees } from '../../checkouts/passed-fees.ts';
import { ChargeEntity } from '../../database/entities/charge.ts';
import { type Checkout, CheckoutEntity } from '../../database/entities/checkout.ts';
import { type Customer, CustomerEntity } from '../../database/entities/customer.ts';
import { ProductEntity } from '../../database/entities/product.ts';
import { type Store, StoreEntity } from '../../database/entities/store.ts';
import type { Em } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import { storeTimeOf } from '../../database/store-clock.ts';
import { isCardWallet } from '../../domain/card.ts';
import type { PassedFees } from '../../domain/card-fees.ts';
import { type CheckoutMethod, chargeMethodsOf, type PaymentMethod } from '../../domain/charge.ts';
import { ID_PREFIX, type ProductId, type StoreId } from '../../domain/ids.ts';
import { merchantsEmail } from '../../domain/payer.ts';
import type { PlatformFees } from '../../domain/platform-fee.ts';
import type { BoletoTerms } from '../../providers/ports/boletos.ts';
import { type CardFields, type CardTerms, keepsCards } from '../../providers/ports/cards.ts';
import type { PixTerms } from '../../providers/ports/pix.ts';
import type { StoreProviders } from '../../providers/providers.ts';
import { NOTICES } from '../frame/notice-page.ts';
import { NoticeError, type PageDeps } from '../frame/page-context.ts';
import { type LoadedSubscription, loadSubscription } from './load-subscription.ts';

/** A checkout with its store and customer. */
export interface LoadedCheckout {
  /** The store's time: it decides what is open and what is due. */
  readonly now: Date;
  /** The store's time if the clock of its dev environment was advanced; null if it shows real time. */
  readonly movedTo: Date | null;
  readonly checkout: Checkout;
  /** The payee, with its public profile. */
  readonly store: Store;
  readonly merchantName: string;
  /** Descriptions of the items' products, if the store provides them. */
  readonly descriptions: ReadonlyMap<ProductId, string>;
  /**
   * The payer named by the integrator; null if none is named or their data was erased. Without an address that another payer has typed.
   */
  readonly customer: Customer | null;
  /** Whether the payment that paid it is being disputed. */
  readonly isDisputed: boolean;
  /** The fields of the store's provider for a card; null if the payer types it into our form, as in the sandbox. */
  readonly cardFields: CardFields | null;
  /** What the store's provider of cards can do now; null if cards are not offered. */
  readonly cardTerms: CardTerms | null;
  /** The card fees that the payer pays; null if the store pays them, empty if they are unknown now. */
  readonly passedFees: PassedFees | null;
  /** The payer types the card on the provider's own page, after this form. */
  readonly takesCardOnPage: boolean;
  /** What the boletos of the store's provider can be now; null if none are offered. */
  readonly boletoTerms: BoletoTerms | null;
  /** What the store's provider of PIX can do now; null if it is not offered. */
  readonly pixTerms: PixTerms | null;
  /** The subscription that the first payment created. */
  readonly subscription: LoadedSubscription | null;
}

type ProviderDeps = Pick<PageDeps, 'providers' | 'config'>;

const READ_CHECKOUT = statement<{ id: string }, Checkout>(
  'read a checkout for its page',
  (columns) => `select ${columns.read(CheckoutEntity, 'checkout')} from checkouts checkout where id = :id`,
);

const READ_STORE = statement<{ storeId: StoreId }, Store>(
  'read a store for its pages',
  (columns) => `select ${columns.read(StoreEntity, 'store')} from stores store where id = :storeId`,
);

/** Matches ids made by `mintId`; anything else never reaches Postgres. */
const CHECKOUT_ID = new RegExp(`^${ID_PREFIX.checkout}[0-9A-Z]{26}$`);

/** @throws NoticeError 404 if there is no such checkout. */
export async function findCheckout(em: Em, id: string): Promise<Checkout> {
  const [checkout] = CHECKOUT_ID.test(id) ? await READ_CHECKOUT(em, { id }) : [];
  if (checkout === undefined) throw new NoticeError(404, NOTICES.noCheckout);
  return checkout;
}

/** Adds the merchant's name, the customer, the subscription, and the time of the store's clock. */
export async function withParties(em: Em, checkout: Checkout, realNow: Date): Promise<LoadedCheckout> {
  const { storeId, customerId } = checkout;
  const [now, store, customer, subscription, descriptions, isDisputed] = await Promise.all([
    storeTimeOf(em, checkout, realNow),
    storeOf(em, storeId),
    customerId === null ? null : em.findOne(CustomerEntity, { id: customerId, deletedAt: null }),
    loadSubscription(em, checkout),
    descriptionsOf(em, checkout),
    isPaymentDisputed(em, checkout),
  ]);
  const movedTo = now > realNow ? now : null;
  return {
    now,
    movedTo,
    checkout,
    store,
    merchantName: store.name,
    descriptions,
    customer: customer && { ...customer, email: merchantsEmail(customer) },
    isDisputed,
    cardFields: null,
    cardTerms: null,
    passedFees: null,
    takesCardOnPage: false,
    boletoTerms: null,
    pixTerms: null,
    subscription,
  };
}

async function storeOf(em: Em, storeId: StoreId): Promise<Store> {
  const [store] = await READ_STORE(em, { storeId });
  if (store === undefined) throw new Error(`no store ${storeId}`);
  return store;
}

async function isPaymentDisputed(em: Em, { paidByChargeId: id }: Checkout): Promise<boolean> {
  return id !== null && (await em.count(ChargeEntity, { id, status: 'UNDER_DISPUTE' })) > 0;
}

/**
 * Keeps the methods that the store's accounts support now. If they support none, all are offered, so that the payer learns why
 * the payment is impossible.
 */
export async function offeringPossible(
  { providers, config }: ProviderDeps,
  loaded: LoadedCheckout,
): Promise<LoadedCheckout> {
  const storeProviders = await providers.providersOf(loaded.checkout);
  const asked = withTermsOf(storeProviders, loaded, config.platformFee);
  const methods = loaded.checkout.methods.filter((method) => isPossible(storeProviders, asked, method));
  return methods.length === 0 ? asked : { ...asked, checkout: { ...asked.checkout, methods } };
}

/**
 * A provider whose boletos have no interest or fine cannot issue those of a checkout that has them, and one that takes cards
 * on its own page stores none for a subscription. The payer cannot pay fees that are unknown.
 */
function isPossible(storeProviders: StoreProviders, loaded: LoadedCheckout, method: CheckoutMethod): boolean {
  if (isCardWallet(method)) return storeProviders.get('CARD')?.cards.wallets?.includes(method) === true;
  return IS_POSSIBLE[method](storeProviders, loaded);
}

const IS_POSSIBLE: Readonly<
  Record<PaymentMethod, (storeProviders: StoreProviders, loaded: LoadedCheckout) => boolean>
> = {
  PIX: (storeProviders) => storeProviders.has('PIX'),
  BOLETO: (storeProviders, { checkout }) => {
    const boletos = storeProviders.get('BOLETO')?.boletos;
    return boletos !== undefined && lateChargeRefusals(boletos, checkout).length === 0;
  },
  CARD: (storeProviders, { checkout, passedFees }) => {
    const cards = storeProviders.get('CARD')?.cards;
    const isKept = cards !== undefined && (keepsCards(cards) || checkout.frequency !== 'SUBSCRIPTION');
    return isKept && passedFees?.length !== 0;
  },
};

/** How the store's providers take cards now, in which fields and in how many installments, and what their boletos and PIX need. */
export async function withProviderTerms(
  { providers, config }: ProviderDeps,
  loaded: LoadedCheckout,
): Promise<LoadedCheckout> {
  return withTermsOf(await providers.providersOf(loaded.checkout), loaded, config.platformFee);
}

function withTermsOf(
  storeProviders: StoreProviders,
  loaded: LoadedCheckout,
  platformFees: PlatformFees,
): LoadedCheckout {
  const offersBoletos = loaded.checkout.methods.includes('BOLETO');
  const boletoTerms = (offersBoletos && storeProviders.get('BOLETO')?.boletos) || null;
  const offersPix = loaded.checkout.methods.includes('PIX');
  const pixTerms = (offersPix && storeProviders.get('PIX')?.pix) || null;
  return { ...withCardOf(storeProviders, loaded, platformFees), boletoTerms, pixTerms };
}

function withCardOf(
  storeProviders: StoreProviders,
  loaded: LoadedCheckout,
  platformFees: PlatformFees,
): LoadedCheckout {
  const { checkout } = loaded;
  const offersCards = chargeMethodsOf(checkout.methods).includes('CARD');
  const cards = offersCards ? storeProviders.get('CARD')?.cards : undefined;
  if (cards === undefined) return loaded;
  const maxInstallments = Math.min(checkout.maxInstallments, cards.maxInstallments);
  const cardFields = cards.entry.kind === 'PROVIDER_FIELDS' ? cards.entry.fields : null;
  const takesCardOnPage = !keepsCards(cards);
  return {
    ...loaded,
    checkout: { ...checkout, maxInstallments },
    cardFields,
    cardTerms: cards,
    passedFees: passedFees(checkout, cards, platformFees),
    takesCardOnPage,
  };
}

/** Includes products that are no longer sold. */
async function descriptionsOf(em: Em, { items }: Checkout): Promise<ReadonlyMap<ProductId, string>> {
  const id = { $in: items.map(({ productId }) => productId) };
  const products = await em.find(
    ProductEntity,
    { id, description: { $ne: null } },
    { fields: ['description'] },
  );
  return new Map(products.map((product) => [product.id, product.description ?? '']));
}
