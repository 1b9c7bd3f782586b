import type { Database } from '../database/orm.ts';
import type { StoreEnvironment } from '../domain/store-environment.ts';
import { AMOUNT_COLUMNS, SETTLED_AMOUNTS } from './amount-columns.ts';
import { HAS_RECEIVABLES, settleInstallments } from './settle-installments.ts';

/** Charges settled in one transaction. It locks the store's balance at its end, so it must be short. */
const BATCH = 200;

/**
 * One statement with one ledger movement per charge. Disputed money and money that is being refunded is reserved,
 * so it is left out until it is the store's again. The amount comes from the updated row, so a concurrent refund is
 * either included or comes after it.
 */
const SETTLE = `
  with due as (
    select id from charges
    where store_id = :storeId and dev_mode = :devMode and settles_at <= :now and settled_at is null and status = 'PAID' and refund_id is null
      and not ${HAS_RECEIVABLES}
    order by id limit ${BATCH} for update
  ), settled as (
    update charges set settled_at = :now from due
    where charges.id = due.id and charges.status = 'PAID' and charges.refund_id is null and charges.settled_at is null
    returning charges.id, charges.store_id, charges.dev_mode, charges.provider, charges.settled_at,
      charges.paid_amount_cents - charges.platform_fee_cents - (charges.reversed_cents - charges.reversed_fee_cents) as net_cents
  ), movement as (
    insert into ledger_movements (subject_id, kind, store_id, dev_mode, provider, ${AMOUNT_COLUMNS}, created_at)
    select id, 'SETTLEMENT', store_id, dev_mode, provider, ${SETTLED_AMOUNTS}, settled_at from settled
  )
  select count(*)::integer as count from due`;

/**
 * Makes available what is due by now (contract section 4, "Settlement").
 * @param startNext see {@link settleInstallments}.
 * @returns the number of charges.
 */
export async function settleCharges(
  database: Database,
  { storeId, devMode }: StoreEnvironment,
  now: Date,
  startNext: (settlesAt: Date) => Promise<void>,
): Promise<number> {
  let total = await settleInstallments(database, { storeId, devMode }, now, startNext);
  for (let count = BATCH; count === BATCH; total += count) {
    const [row] = await database.em.fork().execute<{ count: number }[]>(SETTLE, { storeId, devMode, now });
    count = row?.count ?? 0;
  }
  return total;
}
