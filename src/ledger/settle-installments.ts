import type { Database, Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { ChargeId } from '../domain/ids.ts';
import type { StoreEnvironment } from '../domain/store-environment.ts';
import { AMOUNT_COLUMNS, SETTLED_AMOUNTS } from './amount-columns.ts';

/** Charges locked in one transaction. */
const BATCH = 200;

/** Whether a charge settles one installment after the other (decision 33). PIX and most cards are known by their own row. */
export const HAS_RECEIVABLES = `(charges.installments_count > 1
  and exists (select from receivables where receivables.charge_id = charges.id))`;

const DUE = `store_id = :storeId and dev_mode = :devMode and settles_at <= :now and settled_at is null
  and status = 'PAID' and refund_id is null and ${HAS_RECEIVABLES}`;

/** The days on which the charges that are due now settle next. */
const NEXT = `
  select distinct (
    select min(receivables.settles_at) from receivables
    where charge_id = charges.id and receivables.settled_at is null and receivables.settles_at > :now
  ) as "settlesAt" from charges where ${DUE}`;

const LOCK = `select id from charges where ${DUE} order by id limit ${BATCH} for update`;

/**
 * One movement per installment. Reversed money comes out of the installments that settle last, so what is left of an installment
 * is the difference that it makes to what is pending. A charge moves on to its next installment, and has settled with its last.
 */
const SETTLE = statement<{ ids: readonly ChargeId[]; now: Date }>(
  'settle installments',
  () => `
  with unsettled as (
    select receivables.id, charge_id, settles_at, gross_cents - fee_cents as cents,
      sum(gross_cents - fee_cents) over (partition by charge_id order by settles_at desc, number desc) as unsettled_cents
    from receivables where charge_id = any (:ids::text[]) and settled_at is null
  ), due as (
    select unsettled.id, charges.store_id, charges.dev_mode, charges.provider,
      greatest(0, unsettled_cents - reversed_cents + reversed_fee_cents)
        - greatest(0, unsettled_cents - cents - reversed_cents + reversed_fee_cents) as net_cents
    from unsettled join charges on charges.id = unsettled.charge_id where unsettled.settles_at <= :now::timestamptz
  ), settled as (
    update receivables set settled_at = :now::timestamptz from due where receivables.id = due.id
  ), moved as (
    update charges set settles_at = coalesce(next.first_at, charges.settles_at),
      settled_at = case when next.first_at is null then :now::timestamptz end, updated_at = :now::timestamptz
    from (
      select charge_id, min(settles_at) filter (where settles_at > :now::timestamptz) as first_at from unsettled group by charge_id
    ) next where charges.id = next.charge_id
  )
  insert into ledger_movements (subject_id, kind, store_id, dev_mode, provider, ${AMOUNT_COLUMNS}, created_at)
  select id, 'SETTLEMENT', store_id, dev_mode, provider, ${SETTLED_AMOUNTS}, :now::timestamptz from due where net_cents <> 0`,
);

/**
 * Makes the installments available that are due by now.
 * @param startNext ensures that the next day settles. It comes first: if the run dies after the commit, the charges are not due
 *   any more, and nothing would start that day until the auditor finds it overdue.
 * @returns the number of charges with such an installment.
 */
export async function settleInstallments(
  database: Database,
  owner: StoreEnvironment,
  now: Date,
  startNext: (settlesAt: Date) => Promise<void>,
): Promise<number> {
  const { storeId, devMode } = owner;
  const params = { storeId, devMode, now };
  const days = await database.em.fork().execute<{ settlesAt: string | null }[]>(NEXT, params);
  for (const { settlesAt } of days) if (settlesAt !== null) await startNext(new Date(settlesAt));
  let total = 0;
  for (let count = BATCH; count === BATCH; total += count)
    count = await database.em.fork().transactional((em) => settleBatch(em, params));
  return total;
}

/** The second statement sees what others committed while the first one waited for its locks. */
async function settleBatch(em: Em, params: StoreEnvironment & { readonly now: Date }): Promise<number> {
  const locked = await em.execute<{ id: ChargeId }[]>(LOCK, { ...params });
  if (locked.length > 0) await SETTLE(em, { ids: locked.map(({ id }) => id), now: params.now });
  return locked.length;
}
