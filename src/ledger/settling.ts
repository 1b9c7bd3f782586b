import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import { addDays, type CivilDate, saoPauloMidnight } from '../domain/civil-date.ts';
import type { StoreEnvironment } from '../domain/store-environment.ts';

/** What becomes available on one São Paulo day, after fees. */
export interface SettlingDay {
  readonly day: CivilDate;
  readonly netCents: number;
}

/**
 * Installments that settle one by one (decision 33). Their charge is in the index with all of its money on the next of their days, so
 * that amount is taken out again. What was reversed comes out of the installments that settle last.
 */
const INSTALLMENTS = `
    select part.hour, part.cents from (
      select charge.id, charge.settles_at as charge_settles_at, receivable.settles_at,
        receivable.gross_cents - receivable.fee_cents as part_cents, charge.reversed_cents - charge.reversed_fee_cents as back_cents,
        charge.paid_amount_cents - charge.platform_fee_cents as all_cents,
        sum(receivable.gross_cents - receivable.fee_cents)
          over (partition by charge.id order by receivable.settles_at desc, receivable.number desc) as unsettled_cents,
        row_number() over (partition by charge.id) as place
      from receivables receivable join charges charge on charge.id = receivable.charge_id
      where receivable.store_id = :storeId and receivable.dev_mode = :devMode and receivable.settled_at is null
        and charge.settled_at is null and charge.status = 'PAID' and charge.refund_id is null
    ) unsettled, lateral (
      select date_trunc('hour', settles_at) as hour,
        greatest(0, unsettled_cents - back_cents) - greatest(0, unsettled_cents - part_cents - back_cents) as cents
      where settles_at < :until
      union all
      select date_trunc('hour', charge_settles_at), back_cents - all_cents where place = 1 and charge_settles_at < :until
    ) part`;

/**
 * Reads only those days of an index that holds the amounts (migration 0065). Hours are grouped before days, because to name the
 * day of every payment would take longer than to read it; a day of São Paulo begins at a full hour.
 */
const READ = statement<StoreEnvironment & { until: Date }, SettlingDay>(
  'read what settles',
  () => `
  select to_char(hour at time zone 'America/Sao_Paulo', 'YYYY-MM-DD') as day, sum(cents)::bigint as "netCents"
  from (
    select date_trunc('hour', settles_at) as hour,
      sum(paid_amount_cents - platform_fee_cents - (reversed_cents - reversed_fee_cents)) as cents
    from charges
    where store_id = :storeId and dev_mode = :devMode and settles_at is not null and settled_at is null
      and settles_at < :until and status = 'PAID' and refund_id is null
    group by 1
    union all ${INSTALLMENTS}
  ) hours group by 1 having sum(cents) <> 0 order by 1`,
);

/** What settles until a day, by day; what is overdue on the day that it was due. Days without settlement are omitted. */
export function settlingUntil(
  em: Em,
  { storeId, devMode }: StoreEnvironment,
  last: CivilDate,
): Promise<SettlingDay[]> {
  return READ(em, { storeId, devMode, until: saoPauloMidnight(addDays(last, 1)) });
}
