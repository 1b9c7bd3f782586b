import type { Charge } from '../../database/entities/charge.ts';
import { digitableLine } from '../../domain/boleto.ts';
import type { ChargeMethod } from '../../domain/charge.ts';
import { brCodeToday } from '../../providers/br-code-today.ts';
import type { Beneficiary } from '../../providers/ports/payment.ts';
import type { Providers } from '../../providers/providers.ts';
import { publishedComponents } from '../../wire/paid-components.ts';
import { qrCodeDataUrl } from '../../wire/qr-code.ts';
import { publishedSplits } from '../../wire/splits.ts';
import type { ShownCharge, ShownPix } from './schema.ts';

/** What a charge is presented with. */
export interface Presentation {
  readonly providers: Providers;
  readonly publicUrl: string;
  readonly beneficiary: Beneficiary;
  readonly now: Date;
}

/**
 * A charge as the API returns it (contract section 4.2). The PIX code of an overdue boleto is the one for
 * today's amount.
 */
export async function presentCharge(charge: Charge, presentation: Presentation): Promise<ShownCharge> {
  return PRESENTERS[charge.method](charge, presentation);
}

/** A PIX charge as the API returns it. */
export async function presentPix(charge: Charge, presentation: Presentation): Promise<ShownPix> {
  const pix = await pixOf(charge, presentation);
  if (pix === null) throw new Error(`${charge.id} has no PIX code`);
  const shown = shownOf(charge, presentation);
  return { method: 'PIX', ...shown, ...pix, ...dueFieldsOf(charge), ...publishedSplits(charge.splits) };
}

async function presentBoleto(charge: Charge, presentation: Presentation): Promise<ShownCharge> {
  const { id, barCode, dueDate } = charge;
  // Demo data of earlier releases has boletos without a bar code, which can be paid by PIX only.
  if (barCode === null || dueDate === null) return presentPix(charge, presentation);
  const pix = await pixOf(charge, presentation);
  return {
    method: 'BOLETO',
    ...shownOf(charge, presentation),
    ...(pix ?? { brCode: null, brCodeBase64: null }),
    barCode: digitableLine(barCode),
    url: `${presentation.publicUrl}/boleto/${id}`,
    voucherUrl: charge.voucherUrl,
    voucherPdfUrl: charge.voucherPdfUrl,
    dueDate,
    interest: charge.interest,
    fine: charge.fine,
    pix,
  };
}

const PRESENTERS: Readonly<
  Record<ChargeMethod, (charge: Charge, presentation: Presentation) => Promise<ShownCharge>>
> = {
  PIX: presentPix,
  BOLETO: presentBoleto,
  CARD: async (charge, presentation) => ({
    method: 'CARD',
    ...shownOf(charge, presentation),
    ...cardFieldsOf(charge),
  }),
  FREE: async ({ id }) => {
    throw new Error(`${id} is paid through a checkout`);
  },
};

function shownOf(charge: Charge, { publicUrl }: Presentation) {
  return {
    id: charge.id,
    amount: charge.amountCents,
    paidAmount: charge.paidAmountCents,
    status: charge.status,
    devMode: charge.devMode,
    externalId: charge.externalId,
    customerId: charge.customerId,
    platformFee: charge.platformFeeCents,
    receiptUrl: charge.paidAt && `${publicUrl}/receipt/${charge.id}`,
    expiresAt: charge.expiresAt.toISOString(),
    createdAt: charge.createdAt.toISOString(),
    updatedAt: charge.updatedAt.toISOString(),
    metadata: charge.metadata,
  };
}

async function pixOf(charge: Charge, presentation: Presentation) {
  const brCode = await brCodeToday(charge, presentation);
  return brCode === null ? null : { brCode, brCodeBase64: qrCodeDataUrl(brCode) };
}

function dueFieldsOf({ dueDate, interest, fine, paidComponents }: Charge) {
  return dueDate && { dueDate, interest, fine, paidComponents: publishedComponents(paidComponents) };
}

function cardFieldsOf(charge: Charge) {
  return {
    installments: charge.installmentsCount ?? 1,
    cardToken: charge.paidAt === null ? null : charge.savedCardId,
    brand: charge.cardBrand ?? '',
    lastFour: charge.cardLastFour ?? '',
    actionUrl: charge.status === 'PENDING' ? charge.actionUrl : null,
    declineReason: charge.failureReason,
  };
}
