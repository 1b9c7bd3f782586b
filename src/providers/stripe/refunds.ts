import type { Refund, RefundAnswer } from '../ports/charges.ts';
import { ProviderError } from '../provider-error.ts';
import { keyOf, REFUND_REFERENCE } from './ids.ts';
import type { StripeAnswer, StripeClient } from './stripe-client.ts';
import { StripeCallError } from './stripe-error.ts';
import { readList, readRefund, refundStatusOf, type StripeCharge, type StripeRefund } from './wire.ts';

/** Stripe also notifies slow refunds. */
const POLL_AFTER_MS = 60_000;
const MOST_PAGES = 10;

/** All items of a list, page by page. @throws ProviderError RETRY if there are more pages than that. */
export async function allOfList(
  page: (after: { readonly starting_after?: string }) => Promise<StripeAnswer>,
  mostPages: number,
): Promise<readonly unknown[]> {
  const items: unknown[] = [];
  for (let count = 0; count < mostPages; count++) {
    const last = items.at(-1) as { readonly id: string } | undefined;
    const list = readList((await page(last === undefined ? {} : { starting_after: last.id })).body);
    items.push(...list.data);
    if (!list.has_more) return items;
  }
  throw new ProviderError('RETRY', 'Stripe lists too many objects');
}

/** All refunds of a charge, no matter who made them. */
export async function refundsOf(client: StripeClient, charge: StripeCharge): Promise<StripeRefund[]> {
  const { refunds } = charge;
  const items =
    refunds == null || refunds.has_more ? await listed(client, { charge: charge.id }) : refunds.data;
  return items.map(readRefund);
}

function listed(client: StripeClient, of: { readonly charge: string } | { readonly payment_intent: string }) {
  return allOfList(
    (after) => client.call('listing refunds', (sdk) => sdk.refunds.list({ ...of, limit: 100, ...after })),
    MOST_PAGES,
  );
}

/**
 * Refunds a payment, in part or in full, once per reference. Stripe's list of a payment's refunds does not lag, so it
 * is the look-up before and after the order.
 */
export async function refundAtStripe(
  client: StripeClient,
  { refundReference, providerPaymentId, amountCents }: Refund,
): Promise<RefundAnswer> {
  const find = async (): Promise<RefundAnswer | null> => {
    const refunds = (await listed(client, { payment_intent: providerPaymentId })).map(readRefund);
    const made = refunds.find(({ metadata }) => metadata?.[REFUND_REFERENCE] === refundReference);
    return made === undefined ? null : answerOf(made, amountCents);
  };
  const there = await find();
  if (there !== null) return there;
  try {
    const { body } = await client.call('refunding a payment', (sdk) =>
      sdk.refunds.create(
        {
          payment_intent: providerPaymentId,
          amount: amountCents,
          metadata: { [REFUND_REFERENCE]: refundReference },
        },
        { idempotencyKey: keyOf.refund(refundReference) },
      ),
    );
    return answerOf(readRefund(body), amountCents);
  } catch (error) {
    const made = await find();
    if (made !== null) return made;
    if (error instanceof StripeCallError && error.isRefusal && error.status !== 404)
      return { outcome: 'REFUSED', reason: `Stripe refuses the refund: ${error.code ?? 'no code'}` };
    throw error;
  }
}

function answerOf(refund: StripeRefund, amountCents: number): RefundAnswer {
  // The reference is used once, so nothing can have been returned for this request.
  if (refund.amount !== amountCents)
    return { outcome: 'REFUSED', reason: 'Stripe has a refund of another amount under this reference' };
  switch (refundStatusOf(refund)) {
    case 'RETURNED':
      return { outcome: 'RETURNED' };
    case 'REFUSED':
      return { outcome: 'REFUSED', reason: 'Stripe could not return the money to the card' };
    case 'PENDING':
      return { outcome: 'PENDING', pollAfterMs: POLL_AFTER_MS };
  }
}
