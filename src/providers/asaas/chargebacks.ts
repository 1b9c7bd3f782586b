import { addDays, saoPauloMidnight } from '../../domain/civil-date.ts';
import type { ProviderDispute } from '../ports/disputes.ts';
import { type AsaasChargeback, type AsaasPayment, paymentIdOf, referenceOf } from './wire.ts';

/** The statuses of a payment whose chargeback is open, if Asaas does not show the chargeback itself. */
const OPEN = ['CHARGEBACK_REQUESTED', 'CHARGEBACK_DISPUTE', 'AWAITING_CHARGEBACK_REVERSAL'];

/** The chargeback of a payment as its parts show it: at most one. */
export function disputesOf(parts: readonly AsaasPayment[]): readonly ProviderDispute[] {
  const disputed = parts.find(isDisputed);
  if (disputed === undefined) return [];
  const { chargeback } = disputed;
  const shown = chargeback ?? {
    status: 'REQUESTED',
    reason: null,
    value: null,
    deadlineToSendDisputeDocuments: null,
  };
  return [disputeOf(parts, shown)];
}

/** Whether a payment shows a chargeback, or did until its end. */
export function isDisputed({ status, chargeback }: AsaasPayment): boolean {
  return chargeback !== null || OPEN.includes(status);
}

/**
 * A status of a later version counts as open. While Asaas waits for the money of a won dispute (AWAITING_CHARGEBACK_REVERSAL),
 * the chargeback is not REVERSED yet.
 */
export function disputeOf(parts: readonly AsaasPayment[], chargeback: AsaasChargeback): ProviderDispute {
  const [first] = parts;
  if (first === undefined) throw new Error('a payment has no parts');
  const { status, reason, value, deadlineToSendDisputeDocuments: lastDay } = chargeback;
  const id = paymentIdOf(first);
  return {
    providerDisputeId: id,
    reference: referenceOf(first),
    providerPaymentId: id,
    amountCents: value,
    reason,
    ...stateOf(status),
    respondBy: lastDay && saoPauloMidnight(addDays(lastDay, 1)),
  };
}

function stateOf(status: string): Pick<ProviderDispute, 'status' | 'stage'> {
  switch (status) {
    case 'REVERSED':
      return { status: 'WON', stage: null };
    case 'DISPUTE_LOST':
    case 'DONE':
      return { status: 'LOST', stage: null };
    case 'IN_DISPUTE':
      return { status: 'OPEN', stage: 'UNDER_REVIEW' };
    default:
      return { status: 'OPEN', stage: 'NEEDS_RESPONSE' };
  }
}
