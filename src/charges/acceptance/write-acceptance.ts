import type { Charge } from '../../database/entities/charge.ts';
import type { DeliveryToStart } from '../../database/entities/delivery.ts';
import type { Event } from '../../database/entities/event.ts';
import { InvoiceEntity } from '../../database/entities/invoice.ts';
import type { Receivable } from '../../database/entities/receivable.ts';
import type { Em } from '../../database/orm.ts';
import { type Columns, statement } from '../../database/statement.ts';
import type { ChargeId } from '../../domain/ids.ts';
import { type LedgerAmounts, paymentAmounts } from '../../domain/ledger.ts';
import { mintId } from '../../ids.ts';
import { AMOUNT_COLUMNS, AMOUNT_VALUES } from '../../ledger/amount-columns.ts';
import type { ProviderPayment } from '../../providers/ports/payment.ts';
import { unsettledCentsOf } from '../receivables/settlement-plan.ts';

/** What an acceptance writes. */
export interface Acceptance {
  readonly em: Em;
  /** The charge as it is once paid. */
  readonly charge: Charge;
  readonly provider: string;
  readonly payment: ProviderPayment | null;
  readonly event: Event;
  readonly deliveries: readonly DeliveryToStart[];
  /** Its installments, which settle one by one; the caller writes them. Empty if it settles at once. */
  readonly receivables: readonly Receivable[];
}

/** An acceptance as the parameters of its statement. */
export interface AcceptanceParams extends Omit<Acceptance, 'em' | 'deliveries' | 'receivables'> {
  readonly paymentId: string;
  readonly endToEndIdentifier: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly amounts: LedgerAmounts;
  /** Only money that was paid can have been paid in time. */
  readonly isPayment: boolean;
  readonly deliveryIds: readonly string[];
  readonly webhookIds: readonly string[];
}

export function acceptanceParams({
  em: _,
  deliveries,
  receivables,
  ...acceptance
}: Acceptance): AcceptanceParams {
  const { charge, payment, event } = acceptance;
  const taken = {
    paidCents: payment?.amountCents ?? 0,
    feeCents: charge.platformFeeCents,
    isSettled: charge.settledAt !== null,
    ...(receivables.length > 0 && { pendingCents: unsettledCentsOf(receivables) }),
  };
  return {
    ...acceptance,
    paymentId: mintId('payment', event.createdAt),
    endToEndIdentifier: payment?.endToEndIdentifier ?? null,
    metadata: payment?.metadata ?? {},
    amounts: paymentAmounts(taken),
    isPayment: payment !== null,
    deliveryIds: deliveries.map(({ deliveryId }) => deliveryId),
    webhookIds: deliveries.map(({ webhookId }) => webhookId),
  };
}

/** The columns of a charge that a payment changes. */
export const PAID = `
  status = 'PAID', failure_reason = null, action_url = null, paid_amount_cents = :charge.paidAmountCents,
  paid_components = :charge.paidComponents::json, paid_at = :charge.paidAt,
  card_brand = :charge.cardBrand, card_last_four = :charge.cardLastFour,
  settles_at = :charge.settlesAt, settled_at = :charge.settledAt, updated_at = :charge.updatedAt`;

/**
 * Whether a charge can still be paid: it is open, or had expired, as `hasRunOut` says, before Recebe learned that
 * its payer had paid in time.
 */
export const CAN_BE_PAID = `(charges.status = 'PENDING' or :isPayment::boolean
  and (charges.status = 'EXPIRED' or charges.status = 'FAILED' and charges.failure_reason = 'pix_expired'))`;

/**
 * The other rows of an acceptance. Each is made from the row that the statement's `paid` returned, so none is
 * written if the charge could no longer be paid.
 */
export const ACCEPTANCE_ROWS = `
  payment as (
    insert into payments (id, charge_id, provider, provider_payment_id, outcome, amount_cents, paid_at,
                          payer_name, payer_tax_id, end_to_end_identifier, metadata, created_at)
    select :paymentId, paid.id, :provider, :payment.providerPaymentId, 'ACCEPTED', :payment.amountCents, :payment.paidAt,
      :payment.payer.name, :payment.payer.taxId::sealed(payments.payer_tax_id), :endToEndIdentifier, :metadata::json, :event.createdAt
    from paid where :isPayment::boolean
  ), event as (
    insert into events (id, store_id, dev_mode, name, customer_id, key, subject_id, checkout_id, subscription_id, data, created_at)
    select :event.id, paid.store_id, paid.dev_mode, :event.name, :event.customerId, :event.key, :event.subjectId,
      :event.checkoutId, :event.subscriptionId, :event.data, :event.createdAt
    from paid returning id, store_id, dev_mode, name, created_at
  ), movement as (
    insert into ledger_movements (subject_id, kind, store_id, dev_mode, provider, ${AMOUNT_COLUMNS}, created_at)
    select paid.id, 'PAYMENT', paid.store_id, paid.dev_mode, :provider, ${AMOUNT_VALUES}, :event.createdAt
    from paid where :isPayment::boolean
  ), delivery as (
    insert into deliveries (id, event_id, webhook_id, store_id, dev_mode, event_name, status, attempts, next_attempt_at, created_at, workflow_started_at)
    select pair.id, event.id, pair.webhook_id, event.store_id, event.dev_mode, event.name, 'PENDING', 0, event.created_at, event.created_at, event.created_at
    from event, unnest(:deliveryIds::text[], :webhookIds::text[]) as pair (id, webhook_id)
  ), receipt as (
    update receipt_mails set due_at = :event.createdAt from paid where receipt_mails.charge_id = paid.id
  )
  select id from paid`;

/** The invoice of a payment: a part of the statement that makes its checkout or cycle PAID. */
export function insertInvoice(columns: Columns): string {
  return `
    insert into invoices (${columns.of(InvoiceEntity)})
    select ${columns.values(InvoiceEntity, 'invoice')} from paid where :invoice.id::text is not null`;
}

/** One statement: one transaction, and one round trip instead of seven. */
const ACCEPT = statement<AcceptanceParams, { id: ChargeId }>(
  'accept a payment',
  () => `
  with paid as (
    update charges set ${PAID}
    where id = :charge.id and ${CAN_BE_PAID} returning id, store_id, dev_mode
  ), ${ACCEPTANCE_ROWS}`,
);

/** @returns false, with nothing written, if the charge could no longer be paid. */
export async function writeAcceptance(acceptance: Acceptance): Promise<boolean> {
  const written = await ACCEPT(acceptance.em, acceptanceParams(acceptance));
  return written.length === 1;
}
