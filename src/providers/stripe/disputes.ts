import type { DisputeStage, DisputeStatus } from '../../domain/reversal.ts';
import type {
  DisputesPort,
  ProviderDispute,
  ProviderDisputeFee,
  ProviderWithdrawal,
} from '../ports/disputes.ts';
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

/** Null for one that this release does not know, and for one that Stripe has prevented. */
function disputeOf(
  dispute: StripeDispute,
  reference: string,
  providerPaymentId: string,
): ProviderDispute | null {
  const state = STATES[dispute.status];
  if (state === undefined) return null;
  const { id: providerDisputeId, amount: amountCents, reason = null, evidence_details: details } = dispute;
  return {
    ...{ providerDisputeId, reference, providerPaymentId, amountCents, reason },
    status: state.status,
    stage: state.stage ?? null,
    respondBy: details?.due_by ?? null,
    hasEvidence: (details?.submission_count ?? 0) > 0,
    withdrawals: withdrawalsOf(dispute),
    fees: feesOf(dispute),
  };
}

/**
 * Stripe lists what it withdrew and reinstated (docs.stripe.com/api/disputes/object). A dispute may be of the full amount
 * although the payment was refunded in part; if it is lost, Stripe may still reinstate the refunded part
 * (support.stripe.com, "Dispute for full charge amount after a partial refund was issued").
 */
function withdrawalsOf({ balance_transactions: transactions }: StripeDispute): readonly ProviderWithdrawal[] {
  const moved = (transactions ?? []).filter(({ amount, currency }) => amount !== 0 && currency === 'brl');
  return moved.map(({ id: providerTransactionId, amount }) => ({
    providerTransactionId,
    withdrawnCents: 0 - amount,
  }));
}

/** An account in Brazil has balance transactions in BRL only. */
function feesOf({ balance_transactions: transactions }: StripeDispute): readonly ProviderDisputeFee[] {
  const charged = (transactions ?? []).filter(({ fee, currency }) => fee !== 0 && currency === 'brl');
  return charged.map(({ id: providerFeeId, fee: chargedCents }) => ({ providerFeeId, chargedCents }));
}

/** Stripe's statuses (docs.stripe.com/api/disputes/object). `warning_` is an inquiry, which takes no money. */
const STATES: Readonly<
  Record<string, { readonly status: DisputeStatus; readonly stage?: DisputeStage } | undefined>
> = {
  warning_needs_response: { status: 'INQUIRY', stage: 'NEEDS_RESPONSE' },
  warning_under_review: { status: 'INQUIRY', stage: 'UNDER_REVIEW' },
  warning_closed: { status: 'INQUIRY_CLOSED' },
  needs_response: { status: 'OPEN', stage: 'NEEDS_RESPONSE' },
  under_review: { status: 'OPEN', stage: 'UNDER_REVIEW' },
  won: { status: 'WON' },
  lost: { status: 'LOST' },
};
