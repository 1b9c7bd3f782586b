/** Subscriptions that count as recurring revenue: active and not in a trial. */
const PAYS = (row: string) => `(${row}.status = 'ACTIVE' and ${row}.cycle_number > 0)`;

const MONTH_OF = (instant: string) =>
  `date_trunc('month', ${instant} at time zone 'America/Sao_Paulo')::date`;

/** The amount per year, so that cycles of different lengths can be compared. */
const YEARLY = (row: string) =>
  `${row}.amount_cents * case ${row}.cycle when 'WEEKLY' then 52 when 'MONTHLY' then 12 when 'QUARTERLY' then 4
    when 'SEMIANNUALLY' then 2 else 1 end`;

const ADD = `
      on conflict (store_id, dev_mode, month, change, cycle) do update set
        subscriptions = mrr_changes.subscriptions + excluded.subscriptions,
        cycle_cents = mrr_changes.cycle_cents + excluded.cycle_cents`;

const NEW_SUBSCRIPTIONS = `
      select store_id, dev_mode, ${MONTH_OF('created_at')}, 'NEW', cycle, count(*), sum(amount_cents)
      from added subscription where`;

/** Sums of active subscriptions, and the changes of recurring revenue in each month by reason. Triggers write both. */
export const RECURRING_REVENUE = `
  create table subscription_totals (
    store_id text not null references stores (id),
    dev_mode boolean not null,
    cycle text not null,
    active_count bigint not null,
    amount_cents numeric not null,
    primary key (store_id, dev_mode, cycle)
  ) with (fillfactor = 50);
  create table mrr_changes (
    store_id text not null,
    dev_mode boolean not null,
    month date not null,
    change text not null,
    cycle text not null,
    subscriptions bigint not null,
    cycle_cents numeric not null,
    primary key (store_id, dev_mode, month, change, cycle),
    check (change in ('NEW', 'EXPANSION', 'CONTRACTION', 'CHURN'))
  ) with (fillfactor = 50);
  create function add_to_subscription_totals() returns trigger language plpgsql as $$
      begin
        insert into subscription_totals
        select store_id, dev_mode, cycle, count(*), sum(amount_cents)
        from added where status = 'ACTIVE' group by store_id, dev_mode, cycle order by store_id, dev_mode, cycle
        on conflict (store_id, dev_mode, cycle) do update set
          active_count = subscription_totals.active_count + excluded.active_count,
          amount_cents = subscription_totals.amount_cents + excluded.amount_cents;
        return null;
      end $$;
  create trigger subscriptions_are_counted after insert on subscriptions
    referencing new table as added for each statement execute function add_to_subscription_totals();
  create function change_subscription_totals() returns trigger language plpgsql as $$
      begin
        insert into subscription_totals
        select store_id, dev_mode, cycle, sum(count), sum(cents) from (
          select store_id, dev_mode, cycle, -1 as count, -amount_cents as cents from before where status = 'ACTIVE'
          union all
          select store_id, dev_mode, cycle, 1, amount_cents from after where status = 'ACTIVE'
        ) change
        group by store_id, dev_mode, cycle having sum(count) <> 0 or sum(cents) <> 0
        order by store_id, dev_mode, cycle
        on conflict (store_id, dev_mode, cycle) do update set
          active_count = subscription_totals.active_count + excluded.active_count,
          amount_cents = subscription_totals.amount_cents + excluded.amount_cents;
        return null;
      end $$;
  create trigger changed_subscriptions_are_counted after update on subscriptions
    referencing old table as before new table as after
    for each statement execute function change_subscription_totals();
  create function tell_mrr_of_new_subscriptions() returns trigger language plpgsql as $$
      begin
        insert into mrr_changes
        ${NEW_SUBSCRIPTIONS} ${PAYS('subscription')} group by 1, 2, 3, 5 order by 1, 2, 3, 5
        ${ADD};
        return null;
      end $$;
  create trigger subscriptions_tell_mrr after insert on subscriptions
    referencing new table as added for each statement execute function tell_mrr_of_new_subscriptions();
  create function tell_mrr_of_changed_subscriptions() returns trigger language plpgsql as $$
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
        ${ADD};
        return null;
      end $$;
  create trigger changed_subscriptions_tell_mrr after update on subscriptions
    referencing old table as before new table as after
    for each statement execute function tell_mrr_of_changed_subscriptions();
`;
