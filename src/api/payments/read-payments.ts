import { type Charge, ChargeEntity } from '../../database/entities/charge.ts';
import type { Em } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import type { CheckoutFrequency } from '../../domain/checkout.ts';
import type { ChargeId, CycleId, DisputeId, RefundId, SubscriptionId } from '../../domain/ids.ts';
import type { DisputeStage, DisputeStatus, RefundStatus } from '../../domain/reversal.ts';
import { openNumber } from '../../secrets/personal-numbers.ts';
import type { Caller } from '../keys/caller.ts';

/** A charge with its related objects. */
export interface PaymentRow {
  readonly charge: Charge;
  /** The payer named by the provider; empty if it named none, or the payer was erased. */
  readonly payer: { readonly name: string | null; readonly taxId: string | null };
  readonly endToEndIdentifier: string | null;
  /** The checkout of the charge; null for a transparent charge. */
  readonly checkout: {
    readonly frequency: CheckoutFrequency;
    readonly externalId: string | null;
    readonly metadata: Record<string, unknown>;
    readonly subscriptionId: SubscriptionId | null;
  } | null;
  /** The subscription cycle that the charge pays, or tried to pay. */
  readonly cycle: { readonly id: CycleId; readonly number: number } | null;
  /** Newest first, at most {@link SHOWN_REFUNDS}, including FAILED ones. */
  readonly refunds: readonly {
    readonly id: RefundId;
    readonly status: RefundStatus;
    readonly amountCents: number;
    readonly reason: string | null;
    readonly createdAt: string;
    readonly updatedAt: string;
  }[];
  /** The newest dispute. */
  readonly dispute: {
    readonly id: DisputeId;
    readonly status: DisputeStatus;
    /** Null if written before release 0032: then the whole payment is disputed. */
    readonly amountCents: number | null;
    /** What the provider took beyond it. */
    readonly excessCents: number;
    readonly reason: string | null;
    readonly respondBy: string | null;
    readonly stage: DisputeStage | null;
    readonly evidenceSubmittedAt: string | null;
    /** The provider's fee, less what it returned. */
    readonly feeCents: number;
    readonly openedAt: string;
    readonly closedAt: string | null;
  } | null;
}

/** Only the newest ones are returned, because a charge may have any number. */
export const SHOWN_REFUNDS = 10;

type Flat = Charge & Omit<PaymentRow, 'charge'>;

/**
 * Reads the payer only from the recorded payment, not from the charge or the customer (docs/decisions/0012).
 * A bank may report a payment after its payer was erased.
 */
const READ = statement<{ ids: readonly ChargeId[] } & Pick<Caller, 'storeId' | 'devMode'>, Flat>(
  'read payments',
  (columns) => `
  select ${columns.read(ChargeEntity, 'charge')},
    case when customer.deleted_at is null then json_build_object('name', payment.payer_name, 'taxId', payment.payer_tax_id)
      else '{"name": null, "taxId": null}' end as payer,
    payment.end_to_end_identifier as "endToEndIdentifier",
    case when checkout.id is not null then json_build_object('frequency', checkout.frequency, 'externalId', checkout.external_id,
      'metadata', checkout.metadata, 'subscriptionId', checkout.subscription_id) end as checkout,
    (
      select json_build_object('id', cycle.id, 'number', cycle.number) from installments cycle
      where cycle.id = charge.installment_id
      union all
      select json_build_object('id', cycle.id, 'number', cycle.number) from installments cycle
      where charge.installment_id is null and charge.upsell_of is null
        and cycle.subscription_id = checkout.subscription_id and cycle.number = 1 and cycle.paid_by_charge_id = charge.id
      limit 1
    ) as cycle,
    (
      select coalesce(json_agg(json_build_object('id', refund.id, 'status', refund.status, 'amountCents', refund.amount_cents,
        'reason', refund.reason, 'createdAt', refund.created_at, 'updatedAt', refund.updated_at)), '[]')
      from (
        select * from refunds where charge_id = charge.id and charge.paid_at is not null
        order by created_at desc, id desc limit ${SHOWN_REFUNDS}
      ) refund
    ) as refunds,
    (
      select json_build_object('id', id, 'status', status, 'amountCents', amount_cents, 'reason', reason,
        'excessCents', (select coalesce(sum(taken_cents), 0) from excess_takings where subject_id = disputes.id),
        'respondBy', respond_by, 'stage', stage, 'evidenceSubmittedAt', evidence_submitted_at,
        'feeCents', (select coalesce(sum(charged_cents), 0) from dispute_fees where dispute_id = disputes.id),
        'openedAt', opened_at, 'closedAt', closed_at)
      from disputes where charge_id = charge.id and charge.paid_at is not null
      order by opened_at desc, id desc limit 1
    ) as dispute
  from unnest(:ids::text[]) with ordinality as wanted (id, place)
  join charges charge on charge.id = wanted.id and charge.store_id = :storeId and charge.dev_mode = :devMode
  left join payments payment
    on payment.charge_id = charge.id and payment.outcome = 'ACCEPTED' and charge.paid_at is not null
  left join customers customer on customer.id = charge.customer_id and payment.id is not null
  left join checkouts checkout on checkout.id = charge.checkout_id
  order by wanted.place`,
);

/** The caller's payments with these ids, in the given order. Payments of others are left out. */
export async function readPayments(
  em: Em,
  { storeId, devMode }: Caller,
  ids: readonly ChargeId[],
): Promise<PaymentRow[]> {
  const rows = await READ(em, { ids, storeId, devMode });
  return rows.map(({ payer, endToEndIdentifier, checkout, cycle, refunds, dispute, ...charge }) => ({
    charge,
    payer: {
      ...payer,
      taxId: payer.taxId && openNumber(payer.taxId, 'payments.payer_tax_id'),
    },
    endToEndIdentifier,
    checkout,
    cycle,
    refunds,
    dispute,
  }));
}
