import type { CivilDate } from '../../domain/civil-date.ts';
import type { StatementEntry, StatementKind } from '../../domain/statement-day.ts';
import type { TimeWindow } from '../ports/pages.ts';
import type { ProviderPayout, StatementPort } from '../ports/statement.ts';
import type { StripeClient } from './stripe-client.ts';
import {
  idOfUnreadable,
  readBalanceTransaction,
  readList,
  readPayout,
  referenceIn,
  type StripeBalanceTransaction,
} from './wire.ts';

const PAGE_SIZE = 100;

/** Stripe's categories for accounting (docs.stripe.com/reports/reporting-categories). All others are adjustments. */
const KINDS: Readonly<Record<string, StatementKind>> = {
  charge: 'PAYMENT',
  charge_failure: 'REFUND',
  refund: 'REFUND',
  refund_failure: 'REFUND',
  partial_capture_reversal: 'REFUND',
  dispute: 'DISPUTE',
  dispute_reversal: 'DISPUTE',
  fee: 'FEE',
  network_cost: 'FEE',
  tax: 'FEE',
  payout: 'PAYOUT',
  payout_reversal: 'PAYOUT',
};

const PAYOUT_STATUSES: Readonly<Record<string, ProviderPayout['status']>> = {
  paid: 'PAID',
  failed: 'FAILED',
  canceled: 'FAILED',
};

/** Stripe's balance transactions and its own payouts. */
export function stripeStatement(client: StripeClient): StatementPort {
  return {
    async entries(time, cursor) {
      const { body } = await client.call('listing balance transactions', (sdk) =>
        sdk.balanceTransactions.list({ ...pageOf(time, cursor), expand: ['data.source'] }),
      );
      return pageFrom(body, (item) => entryOf(readBalanceTransaction(item)));
    },
    async payouts(time, cursor) {
      const { body } = await client.call('listing payouts', (sdk) => sdk.payouts.list(pageOf(time, cursor)));
      return pageFrom(body, (item): ProviderPayout => {
        const { id, amount, status, arrival_date: arrival } = readPayout(item);
        // A date without a time, which Stripe writes as midnight in UTC.
        const arrivesOn = arrival.toISOString().slice(0, 10) as CivilDate;
        return { id, amountCents: amount, status: PAYOUT_STATUSES[status] ?? 'UNDER_WAY', arrivesOn };
      });
    },
  };
}

function entryOf({
  id,
  amount,
  fee,
  reporting_category: category,
  source,
}: StripeBalanceTransaction): StatementEntry {
  const about = source == null || typeof source === 'string' ? null : source;
  return {
    id,
    kind: KINDS[category] ?? 'ADJUSTMENT',
    amountCents: amount,
    feeCents: fee,
    providerPaymentId: about?.payment_intent ?? null,
    installmentNumber: null,
    // Stripe copies the metadata of a payment intent to its charge.
    isOurs: about !== null && referenceIn(about) !== null,
    balanceAfterCents: null,
  };
}

/** An item that cannot be read is named and does not hide the others. */
function pageFrom<Item>(body: unknown, read: (item: unknown) => Item) {
  const { data, has_more: hasMore } = readList(body);
  const items: Item[] = [];
  const unreadableIds: string[] = [];
  for (const item of data) {
    try {
      items.push(read(item));
    } catch {
      unreadableIds.push(idOfUnreadable(item));
    }
  }
  return { items, unreadableIds, nextCursor: hasMore ? idOfUnreadable(data.at(-1)) : null };
}

function pageOf({ from, until }: TimeWindow, cursor: string | null) {
  return {
    created: { gte: Math.ceil(from.getTime() / 1_000), lt: Math.ceil(until.getTime() / 1_000) },
    limit: PAGE_SIZE,
    ...(cursor !== null && { starting_after: cursor }),
  };
}
