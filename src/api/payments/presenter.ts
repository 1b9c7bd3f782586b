import { respondByOf } from '../../charges/disputes/respond-by.ts';
import { METHOD_TRAITS } from '../../domain/payment-methods.ts';
import { isInquiry, refundedCentsOf } from '../../domain/reversal.ts';
import { maskTaxId } from '../../domain/tax-id.ts';
import { presentCard } from '../../wire/card.ts';
import { publishedSplits } from '../../wire/splits.ts';
import type { CsvColumns } from '../frame/csv.ts';
import type { PaymentRow } from './read-payments.ts';
import type { ShownPayment } from './schema.ts';

interface Presentation {
  readonly publicUrl: string;
  /** Whether the caller may see the payer. */
  readonly showsPayer: boolean;
}

/** A payment as the API returns it. */
export function presentPayment(row: PaymentRow, { publicUrl, showsPayer }: Presentation): ShownPayment {
  const { charge, checkout, cycle, dispute } = row;
  const kind = kindOf(row);
  return {
    id: charge.id,
    devMode: charge.devMode,
    kind,
    method: charge.method,
    status: charge.status,
    amount: charge.amountCents,
    discount: charge.discountCents,
    customerFee: charge.customerFeeCents,
    paidAmount: charge.paidAmountCents,
    platformFee: charge.platformFeeCents,
    ...publishedSplits(charge.splits),
    refundedAmount: refundedCentsOf(charge),
    declineReason: charge.failureReason,
    card: METHOD_TRAITS[charge.method].keepsInstrument ? presentCard(charge) : null,
    wallet: charge.cardWallet,
    installmentsCount: charge.installmentsCount,
    endToEndIdentifier: row.endToEndIdentifier,
    payer: showsPayer ? payerOf(row) : null,
    refunds: row.refunds.map(({ id, amountCents, createdAt, updatedAt, ...refund }) => ({
      refundPublicId: id,
      ...refund,
      amount: amountCents,
      createdAt: instant(createdAt),
      updatedAt: instant(updatedAt),
    })),
    dispute: dispute && {
      status: dispute.status,
      amount: dispute.amountCents ?? charge.paidAmountCents ?? 0,
      excessAmount: dispute.excessCents,
      reason: dispute.reason,
      respondBy: respondByText(row),
      stage: dispute.stage,
      evidenceSubmittedAt: dispute.evidenceSubmittedAt && instant(dispute.evidenceSubmittedAt),
      providerFee: dispute.feeCents,
      openedAt: instant(dispute.openedAt),
      closedAt: dispute.closedAt && instant(dispute.closedAt),
    },
    externalId: checkout === null ? charge.externalId : checkout.externalId,
    description: charge.description,
    customerId: charge.customerId,
    customerNamedBy: charge.customerNamedBy,
    checkoutId: charge.checkoutId,
    subscriptionId: kind === 'SUBSCRIPTION' ? (checkout?.subscriptionId ?? null) : null,
    installmentId: cycle?.id ?? null,
    installmentNumber: cycle?.number ?? null,
    upSellOf: charge.upsellOf,
    receiptUrl: charge.paidAt && `${publicUrl}/receipt/${charge.id}`,
    metadata: checkout === null ? charge.metadata : checkout.metadata,
    expiresAt: charge.expiresAt.toISOString(),
    paidAt: charge.paidAt?.toISOString() ?? null,
    settlesAt: charge.settlesAt?.toISOString() ?? null,
    settledAt: charge.settledAt?.toISOString() ?? null,
    createdAt: charge.createdAt.toISOString(),
    updatedAt: charge.updatedAt.toISOString(),
  };
}

function kindOf({ charge, checkout }: PaymentRow): ShownPayment['kind'] {
  if (checkout === null) return 'TRANSPARENT';
  if (charge.upsellOf !== null) return 'UPSELL';
  if (checkout.frequency === 'SUBSCRIPTION') return 'SUBSCRIPTION';
  return checkout.frequency === 'MULTIPLE_PAYMENTS' ? 'PAYMENT_LINK' : 'CHECKOUT';
}

/** The provider names no payer for cards: their holder was typed by the payer. */
function payerOf({ charge, payer: { name, taxId } }: PaymentRow): ShownPayment['payer'] {
  if (METHOD_TRAITS[charge.method].keepsInstrument || (name === null && taxId === null)) return null;
  return { name, taxId: taxId && maskTaxId(taxId) };
}

function respondByText({ charge, dispute }: PaymentRow): string | null {
  if (dispute === null) return null;
  const respondBy = dispute.respondBy === null ? null : new Date(dispute.respondBy);
  const openedAt = new Date(dispute.openedAt);
  if (isInquiry(dispute.status)) return respondBy?.toISOString() ?? null;
  return respondByOf(charge.method, { respondBy, openedAt })?.toISOString() ?? null;
}

/** Converts a timestamp from Postgres' JSON format. */
function instant(text: string): string {
  return new Date(text).toISOString();
}

/** One row per payment. `metadata` is left out, because its size and form vary. */
export const paymentColumns: CsvColumns<ShownPayment> = {
  id: ({ id }) => id,
  kind: ({ kind }) => kind,
  method: ({ method }) => method,
  status: ({ status }) => status,
  amount: ({ amount }) => amount,
  discount: ({ discount }) => discount,
  customerFee: ({ customerFee }) => customerFee,
  paidAmount: ({ paidAmount }) => paidAmount,
  platformFee: ({ platformFee }) => platformFee,
  refundedAmount: ({ refundedAmount }) => refundedAmount,
  declineReason: ({ declineReason }) => declineReason,
  cardBrand: ({ card }) => card?.brand ?? null,
  cardLastFour: ({ card }) => card?.lastFour ?? null,
  wallet: ({ wallet }) => wallet,
  installmentsCount: ({ installmentsCount }) => installmentsCount,
  endToEndIdentifier: ({ endToEndIdentifier }) => endToEndIdentifier,
  payerName: ({ payer }) => payer?.name ?? null,
  payerTaxId: ({ payer }) => payer?.taxId ?? null,
  disputeStatus: ({ dispute }) => dispute?.status ?? null,
  disputeRespondBy: ({ dispute }) => dispute?.respondBy ?? null,
  disputeProviderFee: ({ dispute }) => dispute?.providerFee ?? null,
  externalId: ({ externalId }) => externalId,
  description: ({ description }) => description,
  customerId: ({ customerId }) => customerId,
  customerNamedBy: ({ customerNamedBy }) => customerNamedBy,
  checkoutId: ({ checkoutId }) => checkoutId,
  subscriptionId: ({ subscriptionId }) => subscriptionId,
  installmentNumber: ({ installmentNumber }) => installmentNumber,
  upSellOf: ({ upSellOf }) => upSellOf,
  createdAt: ({ createdAt }) => createdAt,
  paidAt: ({ paidAt }) => paidAt,
  settlesAt: ({ settlesAt }) => settlesAt,
  devMode: ({ devMode }) => devMode,
};
