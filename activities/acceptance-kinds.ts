import type { Charge } from '../src/database/charge.ts';
import { type Checkout, CheckoutEntity } from '../src/database/checkout.ts';
import { type Customer, CustomerEntity } from '../src/database/customer.ts';
import type { Em } from '../src/database/orm.ts';
import { SubscriptionEntity } from '../src/database/subscription.ts';
import type { EventName } from '../src/domain/event.ts';
import type { ProviderPayment } from '../src/providers/provider.ts';
import { checkoutEventData } from './checkout-event-data.ts';
import { transparentEventData } from './event-data.ts';
import { newSubscription } from './new-subscription.ts';
import { subscriptionEventData, trialEventData } from './subscription-event-data.ts';
import { type Acceptance, writeAcceptance } from './write-acceptance.ts';
import { writeCheckoutAcceptance } from './write-checkout-acceptance.ts';
import { writeInstallmentAcceptance } from './write-installment-acceptance.ts';

/** What a payment of one kind tells, and how it is written. */
export interface AcceptanceKind {
  readonly eventName: EventName;
  readonly data: object;
  readonly write: (acceptance: Acceptance) => Promise<boolean>;
}

/** The event of a charge's payment; it follows from what the charge pays for, and never changes. */
export function completedEventName(charge: Charge, checkout: Checkout | null): EventName {
  if (checkout === null) return 'transparent.completed';
  if (charge.installmentId !== null) return 'subscription.renewed';
  if (checkout.frequency !== 'SUBSCRIPTION' || charge.upsellOf !== null) return 'checkout.completed';
  return checkout.trialDays === null ? 'subscription.completed' : 'subscription.trial_started';
}

/** What accepting a payment of this charge means: of a transparent charge, a checkout, or a subscription. */
export async function acceptanceOf(
  em: Em,
  paid: Charge,
  payer: ProviderPayment['payer'],
  now: Date,
  publicUrl: string,
): Promise<AcceptanceKind> {
  const customer =
    paid.customerId === null ? null : await em.findOne(CustomerEntity, { id: paid.customerId });
  if (paid.checkoutId === null) {
    const data = transparentEventData(paid, customer, payer, publicUrl);
    return { eventName: 'transparent.completed', data, write: writeAcceptance };
  }
  const checkout = await em.findOneOrFail(CheckoutEntity, { id: paid.checkoutId });
  const eventName = completedEventName(paid, checkout);
  const about = { checkout, customer, charge: paid, payer };
  if (eventName === 'checkout.completed') {
    const data = checkoutEventData(checkout, paid, customer, payer, publicUrl);
    return { eventName, data, write: (acceptance) => writeCheckoutAcceptance(acceptance, null) };
  }
  if (eventName === 'subscription.renewed') return renewal(em, about, publicUrl);
  return activation(about, eventName, now, publicUrl);
}

interface About {
  readonly checkout: Checkout;
  readonly customer: Customer | null;
  readonly charge: Charge;
  readonly payer: ProviderPayment['payer'];
}

async function renewal(em: Em, about: About, publicUrl: string): Promise<AcceptanceKind> {
  const subscription = await em.findOneOrFail(
    SubscriptionEntity,
    { checkoutId: about.checkout.id },
    { disableIdentityMap: true },
  );
  const data = subscriptionEventData({ ...about, subscription }, publicUrl);
  return { eventName: 'subscription.renewed', data, write: writeInstallmentAcceptance };
}

function activation(about: About, eventName: EventName, now: Date, publicUrl: string): AcceptanceKind {
  const { checkout, customer, charge } = about;
  const made = newSubscription(checkout, charge, now);
  const { subscription } = made;
  const data =
    eventName === 'subscription.trial_started'
      ? trialEventData(subscription, customer)
      : subscriptionEventData({ ...about, subscription }, publicUrl);
  return { eventName, data, write: (acceptance) => writeCheckoutAcceptance(acceptance, made) };
}
