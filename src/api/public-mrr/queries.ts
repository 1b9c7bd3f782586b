import type { Em } from '../../database/orm.ts';
import { addDays, type CivilDate, saoPauloMidnight } from '../../domain/civil-date.ts';
import type { ProductCycle } from '../../domain/cycle.ts';
import { mrrCentsOf } from '../../domain/subscription.ts';
import type { Caller } from '../keys/caller.ts';

interface CycleRow {
  readonly cycle: ProductCycle;
  /** The sum over subscriptions out of trial. */
  readonly cents: string;
  readonly count: string;
  readonly trials: string;
}

/**
 * Monthly recurring revenue (contract section 6), from sums that Postgres updates as subscriptions change.
 * Only subscriptions in trial are scanned, because trials end without a write.
 */
export async function mrrOf(em: Em, { storeId, devMode }: Caller, now: Date) {
  const rows = await em.execute<CycleRow[]>(
    `select cycle, active_count::text as count, (amount_cents - coalesce(trial.cents, 0))::text as cents,
       coalesce(trial.count, 0)::text as trials
     from subscription_totals left join (
       select cycle, sum(amount_cents - recurring_discount_cents) as cents, count(*) as count from subscriptions
       where store_id = :storeId and dev_mode = :devMode and status = 'ACTIVE' and trial_ends_at > :now group by cycle
     ) trial using (cycle)
     where store_id = :storeId and dev_mode = :devMode`,
    { storeId, devMode, now },
  );
  const cycleCents = Object.fromEntries(rows.map(({ cycle, cents }) => [cycle, Number(cents)]));
  return {
    mrr: mrrCentsOf(cycleCents),
    totalActiveSubscriptions: rows.reduce((total, { count }) => total + Number(count), 0),
    totalTrialSubscriptions: rows.reduce((total, { trials }) => total + Number(trials), 0),
  };
}

/** Revenue of one São Paulo day. */
export interface DayRevenue {
  readonly day: CivilDate;
  readonly amountCents: number;
  readonly count: number;
}

/**
 * Payments minus refunds on each São Paulo day of the range, both ends included, oldest first. Free payments
 * are excluded.
 */
export async function revenuePerDay(
  em: Em,
  { storeId, devMode }: Caller,
  start: CivilDate,
  end: CivilDate,
): Promise<DayRevenue[]> {
  const rows = await em.execute<{ day: CivilDate; cents: string; count: string }[]>(
    `select to_char(day, 'YYYY-MM-DD') as day, cents::text as cents, count::text as count from (
       select (paid_at at time zone 'America/Sao_Paulo')::date as day, sum(paid_amount_cents - refunded_cents) as cents, count(*) as count
       from charges
       where store_id = :storeId and dev_mode = :devMode and status = 'PAID' and paid_amount_cents > 0
         and paid_at >= :from and paid_at < :until
       group by 1
     ) per_day order by 1`,
    { storeId, devMode, from: saoPauloMidnight(start), until: saoPauloMidnight(addDays(end, 1)) },
  );
  return rows.map(({ day, cents, count }) => ({ day, amountCents: Number(cents), count: Number(count) }));
}
