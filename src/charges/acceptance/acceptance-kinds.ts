import type { Charge } from '../../database/entities/charge.ts';
import { type Checkout, CheckoutEntity } from '../../database/entities/checkout.ts';
import { type Coupon, CouponEntity } from '../../database/entities/coupon.ts';
import { type Customer, CustomerEntity } from '../../database/entities/customer.ts';
import { type Cycle, CycleEntity } from '../../database/entities/cycle.ts';
import type { Invoice } from '../../database/entities/invoice.ts';
import { SubscriptionEntity } from '../../database/entities/subscription.ts';
import type { Em } from '../../database/orm.ts';
import type { EventName } from '../../domain/event-names.ts';
import type { CycleId } from '../../domain/ids.ts';
import { customerOfFirst } from '../../domain/payer.ts';
import { isKeptPastDue } from '../../domain/subscription.ts';
import { checkoutEventData } from '../../events/checkout.ts';
import type { PublishedEvent } from '../../events/events.ts';
import type { PublishedPayment } from '../../events/parties.ts';
import { debitOf } from '../../events/subscription/debit.ts';
import { subscriptionEventData } from '../../events/subscription/paid-and-cancelled.ts';
import { trialEventData } from '../../events/subscription/trial-started.ts';
import { transparentEventData } from '../../events/transparent.ts';
import { invoiceOfCycle, invoiceOfPayment } from '../../invoices/draft-invoice.ts';
import { type NewSubscription, newSubscription } from './new-subscription.ts';
import { type Acceptance, writeAcceptance } from './write-acceptance.ts';
import { writeCheckoutAcceptance } from './write-checkout-acceptance.ts';
import { writeCycleAcceptance } from './write-cycle-acceptance.ts';

/** The event of an accepted payment of one kind, and the function that writes the acceptance. */
export type AcceptanceKind = PublishedEvent & {
  readonly write: (acceptance: Acceptance) => Promise<boolean>;
};

/** The event of a charge's payment. It depends on the charge's purpose and never changes. */
export async function completedEventName(
  em: Em,
  charge: Charge,
  checkout: Checkout | null,
): Promise<EventName> {
  if (checkout === null) return 'transparent.completed';
  if (charge.cycleId !== null) return cycleEventName(em, charge.cycleId, checkout);
  if (!isFirstOfSubscription(charge, checkout)) return 'checkout.completed';
  return checkout.trialDays === null ? 'subscription.completed' : 'subscription.trial_started';
}

/** Without a trial, the payer pays the first cycle on the page, so that cycle is not charged later. */
async function cycleEventName(em: Em, cycleId: CycleId, checkout: Checkout) {
  if (checkout.trialDays === null) return 'subscription.renewed';
  return eventNameOf(await em.findOneOrFail(CycleEntity, { id: cycleId }), checkout);
}

function eventNameOf({ number }: Cycle, { trialDays }: Checkout) {
  return trialDays !== null && number === 1 ? 'subscription.completed' : 'subscription.renewed';
}

/** Whether the payer made this charge on the checkout page of a subscription. */
function isFirstOfSubscription({ upsellOf }: Charge, { frequency }: Checkout): boolean {
  return frequency === 'SUBSCRIPTION' && upsellOf === null;
}

/** Selects the kind of acceptance: of a transparent charge, a checkout or a subscription. */
export async function acceptanceOf(
  em: Em,
  paid: Charge,
  payment: PublishedPayment,
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
  const about = { checkout, customer, charge: paid, payment };
  if (paid.cycleId !== null) return renewal(em, about, paid.cycleId, now, publicUrl);
  if (isFirstOfSubscription(paid, checkout)) return activation(em, about, now, publicUrl);
  const data = checkoutEventData(checkout, paid, customer, payment, publicUrl);
  const coupon = (await couponOf(em, paid))?.code ?? null;
  const invoice = invoiceOfPayment(paid, { checkout, made: null, coupon }, now);
  const write = (acceptance: Acceptance) => writeCheckoutAcceptance(acceptance, null, invoice);
  return { eventName: 'checkout.completed', data, write };
}

interface About {
  readonly checkout: Checkout;
  readonly customer: Customer | null;
  readonly charge: Charge;
  readonly payment: PublishedPayment;
}

async function renewal(
  em: Em,
  about: About,
  cycleId: CycleId,
  now: Date,
  publicUrl: string,
): Promise<AcceptanceKind> {
  const cycle = await em.findOneOrFail(CycleEntity, { id: cycleId }, { disableIdentityMap: true });
  const eventName = eventNameOf(cycle, about.checkout);
  const before = await em.findOneOrFail(
    SubscriptionEntity,
    { checkoutId: about.checkout.id },
    { disableIdentityMap: true },
  );
  // The subscription as the accepting statement leaves it.
  const subscription = {
    ...before,
    failedAttempts: 0,
    lastFailure: null,
    attemptDueAt: null,
    extraAttempts: 0,
    ...(isKeptPastDue(before) && { pausedAt: null, pauseCause: null }),
    updatedAt: about.charge.updatedAt,
  };
  const debit = await debitOf(em, about.charge);
  const data = subscriptionEventData({ ...about, subscription, cycle, debit }, publicUrl);
  const { id: chargeId, paidAt } = about.charge;
  const invoice: Invoice = {
    ...invoiceOfCycle({ subscription, cycle }, [], now),
    ...{ status: 'PAID', chargeId, paidAt },
  };
  const write = (acceptance: Acceptance) => writeCycleAcceptance(acceptance, invoice);
  return { eventName, data, write };
}

async function activation(em: Em, about: About, now: Date, publicUrl: string): Promise<AcceptanceKind> {
  const { customer, charge } = about;
  const coupon = await couponOf(em, charge);
  const made = newSubscription(about.checkout, charge, coupon, now);
  const { subscription } = made;
  // Nothing is sold yet when a trial starts.
  const invoice =
    made.firstCycle &&
    invoiceOfPayment(charge, { checkout: about.checkout, made, coupon: coupon?.code ?? null }, now);
  const write = (acceptance: Acceptance) => writeCheckoutAcceptance(acceptance, made, invoice);
  if (subscription.trialDays !== null) {
    return {
      eventName: 'subscription.trial_started',
      data: trialEventData(subscription, customer, publicUrl),
      write,
    };
  }
  const checkout = paidBy(charge, about.checkout, made);
  const data = subscriptionEventData(
    { ...about, checkout, subscription, cycle: made.firstCycle, debit: null },
    publicUrl,
  );
  return { eventName: 'subscription.completed', data, write };
}

async function couponOf(em: Em, { couponId }: Charge): Promise<Coupon | null> {
  return couponId === null ? null : em.findOneOrFail(CouponEntity, { id: couponId });
}

/** The checkout as the statement leaves it that accepts its first payment. */
function paidBy(paid: Charge, checkout: Checkout, { subscription }: NewSubscription): Checkout {
  return {
    ...checkout,
    status: 'PAID',
    paidAmountCents: paid.paidAmountCents,
    paidByChargeId: paid.id,
    ...customerOfFirst(checkout, paid),
    subscriptionId: subscription.id,
    updatedAt: paid.updatedAt,
  };
}
