import { z } from 'zod';
import type { Charge } from '../../database/entities/charge.ts';
import type { Checkout } from '../../database/entities/checkout.ts';
import type { Customer } from '../../database/entities/customer.ts';
import type { Cycle } from '../../database/entities/cycle.ts';
import type { Debit } from '../../database/entities/debit.ts';
import type { Subscription } from '../../database/entities/subscription.ts';
import {
  type ChargedCycle,
  chargedCycle,
  installmentKind,
  publishedCycle,
  publishedKind,
} from '../charged-cycle.ts';
import {
  eventCustomer,
  type PublishedPayment,
  payerInformation,
  publishedCustomer,
  publishedPayer,
} from '../parties.ts';
import { eventDebit, publishedDebit } from './debit.ts';
import {
  checkout,
  payment,
  publishedCheckout,
  publishedPaymentOf,
  publishedSubscription,
  subscription,
} from './objects.ts';

export const subscriptionData = z.strictObject({
  subscription,
  customer: eventCustomer,
  payment: payment.nullable().meta({ description: 'The latest charge; null before the first one.' }),
  payerInformation,
  checkout,
  ...chargedCycle,
  installmentKind,
  debit: eventDebit,
});
export type SubscriptionEventData = z.output<typeof subscriptionData>;

/** The objects of a subscription event. */
export interface SubscriptionHappening {
  readonly subscription: Subscription;
  readonly checkout: Checkout;
  readonly customer: Customer | null;
  /** The latest charge; null before the first one. */
  readonly charge: Charge | null;
  /** The cycle of that charge; null without one. */
  readonly cycle: (ChargedCycle & Pick<Cycle, 'isUsage'>) | null;
  readonly payment: PublishedPayment;
  /** The debit that pays the charge; null without one. */
  readonly debit: Debit | null;
}

/** The `data` of `subscription.completed`, `renewed` and `cancelled`. */
export function subscriptionEventData(
  { customer, charge, ...happening }: SubscriptionHappening,
  publicUrl: string,
): SubscriptionEventData {
  return {
    subscription: publishedSubscription(happening.subscription, publicUrl),
    customer: publishedCustomer(customer),
    payment: charge && publishedPaymentOf(charge, happening.payment.metadata, publicUrl),
    payerInformation: charge && publishedPayer(charge, customer, happening.payment.payer),
    checkout: publishedCheckout(happening.checkout, publicUrl),
    ...publishedCycle(happening.cycle),
    installmentKind: publishedKind(happening.cycle),
    debit: publishedDebit(happening.debit),
  };
}
