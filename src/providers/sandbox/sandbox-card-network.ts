import type { Database } from '../../database/orm.ts';
import { type SandboxCharge, SandboxChargeEntity } from '../../database/sandbox-charge.ts';
import type { CardAnswer, ChargeCard } from '../provider.ts';
import { ONCE, outcomeOf } from './sandbox-cards.ts';
import { presentPayment } from './sandbox-payment.ts';

/**
 * Charges a test card. The first row of a reference stands, so asking twice charges once; a reference that was closed
 * meanwhile is declined. The unique index on tokens makes a card that is accepted once be accepted once.
 */
export async function chargeSandboxCard(database: Database, request: ChargeCard): Promise<CardAnswer> {
  const outcome = outcomeOf(request.token);
  const approved = outcome === 'approved' || outcome === ONCE;
  const declined = { ...declinedRow(request), declineReason: approved ? 'card_declined' : outcome } as const;
  await insert(database, approved ? approvedRow(request) : declined);
  const row = await find(database, request.reference);
  if (row !== null) return answerOf(row);
  // Neither went in nor was there: the token's one use is gone.
  await insert(database, declined);
  return answerOf(await find(database, request.reference));
}

function approvedRow({ reference, amountCents, payer, token, now }: ChargeCard) {
  return {
    reference,
    status: 'PAID' as const,
    paymentId: `sandbox-${reference}`,
    amountCents,
    paidAt: now,
    payerName: payer.name,
    payerTaxId: payer.taxId,
    // A card's answer is its notification.
    notifiedAt: now,
    cardToken: token,
  };
}

function declinedRow({ reference, token }: ChargeCard) {
  return { reference, status: 'DECLINED' as const, cardToken: token };
}

function answerOf(row: SandboxCharge | null): CardAnswer {
  const payment = row && presentPayment(row);
  if (payment !== null) return { outcome: 'APPROVED', payment };
  return { outcome: 'DECLINED', reason: row?.declineReason ?? 'processing_error' };
}

type NewRow = Partial<SandboxCharge> & Pick<SandboxCharge, 'reference' | 'status'>;

async function insert(database: Database, row: NewRow): Promise<void> {
  const insertion = database.em.fork().qb(SandboxChargeEntity).insert(row);
  await insertion.onConflict().ignore().execute('run');
}

function find(database: Database, reference: string): Promise<SandboxCharge | null> {
  return database.em.fork().findOne(SandboxChargeEntity, { reference }, { disableIdentityMap: true });
}
