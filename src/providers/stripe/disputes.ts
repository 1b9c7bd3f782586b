import type { DisputeStatus } from '../../domain/reversal.ts';
import type { DisputesPort, ProviderDispute } from '../ports/disputes.ts';
import { STRIPE_ID } from './ids.ts';
import type { StripeIntents } from './intents.ts';
import { allOfList } from './refunds.ts';
import type { StripeClient } from './stripe-client.ts';
import { readDispute, referenceIn, type StripeDispute } from './wire.ts';

const MOST_PAGES = 3;

/** Chargebacks, which card issuers open at Stripe. */
export function stripeDisputes(client: StripeClient, intents: StripeIntents): DisputesPort {
  return {
    async find(id) {
      if (!STRIPE_ID.test(id)) return null;
      const body = await client.find('getting a dispute', (sdk) =>
        sdk.disputes.retrieve(id, { expand: ['payment_intent'] }),
      );
      if (body === null) return null;
      const dispute = readDispute(body);
      const { payment_intent: named } = dispute;
      if (named == null) return null;
      const intent = typeof named === 'string' ? await intents.get(named) : named;
      const reference = intent && referenceIn(intent);
      return reference ? disputeOf(dispute, reference, intent.id) : null;
    },
  };
}

/** All chargebacks of a payment. */
export async function disputesOfPayment(
  client: StripeClient,
  { id, reference }: { readonly id: string; readonly reference: string },
): Promise<readonly ProviderDispute[]> {
  const items = await allOfList(
    (after) =>
      client.call('listing disputes', (sdk) =>
        sdk.disputes.list({ payment_intent: id, limit: 100, ...after }),
      ),
    MOST_PAGES,
  );
  return items.flatMap((item) => disputeOf(readDispute(item), reference, id) ?? []);
}

/** Null for an inquiry, which takes no money and may never become a chargeback. */
function disputeOf(
  dispute: StripeDispute,
  reference: string,
  providerPaymentId: string,
): ProviderDispute | null {
  const status = statusOf(dispute.status);
  if (status === null) return null;
  const { id: providerDisputeId, amount: amountCents, reason = null } = dispute;
  return { providerDisputeId, reference, providerPaymentId, amountCents, status, reason };
}

function statusOf(status: string): DisputeStatus | null {
  switch (status) {
    case 'won':
      return 'WON';
    case 'lost':
      return 'LOST';
    case 'needs_response':
    case 'under_review':
      return 'OPEN';
    default:
      // Inquiries (`warning_…`), prevented ones, and what this release does not know.
      return null;
  }
}
