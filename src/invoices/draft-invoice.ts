import type { Charge } from '../database/entities/charge.ts';
import type { Checkout } from '../database/entities/checkout.ts';
import type { Cycle } from '../database/entities/cycle.ts';
import { type Invoice, NEW_INVOICE } from '../database/entities/invoice.ts';
import type { Subscription } from '../database/entities/subscription.ts';
import type { UsageOfProduct } from '../domain/cycle-usage.ts';
import type { InvoiceId } from '../domain/ids.ts';
import { type InvoiceLine, invoiceTotalCents, linesOfCharge, linesOfCycle } from '../domain/invoice.ts';
import { mintId } from '../ids.ts';

/** What else an invoice of a payment through a page is about. */
interface Paid {
  readonly checkout: Checkout;
  /** The subscription and the cycle that the payment has created; null for every other payment. */
  readonly made: { readonly subscription: Subscription; readonly firstCycle: Cycle | null } | null;
  /** The code of the charge's coupon. */
  readonly coupon: string | null;
}

/** The invoice of a payment of a checkout. @param paid the charge as it is once paid. */
export function invoiceOfPayment(paid: Charge, { checkout, made, coupon }: Paid, now: Date): Invoice {
  const paidAt = paid.paidAt ?? now;
  const type = made === null ? 'product' : 'plan';
  const cycle = made?.firstCycle ?? null;
  return {
    ...NEW_INVOICE,
    ...written(paid, linesOfCharge(paid, { type, coupon, paidAt }), now),
    ...{ status: 'PAID', chargeId: paid.id, paidAt },
    ...{ checkoutId: checkout.id, customerId: checkout.customerId ?? paid.customerId },
    ...(cycle !== null && ofCycle(cycle)),
  };
}

/** The invoice of a cycle that is asked for. @param used its usage by product, if it is known. */
export function invoiceOfCycle(
  { subscription, cycle }: { readonly subscription: Subscription; readonly cycle: Cycle },
  used: readonly UsageOfProduct[],
  now: Date,
): Invoice {
  const { plan, checkoutId, customerId, discount } = subscription;
  const lines = linesOfCycle(cycle, { plan, coupon: discount?.code ?? null, used });
  return {
    ...NEW_INVOICE,
    ...written(subscription, lines, now),
    ...{ status: 'OPEN', checkoutId, customerId },
    ...ofCycle(cycle),
  };
}

function written(
  { storeId, devMode }: Pick<Invoice, 'storeId' | 'devMode'>,
  lines: InvoiceLine[],
  now: Date,
) {
  const id = mintId<InvoiceId>('invoice', now);
  return {
    id,
    storeId,
    devMode,
    lines,
    amountCents: invoiceTotalCents(lines),
    createdAt: now,
    updatedAt: now,
  };
}

function ofCycle({ id, subscriptionId, number, startsAt, endsAt }: Cycle) {
  const period = { number, startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString() };
  return { cycleId: id, subscriptionId, period };
}
