import { METHODS } from '../charges/methods/index.ts';
import { type Charge, NEW_CHARGE } from '../database/entities/charge.ts';
import type { Checkout } from '../database/entities/checkout.ts';
import type { Customer } from '../database/entities/customer.ts';
import type { FailureReason, PaymentMethod } from '../domain/charge.ts';
import { boletoDeadlines, decidedAtOnce, pixDeadlines } from '../domain/charge-deadlines.ts';
import { type CheckoutItem, totalCentsOf } from '../domain/checkout.ts';
import { addDays, saoPauloDateOf } from '../domain/civil-date.ts';
import type { ChargeId } from '../domain/ids.ts';
import { type PlatformFees, platformFeeCentsOf } from '../domain/platform-fee.ts';
import { mintId } from '../ids.ts';
import type { Beneficiary } from '../providers/ports/payment.ts';
import { sandboxBrCode } from '../providers/sandbox/sandbox-provider.ts';
import { anyOf, CAMPAIGNS, isLucky, upTo } from './people-and-goods.ts';

/** The store that is filled, and the fees on its payments. */
export interface Shop {
  readonly storeId: Charge['storeId'];
  readonly platformFees: PlatformFees;
  /** The beneficiary named by its codes. */
  readonly beneficiary: Beneficiary;
  /** The end of the year: nothing happens later. */
  readonly now: Date;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** How long a demo code can be paid. */
const PIX_SECONDS = 24 * 60 * 60;

/** The share of payers who pay, by method. */
const PAID_SHARE: Readonly<Record<PaymentMethod, number>> = { PIX: 0.82, CARD: 0.88, BOLETO: 0.65 };

const DECLINES: readonly FailureReason[] = [
  'insufficient_funds',
  'card_declined',
  'incorrect_cvc',
  'expired_card',
  'suspected_fraud',
];

/** A new charge for these items, before its result is decided. */
export function newSale(
  shop: Shop,
  sale: {
    readonly customer: Customer;
    readonly items: readonly CheckoutItem[];
    readonly method: PaymentMethod;
    readonly checkout: Checkout | null;
    readonly at: Date;
  },
): Charge {
  const { customer, items, method, checkout, at } = sale;
  const id = mintId<ChargeId>(METHODS[method].idKind, at);
  const amountCents = totalCentsOf(items);
  const deadlines = {
    PIX: () => pixDeadlines(PIX_SECONDS, at),
    CARD: () => decidedAtOnce(at),
    BOLETO: () => boletoDeadlines(addDays(saoPauloDateOf(at), 3), null, null),
  }[method]();
  return {
    ...NEW_CHARGE,
    id,
    storeId: shop.storeId,
    devMode: true,
    method,
    amountCents,
    platformFeeCents: platformFeeCentsOf(shop.platformFees, method, amountCents),
    description: items.map(({ name }) => name).join(', '),
    externalId: checkout === null ? `pedido-${id.slice(-8).toLowerCase()}` : null,
    utm: checkout === null ? anyOf(CAMPAIGNS) : null,
    customerId: customer.id,
    customerNamedBy: checkout === null || checkout.customerId !== null ? 'MERCHANT' : 'PAYER',
    payerName: customer.name,
    payerTaxId: customer.taxId,
    payerEmail: customer.email,
    provider: 'sandbox',
    providerReference: method === 'CARD' ? id : id.slice(-25),
    brCode:
      method === 'CARD'
        ? null
        : sandboxBrCode({ amountCents, description: null, beneficiary: shop.beneficiary }, id.slice(-25)),
    dueDate: method === 'BOLETO' ? addDays(saoPauloDateOf(at), 3) : null,
    checkoutId: checkout?.id ?? null,
    submissionKey: checkout === null ? null : id,
    items: checkout === null ? null : items,
    ...(method === 'CARD' && demoCard()),
    ...deadlines,
    createdAt: at,
    updatedAt: at,
    workflowStartedAt: at,
  };
}

/** A test card that is always approved. */
export function demoCard() {
  const random = Array.from({ length: 32 }, () => upTo(16).toString(16)).join('');
  return {
    cardToken: `sandbox_approved_${random}`,
    cardBrand: 'visa',
    cardLastFour: '4242',
    // The same for all payments of a customer, who pays all with one card.
    cardExpiryMonth: `${new Date().getUTCFullYear() + 2}-12`,
    installmentsCount: 1,
  };
}

/** How a charge ends, if it has ended by now: most are paid, cards are declined at once, and unpaid codes expire. */
export function ended(shop: Shop, charge: Charge): Charge {
  const method = charge.method as PaymentMethod;
  if (isLucky(PAID_SHARE[method])) {
    const afterMs = { PIX: upTo(30) * MINUTE_MS, CARD: 2_000, BOLETO: upTo(3) * DAY_MS }[method];
    const paidAt = new Date(charge.createdAt.getTime() + afterMs);
    return paidAt < shop.now ? paid(shop, charge, paidAt) : left(charge);
  }
  if (method === 'CARD') {
    const failureReason = anyOf(DECLINES);
    return {
      ...charge,
      status: 'FAILED',
      failureReason,
      updatedAt: new Date(charge.createdAt.getTime() + 2_000),
    };
  }
  return charge.closesAt < shop.now
    ? { ...charge, status: 'EXPIRED', updatedAt: charge.closesAt }
    : left(charge);
}

/** Paid, and settled if that day has passed. */
export function paid(shop: Shop, charge: Charge, paidAt: Date): Charge {
  const settlesAt = METHODS[charge.method].settlesAt(paidAt);
  return {
    ...charge,
    status: 'PAID',
    paidAmountCents: charge.amountCents,
    paidAt,
    settlesAt,
    settledAt: settlesAt <= shop.now ? settlesAt : null,
    updatedAt: paidAt,
  };
}

/**
 * Still open: the sweeper starts its workflow, which ends it like any other. A payment started on a checkout's page is cancelled
 * instead, because its payer may try another method next.
 */
export function left(charge: Charge): Charge {
  if (charge.method !== 'CARD' && charge.checkoutId === null) return { ...charge, workflowStartedAt: null };
  return { ...charge, status: 'CANCELLED', updatedAt: new Date(charge.createdAt.getTime() + MINUTE_MS) };
}
