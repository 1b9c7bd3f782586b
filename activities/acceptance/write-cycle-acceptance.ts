import {
  ACCEPTANCE_ROWS,
  type Acceptance,
  acceptanceValues,
  CAN_BE_PAID,
  isMade,
  PAID_COLUMNS,
  paidValues,
} from './write-acceptance.ts';

/**
 * As for any charge, and in the same statement the cycle becomes PAID. The subscription is locked first and must be ACTIVE:
 * of a cancellation and a payment at the same time one is first, and a payment that comes second goes back.
 */
const ACCEPT = `
  with active as (
    select id from subscriptions
    where id = (select subscription_id from installments where id = ?) and status = 'ACTIVE' for update
  ), open as (
    select installments.id from installments, active
    where installments.subscription_id = active.id and installments.id = ? and installments.status = 'PENDING'
    for update of installments
  ), pending as (
    select charges.id from charges, open where charges.id = ? and ${CAN_BE_PAID} for update of charges
  ), paid as (
    update charges set ${PAID_COLUMNS}
    from pending where charges.id = pending.id and ${CAN_BE_PAID}
    returning charges.id, charges.store_id, charges.dev_mode, charges.installment_id, charges.updated_at
  ), settled as (
    update installments set status = 'PAID', paid_by_charge_id = paid.id
    from paid where installments.id = paid.installment_id returning installments.subscription_id
  ), recovered as (
    update subscriptions set failed_attempts = 0, last_failure = null, updated_at = paid.updated_at
    from settled, paid where subscriptions.id = settled.subscription_id
  ), ${ACCEPTANCE_ROWS}`;

/** @returns false, with nothing written, where the charge, its cycle or its subscription was no longer open. */
export async function writeCycleAcceptance(acceptance: Acceptance): Promise<boolean> {
  const { em, charge } = acceptance;
  const open = [charge.cycleId, charge.cycleId, charge.id, isMade(acceptance)];
  const written = await em.execute<unknown[]>(ACCEPT, [
    ...open,
    ...paidValues(charge),
    isMade(acceptance),
    ...acceptanceValues(acceptance),
  ]);
  return written.length === 1;
}
