import type { WorkflowFixture } from '../fixtures/workflow-fixture.ts';

/**
 * The final state of a scenario without ids and times, so that two successful runs of it are equal. It leaves
 * out details that depend on minutes: whether an unpaid charge expired or was closed first, and whether money
 * was pending before it was available.
 */
const PARTS = {
  charges: `concat_ws(' ', method, case when status in ('EXPIRED', 'CANCELLED') then 'UNPAID' else status end,
      amount_cents, paid_amount_cents, failure_reason)
    from charges where store_id = :storeId`,
  checkouts: 'status from checkouts where store_id = :storeId',
  subscriptions: `concat_ws(' ', status, cycle_number, failed_attempts) from subscriptions where store_id = :storeId`,
  cycles: `concat_ws(' ', number, installments.status)
    from installments join subscriptions on subscriptions.id = subscription_id where store_id = :storeId`,
  payments: `concat_ws(' ', outcome, payments.amount_cents)
    from payments join charges on charges.id = charge_id where store_id = :storeId`,
  refunds: 'status from refunds where store_id = :storeId',
  payouts: 'status from payouts where store_id = :storeId',
  events: 'name from events where store_id = :storeId',
  deliveries: `deliveries.status from deliveries join events on events.id = event_id where events.store_id = :storeId`,
  books: `concat_ws(' ', sum(clearing_cents), sum(pending_cents + available_cents), sum(blocked_cents),
      sum(outgoing_cents), sum(platform_fees_cents), sum(suspense_cents))
    from ledger_movements where store_id = :storeId`,
};

const END_STATE = `select json_build_object(${Object.entries(PARTS)
  .map(([name, part]) => `'${name}', array(select ${part} order by 1)`)
  .join(', ')}) as state`;

/** The final state of the fixture's store. */
export async function endStateOf({ database, storeId }: Pick<WorkflowFixture, 'database' | 'storeId'>) {
  const [row] = await database.em
    .fork()
    .execute<{ state: Record<keyof typeof PARTS, string[]> }[]>(END_STATE, {
      storeId,
    });
  return row?.state;
}
