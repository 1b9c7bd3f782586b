import type { BookedDispute, BookedPayment, ProviderBooks } from '../real-money/provider-books.ts';
import type { StripeState } from './stripe-door.ts';

/** The ids of the box's boletos, whose money Stripe's API does not return. */
const BOLETO = /^pi_boleto_/;

/** The box's books in the words of Recebe. */
export function booksOfStripe(state: StripeState): ProviderBooks {
  const waiting = state.intents.filter(({ id, status }) => status === 'requires_action' && !BOLETO.test(id));
  return {
    payments: state.charges.flatMap((charge) => bookedOf(state, charge) ?? []),
    transfers: [],
    // Stripe cancels no boleto before it expires, so a payer can still pay it.
    payable: new Set(waiting.flatMap(({ metadata }) => metadata.recebe_reference ?? [])),
  };
}

function bookedOf(
  { intents, refunds, disputes }: StripeState,
  { id: chargeId, amount: cents, status, payment_intent: intentId }: StripeState['charges'][number],
): BookedPayment | null {
  const intent = intents.find(({ id }) => id === intentId);
  const reference = intent?.metadata.recebe_reference;
  if (status !== 'succeeded' || intent === undefined || reference === undefined) return null;
  const own = refunds.filter((refund) => refund.charge === chargeId && refund.status === 'succeeded');
  const dispute = disputes.find((each) => each.payment_intent === intent.id);
  return {
    id: intent.id,
    reference,
    cents,
    refunds: own.map(({ amount, metadata }) => ({
      reference: metadata?.recebe_refund ?? null,
      cents: amount,
    })),
    dispute: dispute === undefined ? null : disputeOf(dispute),
    isReturnable: !BOLETO.test(intent.id),
  };
}

function disputeOf({
  id,
  status,
  amount,
  balance_transactions,
}: StripeState['disputes'][number]): BookedDispute {
  const feeCents = balance_transactions.reduce((sum, { fee }) => sum + fee, 0);
  const ends = { won: 'WON', lost: 'LOST' } as const;
  return { id, status: ends[status as keyof typeof ends] ?? 'OPEN', cents: amount, feeCents };
}
