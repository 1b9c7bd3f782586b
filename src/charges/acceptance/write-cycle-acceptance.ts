import type { Invoice } from '../../database/entities/invoice.ts';
import { statement } from '../../database/statement.ts';
import type { ChargeId } from '../../domain/ids.ts';
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
 * The acceptance of any charge; the same statement makes the cycle PAID. It locks the subscription first, which
 * must be ACTIVE. If a cancellation and a payment race, one is first; a payment that comes second is returned.
 */
const ACCEPT = statement<AcceptanceParams & { invoice: Invoice }, { id: ChargeId }>(
  'accept a payment of a cycle',
  (columns) => `
  with active as (
    select id from subscriptions
    where id = (select subscription_id from installments where id = :charge.cycleId) and status = 'ACTIVE' for update
  ), open as (
    select installments.id from installments, active
    where installments.subscription_id = active.id and installments.id = :charge.cycleId and installments.status = 'PENDING'
    for update of installments
  ), pending as (
    select charges.id from charges, open where charges.id = :charge.id and ${CAN_BE_PAID} for update of charges
  ), paid as (
    update charges set ${PAID}
    from pending where charges.id = pending.id and ${CAN_BE_PAID}
    returning charges.id, charges.store_id, charges.dev_mode, charges.installment_id, charges.updated_at
  ), paid_cycle as (
    update installments set status = 'PAID', paid_by_charge_id = paid.id
    from paid where installments.id = paid.installment_id returning installments.subscription_id
  ), recovered as (
    update subscriptions set failed_attempts = 0, last_failure = null, attempt_due_at = null, extra_attempts = 0,
      paused_at = case when pause_cause = 'PAST_DUE' then null else paused_at end,
      pause_cause = case when pause_cause = 'PAST_DUE' then null else pause_cause end, updated_at = paid.updated_at
    from paid_cycle, paid where subscriptions.id = paid_cycle.subscription_id
  ), invoice as (${insertInvoice(columns)}
    on conflict (installment_id) do update set
      status = 'PAID', charge_id = excluded.charge_id, paid_at = excluded.paid_at, updated_at = excluded.updated_at
    where invoices.status = 'OPEN'
  ), ${ACCEPTANCE_ROWS}`,
);

/**
 * @param invoice PAID. The cycle's own one becomes so; a cycle that a release without invoices has opened gets this one.
 * @returns false, with nothing written, if the charge, its cycle or its subscription was no longer open.
 */
export async function writeCycleAcceptance(acceptance: Acceptance, invoice: Invoice): Promise<boolean> {
  const written = await ACCEPT(acceptance.em, { ...acceptanceParams(acceptance), invoice });
  return written.length === 1;
}
