import { payerOf, payerOfPayment } from '../../database/charge-payer.ts';
import type { Charge } from '../../database/entities/charge.ts';
import { CheckoutEntity } from '../../database/entities/checkout.ts';
import { CustomerEntity } from '../../database/entities/customer.ts';
import { CycleEntity } from '../../database/entities/cycle.ts';
import { type Payment, PaymentEntity } from '../../database/entities/payment.ts';
import { StoreEntity } from '../../database/entities/store.ts';
import type { Em } from '../../database/orm.ts';
import type { ChargeMethod } from '../../domain/charge.ts';
import type { CheckoutItem } from '../../domain/checkout.ts';
import { type CivilDate, saoPauloDateOf } from '../../domain/civil-date.ts';
import { NOBODY, type Payer } from '../../domain/payer.ts';
import { formatTaxId } from '../../domain/tax-id.ts';
import { cardText } from '../checkout/card-wording.ts';
import { findPageCharge } from '../frame/find-page-charge.ts';
import type { PageDeps } from '../frame/page-context.ts';
import { payerTexts } from '../frame/payer-texts.ts';

/** Everything the receipt shows. Texts are plain: the page escapes them. */
export interface ReceiptView {
  readonly chargeId: string;
  /** Where this receipt can be checked. */
  readonly url: string;
  readonly method: ChargeMethod;
  /** What was asked for; a late boleto is paid with more. */
  readonly amountCents: number;
  readonly paidAmountCents: number;
  readonly paidAt: Date;
  /**
   * Whoever is shown a receipt must be able to rely on it: what has become of the payment since, and when;
   * null if nothing.
   */
  readonly reversal: { readonly status: 'REFUNDED' | 'UNDER_DISPUTE'; readonly at: Date } | null;
  /** What has gone back to the payer of a payment that still stands. */
  readonly refundedCents: number;
  /** What a coupon took off beforehand. */
  readonly discountCents: number;
  /** What was paid for, where it was paid through a checkout. */
  readonly items: readonly CheckoutItem[];
  /** Used beyond the plan in the cycle of a subscription that this pays for. */
  readonly usageCents: number;
  /** The cycle of a subscription that this pays for. */
  readonly period: { readonly from: CivilDate; readonly until: CivilDate } | null;
  /** Whether nothing was paid because a trial began. */
  readonly isTrial: boolean;
  /** `Visa final 4242`, of a card payment. */
  readonly card: string | null;
  /** 1 where a card payment was not divided, and for every other method. */
  readonly installmentsCount: number;
  /** What Bacen's system knows the payment by, of one that came by PIX and whose bank said so. */
  readonly endToEndIdentifier: string | null;
  /** Of a boleto. */
  readonly dueDate: CivilDate | null;
  readonly description: string | null;
  readonly merchantName: string;
  /** CNPJ or CPF, formatted, where the store has one on record. */
  readonly merchantTaxId: string | null;
  readonly payerName: string | null;
  /** Masked. */
  readonly payerTaxId: string | null;
  readonly devMode: boolean;
}

/** What the receipt of a charge shows, or null where there is no such charge or it was never paid. */
export async function loadReceipt(
  deps: Pick<PageDeps, 'database' | 'publicUrl'>,
  id: string,
): Promise<ReceiptView | null> {
  const em = deps.database.em.fork();
  const charge = await findPageCharge(em, id);
  const paid = charge && paidOf(charge);
  if (charge === null || paid === null) return null;
  const store = await em.findOneOrFail(StoreEntity, { id: charge.storeId });
  // A bank may tell of a payment after its payer's data was erased.
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
    items: charge.items ?? [],
    usageCents: cycle?.usageCents ?? 0,
    period: cycle && {
      from: saoPauloDateOf(cycle.startsAt),
      until: saoPauloDateOf(cycle.endsAt),
    },
    isTrial,
    card: cardText(charge),
    installmentsCount: charge.installmentsCount ?? 1,
    endToEndIdentifier: payment?.endToEndIdentifier ?? null,
    dueDate: charge.dueDate,
    description: charge.description,
    merchantName: store.name,
    merchantTaxId: store.taxId && formatTaxId(store.taxId),
    payerName: payer.name,
    payerTaxId: payer.taxId,
    devMode: charge.devMode,
  };
}

/**
 * Of a boleto whom it was made out to; else who paid, as their bank says, and where it does not, as it was
 * said before.
 */
function payerOfReceipt(charge: Charge, payment: Payment | null): Pick<Payer, 'name' | 'taxId'> {
  const given = payerOf(charge);
  const told = payerOfPayment(payment);
  const [first, second] = charge.method === 'BOLETO' ? [given, told] : [told, given];
  return first.name === null && first.taxId === null ? second : first;
}

/** Of a first payment, the cycle that names it as its payment; of a renewal, the one it names itself. */
async function subscriptionPartsOf(em: Em, { id, method, checkoutId, cycleId }: Charge) {
  const none = { cycle: null, isTrial: false };
  const checkout = checkoutId && (await em.findOne(CheckoutEntity, { id: checkoutId }));
  if (!checkout || checkout.subscriptionId === null) return none;
  if (method === 'FREE' && checkout.trialDays !== null) return { ...none, isTrial: true };
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
      // Nothing else changes a charge that is in dispute or was refunded.
      return { paidAt, paidAmountCents, reversal: { status, at: updatedAt } };
    default:
      return null;
  }
}
