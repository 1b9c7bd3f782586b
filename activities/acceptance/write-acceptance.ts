import type { Charge } from '../../src/database/entities/charge.ts';
import type { DeliveryToStart } from '../../src/database/entities/delivery.ts';
import type { Event } from '../../src/database/entities/event.ts';
import { AMOUNT_COLUMNS, amountValues } from '../../src/database/ledger/ledger.ts';
import type { Em } from '../../src/database/orm.ts';
import { paymentAmounts } from '../../src/domain/ledger.ts';
import { mintId } from '../../src/ids.ts';
import type { ProviderPayment } from '../../src/providers/provider.ts';

/** What is written when a payment is accepted. */
export interface Acceptance {
  readonly em: Em;
  /** As it is once it is paid. */
  readonly charge: Charge;
  readonly provider: string;
  readonly payment: ProviderPayment | null;
  readonly event: Event;
  readonly deliveries: readonly DeliveryToStart[];
}

/**
 * The rows of an acceptance besides the charge, each made from the row that the statement's `paid` returned, and so only
 * where the charge could still be paid.
 */
export const ACCEPTANCE_ROWS = `
  payment as (
    insert into payments (id, charge_id, provider, provider_payment_id, outcome, amount_cents, paid_at,
                          payer_name, payer_tax_id, metadata, created_at)
    select ?, paid.id, ?, ?::text, 'ACCEPTED', ?::bigint, ?::timestamptz, ?, ?, ?::json, ?::timestamptz
    from paid where ?::text is not null
  ), event as (
    insert into events (id, store_id, dev_mode, name, customer_id, key, data, created_at)
    select ?, paid.store_id, paid.dev_mode, ?, ?, ?, ?, ?::timestamptz from paid returning id, created_at
  ), movement as (
    insert into ledger_movements (subject_id, kind, store_id, dev_mode, ${AMOUNT_COLUMNS}, created_at)
    select paid.id, 'PAYMENT', paid.store_id, paid.dev_mode, ?::bigint, ?::bigint, ?::bigint, ?::bigint, ?::bigint, ?::bigint,
      ?::timestamptz
    from paid where ?::boolean
  ), delivery as (
    insert into deliveries (id, event_id, webhook_id, status, attempts, next_attempt_at, created_at, workflow_started_at)
    select pair.id, event.id, pair.webhook_id, 'PENDING', 0, event.created_at, event.created_at, event.created_at
    from event, unnest(?::text[], ?::text[]) as pair (id, webhook_id)
  )
  select id from paid`;

/** What a payment changes of its charge, in the order of {@link paidValues}. */
export const PAID_COLUMNS = `status = 'PAID', failure_reason = null, paid_amount_cents = ?, paid_at = ?, settles_at = ?, settled_at = ?, updated_at = ?`;

export function paidValues(charge: Charge): unknown[] {
  return [charge.paidAmountCents, charge.paidAt, charge.settlesAt, charge.settledAt, charge.updatedAt];
}

/**
 * Whether a charge can still be paid: it is open, or had run out, as `hasRunOut` says, before it was known that its payer had
 * been in time. {@link isMade} is the value of its parameter.
 */
export const CAN_BE_PAID = `(charges.status = 'PENDING'
  or ?::boolean and (charges.status = 'EXPIRED' or charges.status = 'FAILED' and charges.failure_reason = 'pix_expired'))`;

/** Only money that was paid can have been paid in time. */
export function isMade({ payment }: Acceptance): boolean {
  return payment !== null;
}

/** One statement, and so one transaction in one round trip instead of seven. */
const ACCEPT = `
  with paid as (
    update charges set ${PAID_COLUMNS}
    where id = ? and ${CAN_BE_PAID} returning id, store_id, dev_mode
  ), ${ACCEPTANCE_ROWS}`;

/** @returns false, with nothing written, where the charge could no longer be paid. */
export async function writeAcceptance(acceptance: Acceptance): Promise<boolean> {
  const { em, charge } = acceptance;
  const paid = [...paidValues(charge), charge.id, isMade(acceptance)];
  const written = await em.execute<unknown[]>(ACCEPT, [...paid, ...acceptanceValues(acceptance)]);
  return written.length === 1;
}

/** The values of {@link ACCEPTANCE_ROWS}. */
export function acceptanceValues({ charge, provider, payment, event, deliveries }: Acceptance): unknown[] {
  const now = event.createdAt;
  const paid = [
    mintId('payment', now),
    provider,
    payment?.providerPaymentId ?? null,
    payment?.amountCents ?? null,
    payment?.paidAt ?? null,
    payment?.payer.name ?? null,
    payment?.payer.taxId ?? null,
    JSON.stringify(payment?.metadata ?? {}),
    now,
    payment?.providerPaymentId ?? null,
  ];
  const told = [event.id, event.name, event.customerId, event.key, event.data, now];
  const taken = {
    paidCents: payment?.amountCents ?? 0,
    feeCents: charge.platformFeeCents,
    isSettled: charge.settledAt !== null,
  };
  const moved = [...amountValues(paymentAmounts(taken)), now, payment !== null];
  const pairs = [
    textArray(deliveries.map((each) => each.deliveryId)),
    textArray(deliveries.map((each) => each.webhookId)),
  ];
  return [...paid, ...told, ...moved, ...pairs];
}

/** Ids, which are letters, digits and underscores only, as Postgres writes an array of them. */
function textArray(ids: readonly string[]): string {
  return `{${ids.join(',')}}`;
}
