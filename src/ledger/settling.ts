import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import { addDays, type CivilDate, saoPauloMidnight } from '../domain/civil-date.ts';
import type { LedgerOwner } from './ledger.ts';

/** What becomes available on one São Paulo day, after fees. */
export interface SettlingDay {
  readonly day: CivilDate;
  readonly netCents: number;
}

/**
 * Reads only those days of an index that holds the amounts (migration 0065). Hours are grouped before days, because to name the
 * day of every payment would take longer than to read it; a day of São Paulo begins at a full hour.
 */
const READ = statement<LedgerOwner & { until: Date }, SettlingDay>(
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
  ) hours group by 1 order by 1`,
);

/** What settles until a day, by day; what is overdue on the day that it was due. Days without settlement are omitted. */
export function settlingUntil(
  em: Em,
  { storeId, devMode }: LedgerOwner,
  last: CivilDate,
): Promise<SettlingDay[]> {
  return READ(em, { storeId, devMode, until: saoPauloMidnight(addDays(last, 1)) });
}
