import type { DisputesPort } from '../ports/disputes.ts';
import { type AsaasClient, AsaasError } from './asaas-client.ts';
import { disputeOf, disputesOf, isDisputed } from './chargebacks.ts';
import type { AsaasPayments } from './payments.ts';
import { readChargeback } from './wire.ts';

/**
 * Chargebacks of card payments. Asaas finds one by its payment only, so the payment's id is also the dispute's. Documents
 * are sent in the panel of Asaas.
 */
export function asaasDisputes(client: AsaasClient, payments: AsaasPayments): DisputesPort {
  return {
    async find(providerDisputeId) {
      const parts = await payments.partsOf(providerDisputeId);
      if (parts === null) return null;
      const [dispute = null] = disputesOf(parts);
      const disputed = parts.find(isDisputed) ?? parts[0];
      const body = await chargebackOf(client, disputed.id);
      return body === null ? dispute : disputeOf(parts, readChargeback(body));
    },
  };
}

/** Null without one, or if the key may not read chargebacks: the payment shows its own. */
async function chargebackOf(client: AsaasClient, paymentId: string): Promise<unknown> {
  try {
    return await client.find(`/v3/payments/${paymentId}/chargeback`);
  } catch (error) {
    if (error instanceof AsaasError && error.status === 403) return null;
    throw error;
  }
}
