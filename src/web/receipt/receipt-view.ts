import { receivablesOf } from '../../charges/receivables/receivable-rows.ts';
import { payerOf, payerOfPayment } from '../../database/charge-payer.ts';
import type { Charge } from '../../database/entities/charge.ts';
import { CheckoutEntity } from '../../database/entities/checkout.ts';
import { CustomerEntity } from '../../database/entities/customer.ts';
import { CycleEntity } from '../../database/entities/cycle.ts';
import { type Payment, PaymentEntity } from '../../database/entities/payment.ts';
import { StoreEntity } from '../../database/entities/store.ts';
import type { Em } from '../../database/orm.ts';
import type { ChargeMethod } from '../../domain/charge.ts';
import { type CheckoutItem, installmentAmountsCents } from '../../domain/checkout.ts';
import { type CivilDate, saoPauloDateOf } from '../../domain/civil-date.ts';
import { NOBODY, type Payer } from '../../domain/payer.ts';
import { METHOD_TRAITS } from '../../domain/payment-methods.ts';
import type { LogoFile } from '../../domain/store-logo.ts';
import { formatTaxId } from '../../domain/tax-id.ts';
import { cardText } from '../frame/card-text.ts';
import { findPageCharge } from '../frame/find-page-charge.ts';
import type { PageDeps } from '../frame/page-context.ts';
import { payerTexts } from '../frame/payer-texts.ts';

/** Everything the receipt shows, as plain text; the page escapes it. */
export interface ReceiptView {
  readonly chargeId: string;
  /** The URL at which this receipt can be verified. */
  readonly url: string;
  readonly method: ChargeMethod;
  /** The charged amount; a late boleto is paid with more. */
  readonly amountCents: number;
  readonly paidAmountCents: number;
  readonly paidAt: Date;
  /** Readers must be able to rely on a receipt, so it shows a later refund or dispute with its time; null if there was none. */
  readonly reversal: { readonly status: 'REFUNDED' | 'UNDER_DISPUTE'; readonly at: Date } | null;
  /** The amount refunded so far of a payment that is still valid. */
  readonly refundedCents: number;
  /** The discount of a coupon. */
  readonly discountCents: number;
  /** The part of `amountCents` that is card fees, which the payer paid on top of the price. */
  readonly cardFeeCents: number;
  /** The purchased items, if it was paid through a checkout. */
  readonly items: readonly CheckoutItem[];
  /** Usage beyond the plan in the subscription cycle that this pays for. */
  readonly usageCents: number;
  /** The subscription cycle that this pays for. */
  readonly period: { readonly from: CivilDate; readonly until: CivilDate } | null;
  /** Whether nothing was paid because a trial started. */
  readonly isTrial: boolean;
  /** `Visa final 4242`, for card payments. */
  readonly card: string | null;
  /** The installments of a card payment; one for card payments in full, and for every other method. */
  readonly installmentCents: readonly number[];
  /** The payment's id in Bacen's system, if it came by PIX and the bank reported it. */
  readonly endToEndIdentifier: string | null;
  /** Set for boletos. */
  readonly dueDate: CivilDate | null;
  readonly description: string | null;
  readonly merchantName: string;
  /** CNPJ or CPF, formatted; null if the store has none on record. */
  readonly merchantTaxId: string | null;
  readonly payerName: string | null;
  /** Masked. */
  readonly payerTaxId: string | null;
  /** The store's colour, `#rrggbb`; null for the default. */
  readonly accentColor: string | null;
  readonly logoFile: LogoFile | null;
  readonly devMode: boolean;
}

/** The receipt of a charge, or null if there is no such charge or it was never paid. */
export async function loadReceipt(
  deps: Pick<PageDeps, 'database' | 'publicUrl'>,
  id: string,
): Promise<ReceiptView | null> {
  const em = deps.database.em.fork();
  const charge = await findPageCharge(em, id);
  const paid = charge && paidOf(charge);
  if (charge === null || paid === null) return null;
  const store = await em.findOneOrFail(StoreEntity, { id: charge.storeId });
  // A bank may report a payment after its payer's data was erased.
  const customer = charge.customerId ? await em.findOne(CustomerEntity, { id: charge.customerId }) : null;
  const payment = await em.findOne(PaymentEntity, { chargeId: charge.id, outcome: 'ACCEPTED' });
  const { cycle, isTrial } = await subscriptionPartsOf(em, charge);
  const payer = payerTexts(customer?.deletedAt ? NOBODY : payerOfReceipt(charge, payment));
  return {
    ...paid,
    chargeId: charge.id,
    url: `${deps.publicUrl}/receipt/${charge.id}`,
    method: charge.method,
    amountCents: charge.amountCents,
    refundedCents: charge.refundedCents,
    discountCents: charge.discountCents,
    cardFeeCents: charge.customerFeeCents,
    items: charge.items ?? [],
    // The items of a cycle of usage are what was used.
    usageCents: cycle === null || cycle.isUsage ? 0 : cycle.usageCents,
    period: cycle && {
      from: saoPauloDateOf(cycle.startsAt),
      until: saoPauloDateOf(cycle.endsAt),
    },
    isTrial,
    card: cardText(charge),
    installmentCents: await installmentsOf(em, charge),
    endToEndIdentifier: payment?.endToEndIdentifier ?? null,
    dueDate: charge.dueDate,
    description: charge.description,
    merchantName: store.name,
    merchantTaxId: store.taxId && formatTaxId(store.taxId),
    payerName: payer.name,
    payerTaxId: payer.taxId,
    accentColor: store.accentColor,
    logoFile: store.logoFile,
    devMode: charge.devMode,
  };
}

/** As the provider divided the payment, if it pays each installment by itself. */
async function installmentsOf(em: Em, charge: Charge): Promise<readonly number[]> {
  const receivables = await receivablesOf(em, charge);
  if (receivables.length > 0) return receivables.map(({ grossCents }) => grossCents);
  return installmentAmountsCents(charge.amountCents, charge.installmentsCount ?? 1);
}

/**
 * A boleto's receipt names the person it was issued to. Others name the payer reported by the bank, else the payer given with the
 * charge.
 */
function payerOfReceipt(charge: Charge, payment: Payment | null): Pick<Payer, 'name' | 'taxId'> {
  const given = payerOf(charge);
  const reported = payerOfPayment(payment);
  const [first, second] = METHOD_TRAITS[charge.method].namesPayer ? [given, reported] : [reported, given];
  return first.name === null && first.taxId === null ? second : first;
}

/** A first payment is linked by the cycle that names it; a renewal names its cycle itself. */
async function subscriptionPartsOf(em: Em, { id, method, checkoutId, cycleId }: Charge) {
  const none = { cycle: null, isTrial: false };
  const checkout = checkoutId && (await em.findOne(CheckoutEntity, { id: checkoutId }));
  if (!checkout || checkout.subscriptionId === null) return none;
  if (METHOD_TRAITS[method].decidedBy === 'NOBODY' && checkout.trialDays !== null)
    return { ...none, isTrial: true };
  const own =
    cycleId === null ? { subscriptionId: checkout.subscriptionId, paidByChargeId: id } : { id: cycleId };
  return { ...none, cycle: await em.findOne(CycleEntity, own) };
}

function paidOf({ status, paidAt, paidAmountCents, updatedAt }: Charge) {
  if (paidAt === null || paidAmountCents === null) return null;
  switch (status) {
    case 'PAID':
      return { paidAt, paidAmountCents, reversal: null };
    case 'REFUNDED':
    case 'UNDER_DISPUTE':
      // Nothing else updates a charge after a dispute or refund.
      return { paidAt, paidAmountCents, reversal: { status, at: updatedAt } };
    default:
      return null;
  }
}
