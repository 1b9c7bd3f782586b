import { type SandboxCharge, SandboxChargeEntity } from '../../database/entities/sandbox-charge.ts';
import { insertNew } from '../../database/insert-new.ts';
import type { Database } from '../../database/orm.ts';
import type { DeclineReason } from '../../domain/card.ts';
import type { CardAnswer, ChargeCard } from '../provider.ts';
import { ONCE, outcomeOf } from './sandbox-cards.ts';
import { findSandboxCharge } from './sandbox-charges.ts';
import { presentPayment } from './sandbox-payment.ts';

/**
 * Charges a test card. The first row of a reference stands, so asking twice charges once; a reference that
 * was closed meanwhile is declined. The unique index on tokens makes a card that is accepted once be accepted
 * once.
 */
export async function chargeSandboxCard(database: Database, request: ChargeCard): Promise<CardAnswer> {
  const outcome = outcomeOf(request.token);
  const approved = outcome === 'approved' || outcome === ONCE;
  const declined = declinedRow(request, approved ? 'card_declined' : outcome);
  const first = approved ? approvedRow(request) : declined;
  if (await insertNew(database, SandboxChargeEntity, first)) return answerOf(first);
  const row = await findSandboxCharge(database, request.reference);
  if (row !== null) return answerOf(row);
  // Neither went in nor was there: the token's one use is gone.
  await insertNew(database, SandboxChargeEntity, declined);
  return answerOf(await findSandboxCharge(database, request.reference));
}

function approvedRow({ reference, amountCents, payer, token, now }: ChargeCard): SandboxCharge {
  return {
    reference,
    status: 'PAID',
    paymentId: `sandbox-${reference}`,
    amountCents,
    paidAt: now,
    payerName: payer.name,
    payerTaxId: payer.taxId,
    // A card's answer is its notification.
    notifiedAt: now,
    cardToken: token,
    declineReason: null,
    metadata: null,
  };
}

function declinedRow({ reference, token }: ChargeCard, declineReason: DeclineReason): SandboxCharge {
  const noPayer = { payerName: null, payerTaxId: null, metadata: null };
  const noPayment = { paymentId: null, amountCents: null, paidAt: null, ...noPayer };
  return { ...noPayment, reference, status: 'DECLINED', notifiedAt: null, cardToken: token, declineReason };
}

function answerOf(row: SandboxCharge | null): CardAnswer {
  const payment = row && presentPayment(row);
  if (payment !== null) return { outcome: 'APPROVED', payment };
  return { outcome: 'DECLINED', reason: row?.declineReason ?? 'processing_error' };
}
