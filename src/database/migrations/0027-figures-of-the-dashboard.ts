import { OnlineMigration } from './online-migration.ts';

/** A name as the search compares it: `jose` finds `José`. */
const PLAIN_NAME = `(translate(lower(name), 'áàâãäéêëíîïóôõöúûüçñ', 'aaaaaeeeiiioooouuucn') collate "C")`;

/**
 * Subscriptions that count as recurring revenue: active and not in a trial, as in `subscription_totals` less those in trial.
 */
const PAYS = (row: string) => `(${row}.status = 'ACTIVE' and ${row}.cycle_number > 0)`;

const MONTH_OF = (instant: string) =>
  `date_trunc('month', ${instant} at time zone 'America/Sao_Paulo')::date`;

/** The amount per year, so that cycles of different lengths can be compared. */
const YEARLY = (row: string) =>
  `${row}.amount_cents * case ${row}.cycle when 'WEEKLY' then 52 when 'MONTHLY' then 12 when 'QUARTERLY' then 4
    when 'SEMIANNUALLY' then 2 else 1 end`;

/**
 * Sums for the dashboard, so that it reads few rows however many payments and subscriptions there are: the payments of each day
 * by method, and the changes of recurring revenue in each month by reason. Also an index of customers' names by prefix.
 *
 * A transaction that writes a payment's movement changes the sums of its day after the store's balance. That balance is already
 * locked, so the sums add no waiting. The day is that of the payment in São Paulo. A refunded payment stays in them.
 *
 * Existing payments are counted while writers of movements wait, so that none is counted twice. This takes a second per million
 * payments. The start and end of existing subscriptions are known, but not their price before a change of plan, so they count
 * with their current price.
 */
export class FiguresOfTheDashboard extends OnlineMigration {
  override async up(): Promise<void> {
    await this.dailyPayments();
    await this.mrrChanges();
    await this.index(
      'customers_by_name',
      `customers (store_id, dev_mode, ${PLAIN_NAME}, created_at, id) where deleted_at is null and name is not null`,
    );
  }

  private dailyPayments(): Promise<void> {
    const sums = `(charge.paid_at at time zone 'America/Sao_Paulo')::date, charge.method, count(*), sum(charge.paid_amount_cents)`;
    return this.change(`
      lock table ledger_movements in share row exclusive mode;
      create table if not exists daily_payments (
        store_id text not null,
        dev_mode boolean not null,
        day date not null,
        method text not null,
        paid_count bigint not null,
        paid_cents numeric not null,
        primary key (store_id, dev_mode, day, method)
      ) with (fillfactor = 50);
      create or replace function add_payments_to_their_day() returns trigger language plpgsql as $$
      begin
        insert into daily_payments
        select added.store_id, added.dev_mode, ${sums}
        from added join charges charge on charge.id = added.subject_id
        where added.kind = 'PAYMENT' and charge.paid_amount_cents > 0
        group by 1, 2, 3, 4 order by 1, 2, 3, 4
        on conflict (store_id, dev_mode, day, method) do update set
          paid_count = daily_payments.paid_count + excluded.paid_count,
          paid_cents = daily_payments.paid_cents + excluded.paid_cents;
        return null;
      end $$;
      -- Triggers run in the order of their names: this one after that of the balances, whose lock it needs.
      create or replace trigger payments_are_added_to_their_day after insert on ledger_movements
        referencing new table as added for each statement execute function add_payments_to_their_day();
      insert into daily_payments
      select charge.store_id, charge.dev_mode, ${sums}
      from charges charge where charge.paid_amount_cents > 0 and charge.paid_at is not null
        and not exists (select from daily_payments)
      group by 1, 2, 3, 4`);
  }

  private mrrChanges(): Promise<void> {
    const add = `
      on conflict (store_id, dev_mode, month, change, cycle) do update set
        subscriptions = mrr_changes.subscriptions + excluded.subscriptions,
        cycle_cents = mrr_changes.cycle_cents + excluded.cycle_cents`;
    const began = (from: string, subscription: string, at: string) => `
      select store_id, dev_mode, ${MONTH_OF(at)}, 'NEW', cycle, count(*), sum(amount_cents)
      from ${from} ${subscription} where`;
    return this.change(`
      lock table subscriptions in share row exclusive mode;
      create table if not exists mrr_changes (
        store_id text not null,
        dev_mode boolean not null,
        month date not null,
        change text not null check (change in ('NEW', 'EXPANSION', 'CONTRACTION', 'CHURN')),
        cycle text not null,
        subscriptions bigint not null,
        cycle_cents numeric not null,
        primary key (store_id, dev_mode, month, change, cycle)
      ) with (fillfactor = 50);
      create or replace function tell_mrr_of_new_subscriptions() returns trigger language plpgsql as $$
      begin
        insert into mrr_changes
        ${began('added', 'subscription', 'created_at')} ${PAYS('subscription')} group by 1, 2, 3, 5 order by 1, 2, 3, 5
        ${add};
        return null;
      end $$;
      create or replace function tell_mrr_of_changed_subscriptions() returns trigger language plpgsql as $$
      begin
        insert into mrr_changes
        select store_id, dev_mode, month, change, cycle, sum(subscriptions), sum(cents) from (
          select after.store_id, after.dev_mode, ${MONTH_OF('after.updated_at')} as month, part.*
          from before join after using (id), lateral (
            select case when not ${PAYS('before')} then 'NEW' when not ${PAYS('after')} then 'CHURN'
              when ${YEARLY('after')} >= ${YEARLY('before')} then 'EXPANSION' else 'CONTRACTION' end as change
          ) why, lateral (
            select change, before.cycle, case change when 'CHURN' then 1 else 0 end as subscriptions, -before.amount_cents as cents
            where ${PAYS('before')}
            union all
            select change, after.cycle, 1, after.amount_cents where ${PAYS('after')}
          ) part
          where (${PAYS('before')}, before.amount_cents, before.cycle) is distinct from (${PAYS('after')}, after.amount_cents, after.cycle)
            and (${PAYS('before')} or ${PAYS('after')})
        ) changed
        group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
        ${add};
        return null;
      end $$;
      -- After the triggers that keep the totals, as their names have it.
      create or replace trigger subscriptions_tell_mrr after insert on subscriptions
        referencing new table as added for each statement execute function tell_mrr_of_new_subscriptions();
      create or replace trigger changed_subscriptions_tell_mrr after update on subscriptions
        referencing old table as before new table as after
        for each statement execute function tell_mrr_of_changed_subscriptions();
      with old as (
        select * from subscriptions where cycle_number > 0 and not exists (select from mrr_changes)
      )
      insert into mrr_changes
      ${began('old', 'subscription', 'coalesce(trial_ends_at, created_at)')} true group by 1, 2, 3, 5
      union all
      select store_id, dev_mode, ${MONTH_OF('coalesce(canceled_at, updated_at)')}, 'CHURN', cycle, count(*), -sum(amount_cents)
      from old where status <> 'ACTIVE' group by 1, 2, 3, 5`);
  }
}
