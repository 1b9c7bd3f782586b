import { outsidePaymentsOf } from '../../customers/outside-payments.ts';
import type { Charge } from '../../database/entities/charge.ts';
import type { OutsidePayment } from '../../database/entities/outside-payment.ts';
import type { Subscription } from '../../database/entities/subscription.ts';
import { saoPauloDateOf } from '../../domain/civil-date.ts';
import { subscriptionStateOf } from '../../domain/subscription.ts';
import { earlierEmailsOf, paymentsOf, subscriptionsOf } from '../../portal/own-rows.ts';
import type { ProvenCustomer } from '../../portal/sessions.ts';
import { NOTICES } from '../frame/notice-page.ts';
import { NoticeError } from '../frame/page-context.ts';
import type { PayerVisit } from './visit.ts';

/** Far more than one person buys; it bounds the file. */
const MOST_IN_FILE = 10_000;

/**
 * The customer's own data as a JSON file (LGPD, art. 18, II and V): the same payments and subscriptions as the page. The store's
 * `metadata` is its own note and stays out.
 * @throws NoticeError 429 after more files than anyone needs.
 */
export async function downloadData(visit: PayerVisit): Promise<void> {
  const { ctx, em, customer, deps, store, now } = visit;
  const seconds = await deps.trafficLimiter.countKnown(['dataFilesOfCustomer', customer.id]);
  if (seconds !== null) throw new NoticeError(429, NOTICES.tooMany, seconds);
  const payments = await paymentsOf(em, customer, MOST_IN_FILE);
  const subscriptions = await subscriptionsOf(em, customer, MOST_IN_FILE);
  // Only the store names the customer of an imported payment, so an address that a payer typed does not open it.
  const outside = customer.typedByPayer
    ? []
    : await outsidePaymentsOf(em, customer, customer.id, MOST_IN_FILE);
  const data = {
    store: store.name,
    createdAt: now.toISOString(),
    customer: { ...customerData(customer), earlierEmails: await earlierEmailsOf(em, customer) },
    payments: payments.map((charge) => paymentData(charge, deps.publicUrl)),
    subscriptions: subscriptions.map(subscriptionData),
    earlierPayments: outside.map(outsidePaymentData),
  };
  ctx.status = 200;
  ctx.type = 'application/json; charset=utf-8';
  ctx.set('Content-Disposition', `attachment; filename="data-${saoPauloDateOf(now)}.json"`);
  ctx.body = `${JSON.stringify(data, null, 2)}\n`;
}

function customerData({ id, name, email, taxId, cellphone, zipCode, country, createdAt }: ProvenCustomer) {
  return { id, name, email, taxId, cellphone, zipCode, country, createdAt };
}

/** The payer is the one of this payment, whom the customer's record may describe otherwise. */
function paymentData(charge: Charge, publicUrl: string) {
  const { id, method, status, amountCents, paidAmountCents, refundedCents, createdAt, paidAt } = charge;
  const { payerName, payerEmail, payerTaxId, payerCellphone, cardBrand, cardLastFour } = charge;
  const { items, description } = charge;
  return {
    id,
    method,
    status,
    amount: amountCents,
    paidAmount: paidAmountCents,
    refundedAmount: refundedCents,
    description,
    items,
    payer: { name: payerName, email: payerEmail, taxId: payerTaxId, cellphone: payerCellphone },
    card: cardLastFour === null ? null : { brand: cardBrand, lastFour: cardLastFour },
    createdAt,
    paidAt,
    receiptUrl: paidAt === null ? null : `${publicUrl}/receipt/${id}`,
  };
}

/** A payment that another system took before the store came here. */
function outsidePaymentData({ externalId, method, amountCents, refundedCents, paidAt }: OutsidePayment) {
  return { externalId, method, amount: amountCents, refundedAmount: refundedCents, paidAt };
}

function subscriptionData(subscription: Subscription) {
  const { id, plan, amountCents, cycle, method, cardBrand, cardLastFour } = subscription;
  const { createdAt, cycleEndsAt, canceledAt } = subscription;
  return {
    id,
    state: subscriptionStateOf(subscription),
    plan: plan.name,
    quantity: plan.quantity,
    addOns: (plan.addOns ?? []).map((addOn) => ({ name: addOn.name, quantity: addOn.quantity })),
    amount: amountCents,
    cycle,
    method,
    card: cardLastFour === null ? null : { brand: cardBrand, lastFour: cardLastFour },
    createdAt,
    cycleEndsAt,
    canceledAt,
  };
}
