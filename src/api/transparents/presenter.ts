import type { Charge } from '../../database/entities/charge.ts';
import { digitableLine } from '../../domain/boleto.ts';
import { brCodeToday } from '../../providers/br-code-today.ts';
import type { Beneficiary } from '../../providers/ports/payment.ts';
import type { Providers } from '../../providers/providers.ts';
import { publishedComponents } from '../../wire/paid-components.ts';
import { qrCodeDataUrl } from '../../wire/qr-code.ts';
import { publishedSplits } from '../../wire/splits.ts';
import type { ShownCharge } from './schema.ts';

interface Presentation {
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
  const shown = {
    id: charge.id,
    amount: charge.amountCents,
    paidAmount: charge.paidAmountCents,
    status: charge.status,
    devMode: charge.devMode,
    externalId: charge.externalId,
    customerId: charge.customerId,
    platformFee: charge.platformFeeCents,
    receiptUrl: charge.paidAt && `${presentation.publicUrl}/receipt/${charge.id}`,
    expiresAt: charge.expiresAt.toISOString(),
    createdAt: charge.createdAt.toISOString(),
    updatedAt: charge.updatedAt.toISOString(),
    metadata: charge.metadata,
  };
  if (charge.method === 'CARD') return { method: 'CARD', ...shown, ...cardFieldsOf(charge) };
  const brCode = await brCodeToday(charge, presentation);
  const pix = brCode === null ? null : { brCode, brCodeBase64: qrCodeDataUrl(brCode) };
  if (charge.barCode === null || charge.dueDate === null) {
    if (pix === null) throw new Error(`${charge.id} has no PIX code`);
    return { method: 'PIX', ...shown, ...pix, ...dueFieldsOf(charge), ...publishedSplits(charge.splits) };
  }
  return {
    method: 'BOLETO',
    ...shown,
    ...(pix ?? { brCode: null, brCodeBase64: null }),
    barCode: digitableLine(charge.barCode),
    url: `${presentation.publicUrl}/boleto/${charge.id}`,
    voucherUrl: charge.voucherUrl,
    voucherPdfUrl: charge.voucherPdfUrl,
    dueDate: charge.dueDate,
    interest: charge.interest,
    fine: charge.fine,
    pix,
  };
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
