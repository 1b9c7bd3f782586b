import { z } from 'zod';
import type { Charge } from '../../database/entities/charge.ts';
import type { Customer } from '../../database/entities/customer.ts';
import type { Debit } from '../../database/entities/debit.ts';
import type { Subscription } from '../../database/entities/subscription.ts';
import { timestamp } from '../../wire/fields.ts';
import { installmentKind, publishedKind } from '../charged-cycle.ts';
import { eventCustomer, publishedCustomer } from '../parties.ts';
import { eventDebit, publishedDebit } from './debit.ts';
import { payment, publishedPaymentOf, publishedSubscription, subscription } from './objects.ts';

export const paymentFailedData = z.strictObject({
  subscription,
  customer: eventCustomer,
  payment: payment.extend({ status: z.literal('FAILED') }),
  reason: z.string().meta({
    description: "The reason: a card's decline code such as `card_declined`, or `pix_expired`.",
  }),
  installmentId: z.string().nullable(),
  installmentNumber: z.int().meta({ description: 'The cycle of this attempt.' }),
  installmentKind,
  retryNumber: z.int().meta({ description: 'Failed attempts for this cycle, including this one.' }),
  nextAttemptAt: timestamp.nullable().meta({
    description: 'When the next attempt follows; null after the last one.',
  }),
  debit: eventDebit,
});
export type PaymentFailedEventData = z.output<typeof paymentFailedData>;

interface UnpaidCycle {
  readonly reason: string;
  readonly cycleNumber: number;
  readonly isUsage: boolean;
  readonly retryNumber: number;
  /** Null for the last attempt. */
  readonly nextAttemptAt: Date | null;
  /** The debit that has failed; null if the attempt was of another kind. */
  readonly debit: Debit | null;
}

/** The `data` of `subscription.payment_failed` (contract section 6). */
export function paymentFailedEventData(
  unpaid: Subscription,
  customer: Customer | null,
  charge: Charge,
  failure: UnpaidCycle,
  publicUrl: string,
): PaymentFailedEventData {
  return {
    subscription: publishedSubscription(unpaid, publicUrl),
    customer: publishedCustomer(customer),
    payment: { ...publishedPaymentOf(charge, {}, publicUrl), status: 'FAILED' },
    reason: failure.reason,
    installmentId: charge.cycleId,
    installmentNumber: failure.cycleNumber,
    installmentKind: publishedKind(failure),
    retryNumber: failure.retryNumber,
    nextAttemptAt: failure.nextAttemptAt?.toISOString() ?? null,
    debit: publishedDebit(failure.debit),
  };
}
