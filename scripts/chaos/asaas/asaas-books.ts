import { paymentIdOf, referenceOf, standingOf } from '../../../src/providers/asaas/wire.ts';
import type { BoxPayment } from '../../psp/asaas/books.ts';
import type {
  BookedDispute,
  BookedPayment,
  BookedRefund,
  ProviderBooks,
} from '../real-money/provider-books.ts';
import type { AsaasState } from './asaas-door.ts';

/** The statuses of a chargeback that has ended. */
const ENDS = { REVERSED: 'WON', DISPUTE_LOST: 'LOST' } as const;

const centsOf = (reais: number) => Math.round(reais * 100);

/** The box's books in the words of Recebe: all installments of an order are one payment. */
export function booksOfAsaas({ payments, transfers }: AsaasState): ProviderBooks {
  const orders = [...Map.groupBy(payments, paymentIdOf).values()];
  const open = payments.filter((payment) => standingOf(payment) === 'OPEN');
  return {
    payments: orders.flatMap((parts) => bookedOf(parts) ?? []),
    transfers: transfers.map(({ externalReference, value, status }) => ({
      reference: externalReference ?? '',
      cents: centsOf(value),
      hasArrived: status === 'DONE',
    })),
    payable: new Set(open.map(referenceOf)),
  };
}

function bookedOf(parts: readonly BoxPayment[]): BookedPayment | null {
  const [first] = parts.toSorted(
    (one, other) => (one.installmentNumber ?? 0) - (other.installmentNumber ?? 0),
  );
  if (first === undefined || standingOf(first) !== 'PAID') return null;
  const cents = parts.reduce((sum, { value }) => sum + centsOf(value), 0);
  return {
    id: paymentIdOf(first),
    reference: referenceOf(first),
    cents,
    refunds: refundsOf(parts),
    dispute: disputeOf(first, cents),
    // The API returns no money of a bar code.
    isReturnable: first.billingType !== 'BOLETO' || first.pixTransaction !== null,
  };
}

/** The parts of a refund of installments carry one description. */
function refundsOf(parts: readonly BoxPayment[]): readonly BookedRefund[] {
  const done = parts.flatMap(({ refunds }) => refunds.filter(({ status }) => status === 'DONE'));
  const named = Map.groupBy(done, ({ description }) => description);
  return [...named].flatMap(([reference, same]): BookedRefund[] => {
    const cents = same.map(({ value }) => centsOf(value));
    if (reference === null) return cents.map((each) => ({ reference, cents: each }));
    return [{ reference, cents: cents.reduce((sum, each) => sum + each, 0) }];
  });
}

function disputeOf(first: BoxPayment, cents: number): BookedDispute | null {
  if (first.chargeback === null) return null;
  const status = ENDS[first.chargeback.status as keyof typeof ENDS] ?? 'OPEN';
  return { id: paymentIdOf(first), status, cents, feeCents: 0 };
}
