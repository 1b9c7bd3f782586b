import { notFound } from '../../../api/frame/errors.ts';
import { readPayments } from '../../../api/payments/read-payments.ts';
import { undecidedDisputeOf } from '../../../charges/disputes/undecided-disputes.ts';
import type { Charge } from '../../../database/entities/charge.ts';
import type { Dispute } from '../../../database/entities/dispute.ts';
import type { ChargeId } from '../../../domain/ids.ts';
import { METHOD_TRAITS } from '../../../domain/payment-methods.ts';
import { hasPort } from '../../../providers/provider.ts';
import { ProviderError } from '../../../providers/provider-error.ts';
import type { Visit } from '../frame/visit.ts';

export interface DisputedPayment {
  readonly dispute: Dispute;
  readonly amountCents: number;
  /** The charge's reference at its provider. */
  readonly reference: string;
  /** Whether its provider takes evidence from Recebe. */
  readonly takesEvidence: boolean;
}

/**
 * The undecided dispute or inquiry of the payment in the address; null without one. @throws ApiError 404 if the payment
 * is not the store's.
 */
export async function undecidedDispute({ em, caller, params, deps }: Visit): Promise<DisputedPayment | null> {
  const [row] = await readPayments(em, caller, [params.id as ChargeId]);
  if (row === undefined) throw notFound('Payment');
  const { charge } = row;
  const dispute = await undecidedDisputeOf(em, charge.id);
  if (dispute === null) return null;
  return {
    dispute,
    amountCents: dispute.amountCents ?? charge.paidAmountCents ?? 0,
    reference: charge.providerReference,
    takesEvidence: await takesEvidence(deps, charge),
  };
}

/** Whether Recebe can answer disputes of this charge. A bank decides about a PIX by itself, and an account may be gone. */
export async function takesEvidence(
  { providers }: Visit['deps'],
  charge: Pick<Charge, 'provider' | 'devMode' | 'method'>,
): Promise<boolean> {
  if (METHOD_TRAITS[charge.method].contestedBy !== 'CHARGEBACK') return false;
  try {
    return hasPort(await providers.issuerOf(charge), 'evidence');
  } catch (error) {
    if (error instanceof ProviderError) return false;
    throw error;
  }
}
