import { type Charge, ChargeEntity } from '../../database/entities/charge.ts';
import { CheckoutEntity } from '../../database/entities/checkout.ts';
import { CustomerEntity } from '../../database/entities/customer.ts';
import type { DeliveryToStart } from '../../database/entities/delivery.ts';
import type { Dispute } from '../../database/entities/dispute.ts';
import { PaymentEntity } from '../../database/entities/payment.ts';
import type { Refund } from '../../database/entities/refund.ts';
import type { Em } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import type { ChargeStatus } from '../../domain/charge.ts';
import type { ChargeId, DisputeId, RefundId } from '../../domain/ids.ts';
import type { TakenMoney } from '../../domain/ledger.ts';
import { feeOfPartCents, type PaymentPart } from '../../domain/reversal.ts';
import { cycleOf } from '../../events/charged-cycle.ts';
import { checkoutEventData } from '../../events/checkout.ts';
import { unattemptedDeliveries } from '../../events/delivery-to-start.ts';
import { publishedPayment } from '../../events/parties.ts';
import { writeEvent } from '../../events/record.ts';
import { transparentEventData } from '../../events/transparent.ts';
import { cancelNfseOfRefunded } from '../../invoices/nfse/request-cancellation.ts';
import { respondByOf } from '../disputes/respond-by.ts';
import type { ChargeDeps } from '../effects.ts';
import { lockCharge } from '../load-charge.ts';
import { receivablesOf } from '../receivables/receivable-rows.ts';

type Happened = 'refunded' | 'disputed' | 'lost' | 'won';

interface PublishedDisputeRow extends Pick<Dispute, 'respondBy' | 'openedAt' | 'evidenceSubmittedAt'> {
  readonly amountCents: number;
  readonly excessCents: number;
}

export type Reversal = {
  /** The charge after the reversal. */
  readonly charge: Charge;
  readonly reason: string | null;
} & (
  | {
      readonly happened: 'refunded';
      readonly subjectId: RefundId;
      readonly refundCents: number;
      readonly refund: Pick<Refund, 'initiatedBy'>;
    }
  | {
      readonly happened: Exclude<Happened, 'refunded'>;
      readonly subjectId: DisputeId;
      readonly dispute: PublishedDisputeRow;
    }
);

/**
 * Writes `transparent.*`, or `checkout.*` for a charge of a checkout, in the caller's transaction (contract section
 * 7). @returns the deliveries to start after the commit.
 */
export async function writeReversalEvent(
  em: Em,
  reversal: Reversal,
  now: Date,
  publicUrl: string,
): Promise<DeliveryToStart[]> {
  const { charge, subjectId, reason } = reversal;
  const customer =
    charge.customerId === null ? null : await em.findOne(CustomerEntity, { id: charge.customerId });
  const payment = await em.findOne(PaymentEntity, { chargeId: charge.id, outcome: 'ACCEPTED' });
  const published = publishedPayment(payment);
  if (charge.checkoutId === null) {
    const data = { ...transparentEventData(charge, customer, published.payer, publicUrl), reason };
    if (reversal.happened !== 'refunded') {
      const disputed = { ...data, dispute: publishedDisputeOf(reversal) };
      return writeEvent(em, charge, `transparent.${reversal.happened}`, subjectId, disputed, now);
    }
    const refunded = { ...data, refund: publishedRefundOf(reversal) };
    return writeEvent(em, charge, 'transparent.refunded', subjectId, refunded, now);
  }
  const checkout = await em.findOneOrFail(
    CheckoutEntity,
    { id: charge.checkoutId },
    { disableIdentityMap: true },
  );
  const cycle = await cycleOf(em, charge, checkout);
  const data = { ...checkoutEventData(checkout, charge, customer, published, publicUrl, cycle), reason };
  if (reversal.happened !== 'refunded') {
    const disputed = { ...data, dispute: publishedDisputeOf(reversal) };
    return writeEvent(em, charge, `checkout.${reversal.happened}`, subjectId, disputed, now);
  }
  const refunded = { ...data, refund: publishedRefundOf(reversal) };
  return writeEvent(em, charge, 'checkout.refunded', subjectId, refunded, now);
}

function publishedRefundOf({
  charge,
  subjectId,
  refundCents,
  refund: { initiatedBy },
}: Reversal & { readonly happened: 'refunded' }) {
  return {
    refundPublicId: subjectId,
    amount: refundCents,
    refundedAmount: charge.refundedCents,
    initiatedBy,
  };
}

/** The event's own data name the dispute's status: an event of the opening may be written after the decision. */
function publishedDisputeOf({
  charge: { method },
  happened,
  subjectId,
  dispute,
}: Exclude<Reversal, { readonly happened: 'refunded' }>) {
  return {
    disputePublicId: subjectId,
    amount: dispute.amountCents,
    excessAmount: dispute.excessCents,
    status: DISPUTE_STATUS_AFTER[happened],
    respondBy: respondByOf(method, dispute)?.toISOString() ?? null,
    evidenceSubmittedAt: dispute.evidenceSubmittedAt?.toISOString() ?? null,
  };
}

const DISPUTE_STATUS_AFTER = { disputed: 'OPEN', won: 'WON', lost: 'LOST' } as const;

/** Deliveries without an attempt, including those of an earlier run that died before it started them. */
export function reversalDeliveriesLeft(
  em: Em,
  charge: Charge,
  happened: Happened,
  subjectId: Reversal['subjectId'],
): Promise<DeliveryToStart[]> {
  return unattemptedDeliveries(em, `${eventNameOf(charge, happened)}/${subjectId}`);
}

function eventNameOf({ checkoutId }: Charge, happened: Happened) {
  return checkoutId === null ? (`transparent.${happened}` as const) : (`checkout.${happened}` as const);
}

/**
 * A refused refund or a won dispute gives money back to the store. If it is still pending, the settlement of its
 * day must look again: it may have skipped the charge before this activity's commit.
 * @returns the charge's status.
 */
export async function settleAfterReversal(
  deps: ChargeDeps,
  em: Em,
  chargeId: ChargeId,
): Promise<ChargeStatus> {
  const charge = await em.findOneOrFail(ChargeEntity, { id: chargeId }, { disableIdentityMap: true });
  const { status, settlesAt, settledAt, refundId } = charge;
  const isPending = status === 'PAID' && settledAt === null && refundId === null;
  if (isPending && settlesAt !== null) await deps.startSettlement(charge, settlesAt);
  return status;
}

/** The whole payment of a charge. */
function paidFor(charge: Charge): PaymentPart {
  return { paidCents: charge.paidAmountCents ?? 0, feeCents: charge.platformFeeCents };
}

/** What refunds and disputes have left of a paid charge. */
export function leftOf(charge: Charge): PaymentPart {
  const { paidCents, feeCents } = paidFor(charge);
  return { paidCents: paidCents - charge.reversedCents, feeCents: feeCents - charge.reversedFeeCents };
}

/** A part to be reversed of what is left, with its share of the fee. */
export function partOf(charge: Charge, amountCents: number): PaymentPart {
  return {
    paidCents: amountCents,
    feeCents: feeOfPartCents(paidFor(charge), leftOf(charge), amountCents),
  };
}

/**
 * What a refund or dispute has reserved. Releases before 0032 stored no fee amount, and no amount of a dispute:
 * they took the whole payment.
 */
export function reversedBy(
  charge: Charge,
  { amountCents, platformFeeCents }: Pick<Dispute, 'amountCents' | 'platformFeeCents'>,
): TakenMoney {
  const all = paidFor(charge);
  return {
    paidCents: amountCents ?? all.paidCents,
    feeCents: platformFeeCents ?? all.feeCents,
    isSettled: charge.settledAt !== null,
  };
}

/**
 * When reserved money becomes available if it is the store's again at `now`: the settlement of its day may already
 * have skipped it. If another part is still pending, that settlement takes both.
 */
export async function settledAtAfter(em: Em, charge: Charge, now: Date): Promise<Date | null> {
  const { settledAt, settlesAt } = charge;
  if (settledAt !== null || leftOf(charge).paidCents > 0) return settledAt;
  // {@link settleAfterReversal} settles its installments again.
  if ((await receivablesOf(em, charge)).length > 0) return null;
  return settlesAt !== null && settlesAt <= now ? now : null;
}

type Counted = Pick<Charge, 'reversedCents' | 'reversedFeeCents' | 'refundedCents'>;

/** Counted from the rows each time, so that rows that earlier releases did not count are included. */
const COUNT = statement<{ chargeId: ChargeId }, Counted>(
  'count what goes back of a charge',
  () => `
  update charges charge set reversed_cents = part.reversed, reversed_fee_cents = part.fee, refunded_cents = part.refunded
  from (
    select coalesce(sum(amount), 0) as reversed, coalesce(sum(fee), 0) as fee,
      coalesce(sum(amount) filter (where is_back), 0) as refunded
    from (
      select refund.amount_cents as amount, coalesce(refund.platform_fee_cents, paid.platform_fee_cents) as fee,
        refund.status = 'COMPLETED' as is_back
      from refunds refund join charges paid on paid.id = refund.charge_id
      where refund.charge_id = :chargeId and refund.status in ('PENDING', 'COMPLETED')
      union all
      select coalesce(dispute.amount_cents, paid.paid_amount_cents), coalesce(dispute.platform_fee_cents, paid.platform_fee_cents),
        dispute.status = 'LOST'
      from disputes dispute join charges paid on paid.id = dispute.charge_id
      where dispute.charge_id = :chargeId and dispute.status in ('OPEN', 'LOST')
    ) each
  ) part
  where charge.id = :chargeId
  returning charge.reversed_cents as "reversedCents", charge.reversed_fee_cents as "reversedFeeCents",
    charge.refunded_cents as "refundedCents"`,
);

/**
 * Updates a charge's totals from its refunds and disputes. The caller holds the charge's lock, which protects them.
 * @returns the updated charge.
 */
export async function countReversals(em: Em, charge: Charge): Promise<Charge> {
  const [counted] = await COUNT(em, { chargeId: charge.id });
  return { ...charge, ...counted };
}

/**
 * Locks a charge before a reversal completes, after locking the checkout that it has paid, the usual order. The
 * checkout's lock leaves its key alone: when someone else writes twice to the locked charge, Postgres checks the
 * foreign key to the checkout, and a stronger lock would deadlock with that check.
 */
export async function lockToTakeBack(em: Em, id: ChargeId): Promise<Charge> {
  await em.execute(
    `select 1 from checkouts where id = (select checkout_id from charges where id = :id) and paid_by_charge_id = :id for no key update`,
    { id },
  );
  return lockCharge(em, id);
}

/**
 * Counts a part that the payer has received. The last part makes the charge REFUNDED, and the checkout that it had
 * paid; until then the charge is `otherwise`. The caller holds {@link lockToTakeBack}.
 */
export async function takeBack(em: Em, held: Charge, otherwise: ChargeStatus, now: Date): Promise<Charge> {
  const charge = await countReversals(em, held);
  const status = charge.refundedCents === charge.paidAmountCents ? 'REFUNDED' : otherwise;
  if (status === 'REFUNDED' && charge.checkoutId !== null) {
    await em.execute(
      `update checkouts set status = 'REFUNDED', updated_at = :now where id = :checkoutId and paid_by_charge_id = :id`,
      { now, checkoutId: charge.checkoutId, id: charge.id },
    );
  }
  await em.nativeUpdate(ChargeEntity, { id: charge.id }, { status, updatedAt: now });
  if (status === 'REFUNDED') await cancelNfseOfRefunded(em, charge.id, now);
  return { ...charge, status, updatedAt: now };
}
