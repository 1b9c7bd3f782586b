import type { Charge } from '../../src/database/entities/charge.ts';
import { type Checkout, CheckoutEntity } from '../../src/database/entities/checkout.ts';
import { type Customer, CustomerEntity } from '../../src/database/entities/customer.ts';
import { CycleEntity } from '../../src/database/entities/cycle.ts';
import { SubscriptionEntity } from '../../src/database/entities/subscription.ts';
import type { Em } from '../../src/database/orm.ts';
import type { EventName } from '../../src/domain/event.ts';
import { checkoutEventData } from '../../src/events/checkout-data.ts';
import type { ToldPayment } from '../../src/events/parties.ts';
import { subscriptionEventData, trialEventData } from '../../src/events/subscription/data.ts';
import { transparentEventData } from '../../src/events/transparent.ts';
import { type NewSubscription, newSubscription } from './new-subscription.ts';
import { type Acceptance, writeAcceptance } from './write-acceptance.ts';
import { writeCheckoutAcceptance } from './write-checkout-acceptance.ts';
import { writeCycleAcceptance } from './write-cycle-acceptance.ts';

/** What a payment of one kind tells, and how it is written. */
export interface AcceptanceKind {
  readonly eventName: EventName;
  readonly data: object;
  readonly write: (acceptance: Acceptance) => Promise<boolean>;
}

/** The event of a charge's payment; it follows from what the charge pays for, and never changes. */
export async function completedEventName(
  em: Em,
  charge: Charge,
  checkout: Checkout | null,
): Promise<EventName> {
  if (checkout === null) return 'transparent.completed';
  if (charge.cycleId !== null) {
    return (await isFirstAfterTrial(em, charge, checkout))
      ? 'subscription.completed'
      : 'subscription.renewed';
  }
  if (checkout.frequency !== 'SUBSCRIPTION' || charge.upsellOf !== null) return 'checkout.completed';
  return checkout.trialDays === null ? 'subscription.completed' : 'subscription.trial_started';
}

/** Without a trial the first cycle is paid on the page, and is none that is charged later. */
async function isFirstAfterTrial(em: Em, { cycleId }: Charge, { trialDays }: Checkout): Promise<boolean> {
  if (trialDays === null || cycleId === null) return false;
  const { number } = await em.findOneOrFail(CycleEntity, { id: cycleId });
  return number === 1;
}

/** What accepting a payment of this charge means: of a transparent charge, a checkout, or a subscription. */
export async function acceptanceOf(
  em: Em,
  paid: Charge,
  payment: ToldPayment,
  now: Date,
  publicUrl: string,
): Promise<AcceptanceKind> {
  const customer =
    paid.customerId === null ? null : await em.findOne(CustomerEntity, { id: paid.customerId });
  if (paid.checkoutId === null) {
    const data = transparentEventData(paid, customer, payment.payer, publicUrl);
    return { eventName: 'transparent.completed', data, write: writeAcceptance };
  }
  const checkout = await em.findOneOrFail(CheckoutEntity, { id: paid.checkoutId });
  const eventName = await completedEventName(em, paid, checkout);
  const about = { checkout, customer, charge: paid, payment };
  if (eventName === 'checkout.completed') {
    const data = checkoutEventData(checkout, paid, customer, payment, publicUrl);
    return { eventName, data, write: (acceptance) => writeCheckoutAcceptance(acceptance, null) };
  }
  if (paid.cycleId !== null) return renewal(em, about, eventName, publicUrl);
  return activation(about, eventName, now, publicUrl);
}

interface About {
  readonly checkout: Checkout;
  readonly customer: Customer | null;
  readonly charge: Charge;
  readonly payment: ToldPayment;
}

async function renewal(
  em: Em,
  about: About,
  eventName: EventName,
  publicUrl: string,
): Promise<AcceptanceKind> {
  const subscription = await em.findOneOrFail(
    SubscriptionEntity,
    { checkoutId: about.checkout.id },
    { disableIdentityMap: true },
  );
  const data = subscriptionEventData({ ...about, subscription }, publicUrl);
  return { eventName, data, write: writeCycleAcceptance };
}

function activation(about: About, eventName: EventName, now: Date, publicUrl: string): AcceptanceKind {
  const { checkout, customer, charge } = about;
  const made = newSubscription(checkout, charge, now);
  const { subscription } = made;
  const data =
    eventName === 'subscription.trial_started'
      ? trialEventData(subscription, customer)
      : subscriptionEventData(
          { ...about, checkout: paidBy(charge, checkout, made), subscription },
          publicUrl,
        );
  return { eventName, data, write: (acceptance) => writeCheckoutAcceptance(acceptance, made) };
}

/** The checkout as the statement that accepts its first payment leaves it. */
function paidBy(paid: Charge, checkout: Checkout, { subscription }: NewSubscription): Checkout {
  return {
    ...checkout,
    status: 'PAID',
    paidAmountCents: paid.paidAmountCents,
    paidByChargeId: paid.id,
    customerId: checkout.customerId ?? paid.customerId,
    subscriptionId: subscription.id,
    updatedAt: paid.updatedAt,
  };
}
