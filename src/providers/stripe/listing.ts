import type { ListingPort } from '../ports/listing.ts';
import type { TimeWindow } from '../ports/pages.ts';
import type { ProviderPayment } from '../ports/payment.ts';
import { disputesOfPayment } from './disputes.ts';
import { refundsOf } from './refunds.ts';
import type { StripeClient } from './stripe-client.ts';
import { idOfUnreadable, isPaid, paymentOf, readList, readListedCharge, referenceIn } from './wire.ts';

/** A page has its charges' intents and refunds in it. */
const PAGE_SIZE = 100;

/** Payments by the time at which Stripe received them. Payments of other programs at the same account are left out. */
export function stripeListing(client: StripeClient): ListingPort {
  const pageOf = (time: TimeWindow, cursor: string | null) => ({
    created: secondsOf(time),
    limit: PAGE_SIZE,
    ...(cursor !== null && { starting_after: cursor }),
  });
  return {
    async payments({ onlyReversed = false, ...time }, cursor) {
      const { body } = await client.call('listing charges', (sdk) =>
        sdk.charges.list({ ...pageOf(time, cursor), expand: ['data.payment_intent', 'data.refunds'] }),
      );
      const { data, has_more: hasMore } = readList(body);
      const items: ProviderPayment[] = [];
      const unreadableIds: string[] = [];
      for (const item of data) {
        if (!isOurs(item)) continue;
        try {
          const payment = await paymentOfListed(client, item);
          if (payment !== null && (!onlyReversed || isReversed(payment))) items.push(payment);
        } catch (error) {
          if (!isUnreadable(item)) throw error;
          unreadableIds.push(idOfUnreadable(item));
        }
      }
      return {
        items,
        nextCursor: hasMore ? idOfUnreadable(data.at(-1)) : null,
        ...(unreadableIds.length > 0 && { unreadableIds }),
      };
    },
    async references(time, cursor) {
      const { body } = await client.call('listing payment intents', (sdk) =>
        sdk.paymentIntents.list(pageOf(time, cursor)),
      );
      const { data, has_more: hasMore } = readList(body);
      const items = data.flatMap((item) => referenceIn(item as Parameters<typeof referenceIn>[0]) ?? []);
      return { items, nextCursor: hasMore ? idOfUnreadable(data.at(-1)) : null };
    },
    // A row of a card charge cannot be built from an intent: Stripe does not have the card's terms.
    recall: async () => null,
  };
}

async function paymentOfListed(client: StripeClient, item: unknown): Promise<ProviderPayment | null> {
  const charge = readListedCharge(item);
  const { payment_intent: intent } = charge;
  if (intent == null || typeof intent === 'string' || !isPaid(charge)) return null;
  const reference = referenceIn(intent);
  if (reference === null) return null;
  const payment = paymentOf(charge, { id: intent.id, reference }, await refundsOf(client, charge));
  if (!charge.disputed) return payment;
  return { ...payment, disputes: await disputesOfPayment(client, { id: intent.id, reference }) };
}

function isReversed({ refunds = [], disputes = [] }: ProviderPayment): boolean {
  return refunds.length > 0 || disputes.length > 0;
}

/** Whether a listed charge names a reference of Recebe, even if the rest of it cannot be read. */
function isOurs(item: unknown): boolean {
  const { payment_intent: intent } = Object(item) as { readonly payment_intent?: unknown };
  return referenceIn(Object(intent)) !== null;
}

function isUnreadable(item: unknown): boolean {
  try {
    readListedCharge(item);
    return false;
  } catch {
    return true;
  }
}

/** Stripe counts in seconds. The first instant belongs to the window, the last one does not. */
function secondsOf({ from, until }: TimeWindow) {
  return { gte: Math.ceil(from.getTime() / 1_000), lt: Math.ceil(until.getTime() / 1_000) };
}
