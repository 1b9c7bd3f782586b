import type { SentBack } from '../../workflows/charge.contract.ts';
import { type Charge, ChargeEntity } from '../database/entities/charge.ts';
import { PaymentEntity } from '../database/entities/payment.ts';
import { RefundEntity } from '../database/entities/refund.ts';
import type { Database } from '../database/orm.ts';
import type { ResumeOutcome } from '../domain/audit.ts';
import type { ChargeId, PaymentId, RefundId } from '../domain/ids.ts';
import type { ChargeUpdates } from '../temporal/charge.ts';

/** What resuming a refund or a returned payment needs. */
export interface ReversalDeps {
  readonly database: Database;
  readonly chargeUpdates: Pick<ChargeUpdates, 'isSendingBack' | 'refund' | 'confirmPayment'>;
}

/** Asks the charge's workflow for an open refund. @throws if Temporal is unavailable. */
export async function resumeRefund(deps: ReversalDeps, id: string): Promise<ResumeOutcome> {
  const refundId = id as RefundId;
  const { chargeId } = await deps.database.em.fork().findOneOrFail(RefundEntity, { id: refundId });
  return sendBack(deps, chargeId, { refundId }, (charge) =>
    deps.chargeUpdates.refund(charge, refundId, null),
  );
}

/**
 * Asks the charge's workflow to return a payment. A provider notifies a payment once, and its lists do not show what
 * is stored here: nothing else would ask again. @throws if Temporal is unavailable.
 */
export async function resumeReturn(deps: ReversalDeps, id: string): Promise<ResumeOutcome> {
  const payment = await deps.database.em.fork().findOneOrFail(PaymentEntity, { id: id as PaymentId });
  const { chargeId, providerPaymentId } = payment;
  return sendBack(deps, chargeId, { providerPaymentId }, (charge) =>
    deps.chargeUpdates.confirmPayment(charge, providerPaymentId, null),
  );
}

/** Requests the reversal, unless a run already knows it and polls by itself. */
async function sendBack(
  { database, chargeUpdates }: ReversalDeps,
  chargeId: ChargeId,
  what: SentBack,
  ask: (charge: Charge) => Promise<unknown>,
): Promise<ResumeOutcome> {
  if (await chargeUpdates.isSendingBack(chargeId, what)) return 'RUNNING';
  await ask(await database.em.fork().findOneOrFail(ChargeEntity, { id: chargeId }));
  return 'STARTED';
}
