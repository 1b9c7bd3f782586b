import { unattemptedDeliveries } from '../../src/database/delivery-to-start.ts';
import { type Charge, ChargeEntity } from '../../src/database/entities/charge.ts';
import { CheckoutEntity } from '../../src/database/entities/checkout.ts';
import { CustomerEntity } from '../../src/database/entities/customer.ts';
import type { DeliveryToStart } from '../../src/database/entities/delivery.ts';
import { PaymentEntity } from '../../src/database/entities/payment.ts';
import type { Em } from '../../src/database/orm.ts';
import type { ChargeStatus } from '../../src/domain/charge.ts';
import type { ChargeId, DisputeId, RefundId } from '../../src/domain/ids.ts';
import type { TakenMoney } from '../../src/domain/ledger.ts';
import { checkoutEventData } from '../../src/events/checkout.ts';
import { toldPayment } from '../../src/events/parties.ts';
import { writeEvent } from '../../src/events/record.ts';
import { transparentEventData } from '../../src/events/transparent.ts';
import type { ActivityDeps } from '../deps.ts';

export interface Reversal {
  readonly happened: 'refunded' | 'disputed' | 'lost' | 'won';
  /** The charge as it is afterwards. */
  readonly charge: Charge;
  readonly subjectId: RefundId | DisputeId;
  readonly reason: string | null;
}

/**
 * Writes `transparent.*`, or `checkout.*` for whatever was paid through a checkout, in the caller's
 * transaction (contract section 7). @returns the deliveries to start after the commit.
 */
export async function writeReversalEvent(
  em: Em,
  { happened, charge, subjectId, reason }: Reversal,
  now: Date,
  publicUrl: string,
): Promise<DeliveryToStart[]> {
  const customer =
    charge.customerId === null ? null : await em.findOne(CustomerEntity, { id: charge.customerId });
  const payment = await em.findOne(PaymentEntity, { chargeId: charge.id, outcome: 'ACCEPTED' });
  const told = toldPayment(payment);
  if (charge.checkoutId === null) {
    const data = { ...transparentEventData(charge, customer, told.payer, publicUrl), reason };
    return writeEvent(em, charge, eventNameOf(charge, happened), subjectId, data, now);
  }
  const checkout = await em.findOneOrFail(
    CheckoutEntity,
    { id: charge.checkoutId },
    { disableIdentityMap: true },
  );
  const data = { ...checkoutEventData(checkout, charge, customer, told, publicUrl), reason };
  return writeEvent(em, charge, eventNameOf(charge, happened), subjectId, data, now);
}

/**
 * Deliveries that no attempt has been made for: also those of an earlier run that died before it started
 * them.
 */
export function reversalDeliveriesLeft(
  em: Em,
  charge: Charge,
  happened: Reversal['happened'],
  subjectId: Reversal['subjectId'],
): Promise<DeliveryToStart[]> {
  return unattemptedDeliveries(em, `${eventNameOf(charge, happened)}/${subjectId}`);
}

function eventNameOf({ checkoutId }: Charge, happened: Reversal['happened']) {
  return checkoutId === null ? (`transparent.${happened}` as const) : (`checkout.${happened}` as const);
}

/**
 * Money that is the store's again by a refused refund or a won dispute, and is still pending, has the
 * settlement of its day look once more: it may have passed the charge over between the time that this
 * activity was given and its commit.
 * @returns the charge's status.
 */
export async function settleAfterReversal(
  deps: ActivityDeps,
  em: Em,
  chargeId: ChargeId,
): Promise<ChargeStatus> {
  const charge = await em.findOneOrFail(ChargeEntity, { id: chargeId }, { disableIdentityMap: true });
  const { status, settlesAt, settledAt, refundId } = charge;
  const isPending = status === 'PAID' && settledAt === null && refundId === null;
  if (isPending && settlesAt !== null) await deps.startSettlement(charge, settlesAt);
  return status;
}

/** A paid charge as far as the ledger is concerned. */
export function takenMoneyOf(charge: Charge): TakenMoney {
  return {
    paidCents: charge.paidAmountCents ?? 0,
    feeCents: charge.platformFeeCents,
    isSettled: charge.settledAt !== null,
  };
}

/**
 * When what was set aside becomes available, should it be the store's again at `now`: its day may have come
 * meanwhile, and the settlement of that day has passed it over.
 */
export function settledAtAfter({ settledAt, settlesAt }: Charge, now: Date): Date | null {
  if (settledAt !== null) return settledAt;
  return settlesAt !== null && settlesAt <= now ? now : null;
}

/**
 * Makes a charge REFUNDED, and with it the checkout that it had paid. The checkout is locked first, as
 * everywhere. The caller has made sure that the charge may be.
 */
export async function takeBack(em: Em, charge: Charge, now: Date): Promise<Charge> {
  const refunded = { ...charge, status: 'REFUNDED' as const, updatedAt: now };
  if (charge.checkoutId !== null) {
    await em.execute(
      `update checkouts set status = 'REFUNDED', updated_at = :now where id = :checkoutId and paid_by_charge_id = :id`,
      { now, checkoutId: charge.checkoutId, id: charge.id },
    );
  }
  await em.nativeUpdate(ChargeEntity, { id: charge.id }, { status: 'REFUNDED', updatedAt: now });
  return refunded;
}
