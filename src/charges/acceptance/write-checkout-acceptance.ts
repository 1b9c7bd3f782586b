import { type Cycle, CycleEntity } from '../../database/entities/cycle.ts';
import type { Invoice } from '../../database/entities/invoice.ts';
import { type Subscription, SubscriptionEntity } from '../../database/entities/subscription.ts';
import { statement } from '../../database/statement.ts';
import type { ChargeId, SubscriptionId } from '../../domain/ids.ts';
import type { NewSubscription } from './new-subscription.ts';
import {
  ACCEPTANCE_ROWS,
  type Acceptance,
  type AcceptanceParams,
  acceptanceParams,
  CAN_BE_PAID,
  insertInvoice,
  PAID,
} from './write-acceptance.ts';

/**
 * The acceptance of any charge; the same statement makes the checkout PAID and the coupon's reservation a use. The
 * locks are taken in the order checkout, charge, coupon. Every other writer uses the same order, which prevents
 * deadlocks.
 *
 * A checkout that is paid once must not have been paid or cancelled: the first of two payments wins. A payment link
 * accepts every payment that was begun in time, even during its cancellation. An upsell comes after the payment it
 * follows, and loses to one that replaced it after it had expired.
 *
 * The use of a coupon was given back when its charge expired. If that charge turns out to be paid in time, it
 * counts as a use while the coupon's cap has room. The cap is never exceeded, and the payment is accepted either
 * way.
 */
const ACCEPT_CHECKOUT = `
  with open as (
    select id, frequency from checkouts
    where id = :charge.checkoutId
      and (status in ('PENDING', 'EXPIRED') or frequency = 'MULTIPLE_PAYMENTS' or :charge.upsellOf::text is not null) for update
  ), pending as (
    select charges.id, open.frequency, charges.status = 'PENDING' as is_open from charges, open
    where charges.id = :charge.id and ${CAN_BE_PAID}
      and (charges.status = 'PENDING' or charges.upsell_of is null or not exists (
        select from charges taken where taken.upsell_of = charges.upsell_of
          and taken.status not in ('EXPIRED', 'CANCELLED', 'FAILED')))
    for update of charges
  ), paid as (
    update charges set ${PAID}
    from pending where charges.id = pending.id and ${CAN_BE_PAID}
    returning charges.id, charges.store_id, charges.dev_mode, pending.is_open, charges.checkout_id, charges.coupon_id,
      charges.customer_id, charges.customer_named_by, charges.installments_count, charges.paid_amount_cents, charges.customer_fee_cents,
      charges.updated_at,
      pending.frequency <> 'MULTIPLE_PAYMENTS' and charges.upsell_of is null as pays_checkout
  ), paid_checkout as (
    update checkouts set
      paid_amount_cents = coalesce(checkouts.paid_amount_cents, 0) + paid.paid_amount_cents,
      customer_fee_cents = case when paid.customer_fee_cents > 0
        then coalesce(checkouts.customer_fee_cents, 0) + paid.customer_fee_cents else checkouts.customer_fee_cents end,
      status = case when pays_checkout then 'PAID' else checkouts.status end,
      paid_by_charge_id = case when pays_checkout then paid.id else checkouts.paid_by_charge_id end,
      customer_id = case when pays_checkout then coalesce(checkouts.customer_id, paid.customer_id) else checkouts.customer_id end,
      customer_named_by = case when pays_checkout and checkouts.customer_id is null
                               then paid.customer_named_by else checkouts.customer_named_by end,
      installments_count = case when pays_checkout and paid.installments_count > 1 then paid.installments_count
                                else checkouts.installments_count end,
      subscription_id = coalesce(checkouts.subscription_id, :subscriptionId),
      updated_at = paid.updated_at
    from paid where checkouts.id = paid.checkout_id
  ), redeemed as (
    update coupons set redeems_count = redeems_count + 1, updated_at = paid.updated_at,
      reserved_count = reserved_count - case when paid.is_open then 1 else 0 end
    from paid where coupons.id = paid.coupon_id
      and (paid.is_open or max_redeems = -1 or redeems_count + reserved_count < max_redeems)
  ), `;

interface Invoiced {
  /** Null for a trial that starts. */
  readonly invoice: Invoice | null;
}

const ACCEPT = statement<AcceptanceParams & Invoiced & { subscriptionId: null }, { id: ChargeId }>(
  'accept a payment of a checkout',
  (columns) => `${ACCEPT_CHECKOUT}
  invoice as (${insertInvoice(columns)}
  ), ${ACCEPTANCE_ROWS}`,
);

interface NewSubscriptionParams {
  readonly subscriptionId: SubscriptionId;
  readonly subscription: Subscription;
  readonly firstCycle: Cycle | null;
}

const ACCEPT_AND_SUBSCRIBE = statement<AcceptanceParams & Invoiced & NewSubscriptionParams, { id: ChargeId }>(
  'accept the first payment of a subscription',
  (columns) => `${ACCEPT_CHECKOUT}
  subscription as (
    insert into subscriptions (${columns.of(SubscriptionEntity)})
    select ${columns.values(SubscriptionEntity, 'subscription')} from paid
  ), cycle as (
    insert into installments (${columns.of(CycleEntity)})
    select ${columns.values(CycleEntity, 'firstCycle')} from paid where :firstCycle.id::text is not null
  ), invoice as (${insertInvoice(columns)}
  ), ${ACCEPTANCE_ROWS}`,
);

/**
 * @param made what the first payment of a subscription's checkout creates; null for every other checkout.
 * @param invoice null for a trial that starts: nothing was sold yet.
 * @returns false, with nothing written, if the charge or its checkout could no longer be paid.
 */
export async function writeCheckoutAcceptance(
  acceptance: Acceptance,
  made: NewSubscription | null,
  invoice: Invoice | null,
): Promise<boolean> {
  const params = { ...acceptanceParams(acceptance), invoice };
  const written =
    made === null
      ? await ACCEPT(acceptance.em, { ...params, subscriptionId: null })
      : await ACCEPT_AND_SUBSCRIBE(acceptance.em, {
          ...params,
          ...made,
          subscriptionId: made.subscription.id,
        });
  return written.length === 1;
}
