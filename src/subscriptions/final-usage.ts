import { insertCharge } from '../charges/insert-charge.ts';
import { beneficiaryOf, newCharge } from '../charges/new-charge.ts';
import { payerColumns } from '../database/charge-payer.ts';
import { type Charge, ChargeEntity } from '../database/entities/charge.ts';
import { type Checkout, CheckoutEntity, NEW_CHECKOUT } from '../database/entities/checkout.ts';
import { CustomerEntity } from '../database/entities/customer.ts';
import { ProductEntity } from '../database/entities/product.ts';
import { type Subscription, SubscriptionEntity } from '../database/entities/subscription.ts';
import type { Em } from '../database/orm.ts';
import { usageOfCycle } from '../database/usage-of-cycle.ts';
import { FINAL_USAGE_SUBMISSION } from '../domain/charge.ts';
import { collectedFromCard } from '../domain/charge-deadlines.ts';
import { type CheckoutItem, totalCentsOf } from '../domain/checkout.ts';
import { type UsageOfProduct, usedCents } from '../domain/cycle-usage.ts';
import { usageItems } from '../domain/final-usage.ts';
import type { ChargeId, CheckoutId, SubscriptionId } from '../domain/ids.ts';
import { type CustomerLink, NO_CUSTOMER, type Payer } from '../domain/payer.ts';
import { METHOD_TRAITS } from '../domain/payment-methods.ts';
import { LEAST_PRORATED_CENTS } from '../domain/proration.ts';
import { mintId } from '../ids.ts';
import type { PaymentProvider } from '../providers/provider.ts';
import { ProviderError } from '../providers/provider-error.ts';
import type { SubscriptionDeps } from './effects.ts';
import { foundOf } from './found-for-opening.ts';

/** A payer may have to be found by the store first. */
const PAYABLE_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1_000;

/** What a subscription owes for usage when it ends. */
export interface FinalUsage {
  /** What is left to pay, per product. */
  readonly items: readonly CheckoutItem[];
  readonly usageCents: number;
  readonly used: readonly UsageOfProduct[];
  /** What the subscription's credit pays of it. */
  readonly creditUsedCents: number;
  readonly payer: Payer;
}

/**
 * The usage of a locked subscription that no cycle has charged; null if nothing is charged for it: its plan does not charge
 * it, the credit covers it, or less than R$ 1.00 is left.
 */
export async function finalUsageOf(em: Em, subscription: Subscription): Promise<FinalUsage | null> {
  const { id, cycleNumber, creditCents } = subscription;
  const used = await usageOfCycle(em, { id, number: cycleNumber + 1 });
  const usageCents = usedCents(used);
  const creditUsedCents = Math.min(Math.max(0, creditCents), usageCents);
  const items = usageItems(used, creditUsedCents);
  if (totalCentsOf(items) < LEAST_PRORATED_CENTS || !(await billsFinalUsage(em, subscription))) return null;
  const { payer } = await foundOf(em, subscription, cycleNumber + 1);
  return { items, usageCents, used, creditUsedCents, payer };
}

/** Whether the plan charges usage that no cycle has charged. */
async function billsFinalUsage(em: Em, { plan }: Subscription): Promise<boolean> {
  const product = { id: plan.productId, billsFinalUsage: true };
  return (await em.count(ProductEntity, product)) > 0;
}

/**
 * Writes the checkout that charges the usage of a subscription that ends, in the transaction that ends it. The card on file is
 * charged without its payer; a payer without a card, or whose card is declined, pays on the checkout's page. The sweeper
 * starts the checkout's workflow, since nothing waits for it.
 * @returns what changes in the subscription's row.
 */
export async function writeFinalUsage(
  deps: SubscriptionDeps,
  tx: Em,
  subscription: Subscription,
  now: Date,
): Promise<Pick<Subscription, 'finalUsage' | 'creditCents'> | null> {
  const owed = await finalUsageOf(tx, subscription);
  if (owed === null) return null;
  const providers = await providersOrNone(deps, subscription);
  const customer = await describedCustomer(tx, subscription, owed.payer);
  const checkout = checkoutFor({ ...subscription, ...customer }, owed, [...providers.keys()], now);
  await tx.insert(CheckoutEntity, checkout);
  const { method, cardToken } = subscription;
  const issuer = METHOD_TRAITS[method].keepsInstrument ? providers.get(method) : undefined;
  if (issuer !== undefined && cardToken !== null)
    await insertCharge(tx, await cardCharge(deps, tx, { subscription, checkout, owed, issuer }, now));
  return {
    finalUsage: { checkoutId: checkout.id, amountCents: checkout.amountCents },
    creditCents: subscription.creditCents - owed.creditUsedCents,
  };
}

/** Starts the charge of {@link writeFinalUsage}, if there is one. May be repeated. */
export async function startFinalCharge(deps: SubscriptionDeps, id: SubscriptionId, now: Date): Promise<void> {
  const em = deps.database.em.fork();
  const { finalUsage } = await em.findOneOrFail(SubscriptionEntity, { id }, { disableIdentityMap: true });
  if (finalUsage === null) return;
  const own = { checkoutId: finalUsage.checkoutId, submissionKey: FINAL_USAGE_SUBMISSION };
  const charge = await em.findOne(ChargeEntity, { ...own, status: 'PENDING' }, { disableIdentityMap: true });
  if (charge !== null) await deps.startAttempt(charge, id, now);
}

type Method = 'PIX' | 'CARD';

/** A cancellation does not wait for an account that this process cannot use: the payer pays on the page then. */
async function providersOrNone(
  { providers }: SubscriptionDeps,
  { storeId, devMode, method }: Subscription,
): Promise<ReadonlyMap<Method, PaymentProvider | undefined>> {
  try {
    const serving = await providers.providersOf({ storeId, devMode });
    const others = (['PIX', 'CARD'] as const).filter((each) => each !== method && serving.has(each));
    return new Map([method, ...others].map((each) => [each, serving.get(each)] as const));
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return new Map([[method, undefined]]);
  }
}

/**
 * The subscription's customer, if the merchant named them or their record says what its payer has said; else none. A payer who
 * only typed a tax id is linked to its customer, who may be somebody else, and the page of a checkout names its customer.
 */
async function describedCustomer(
  tx: Em,
  { customerId, customerNamedBy }: Subscription,
  { name, taxId, email }: Payer,
): Promise<CustomerLink> {
  const id = customerId;
  const record =
    id && (await tx.findOne(CustomerEntity, { id, deletedAt: null }, { disableIdentityMap: true }));
  if (!record) return NO_CUSTOMER;
  const isSame = record.name === name && record.taxId === taxId && record.email === email;
  return isSame || customerNamedBy === 'MERCHANT' ? { customerId, customerNamedBy } : NO_CUSTOMER;
}

type Owner = Pick<Subscription, 'storeId' | 'devMode' | 'customerId' | 'customerNamedBy'>;

function checkoutFor(
  { storeId, devMode, customerId, customerNamedBy }: Owner,
  { items }: FinalUsage,
  methods: Checkout['methods'],
  now: Date,
): Checkout {
  return {
    ...NEW_CHECKOUT,
    ...{ id: mintId<CheckoutId>('checkout', now), storeId, devMode },
    ...{ customerId, customerNamedBy },
    ...{ frequency: 'ONE_TIME', amountCents: totalCentsOf(items), items, methods, coupons: [] },
    ...{ expiresAt: new Date(now.getTime() + PAYABLE_DAYS * DAY_MS), createdAt: now, updatedAt: now },
  };
}

interface CardOrder {
  readonly subscription: Subscription;
  readonly checkout: Checkout;
  readonly owed: FinalUsage;
  readonly issuer: PaymentProvider;
}

async function cardCharge(
  { platformFee }: SubscriptionDeps,
  tx: Em,
  { subscription, checkout, owed, issuer }: CardOrder,
  now: Date,
): Promise<Charge> {
  const { storeId, devMode, cardToken, cardBrand, cardLastFour, cardExpiryMonth } = subscription;
  const { customerId, customerNamedBy } = subscription;
  const unlimited = () => new Error(`${checkout.id} is paid by card, which has no such limits`);
  const charge = await newCharge({
    ...{ storeId, devMode, amountCents: checkout.amountCents, description: null, payer: owed.payer, now },
    beneficiary: () => beneficiaryOf(tx, storeId),
    platformFees: platformFee,
    idOf: () => mintId<ChargeId>('cardCharge', now),
    beyondLimits: unlimited,
    nobodyToPay: unlimited,
    method: 'CARD',
    provider: issuer,
    terms: { cardToken, cardBrand, cardLastFour, cardExpiryMonth, installmentsCount: 1 },
  });
  return {
    ...charge,
    ...collectedFromCard(now),
    ...payerColumns(owed.payer),
    ...{ customerId, customerNamedBy, checkoutId: checkout.id },
    ...{ submissionKey: FINAL_USAGE_SUBMISSION, items: checkout.items },
    workflowStartedAt: now,
  };
}
