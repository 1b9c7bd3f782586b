import { Migration } from '@mikro-orm/migrations';

/** Sums of active subscriptions per store, environment and cycle, so that MRR reads five rows instead of all subscriptions. */
export class SubscriptionTotals extends Migration {
  override up(): void {
    this.addSql(`
      create table subscription_totals (
        store_id text not null references stores (id),
        dev_mode boolean not null,
        cycle text not null,
        active_count bigint not null,
        amount_cents numeric not null,
        primary key (store_id, dev_mode, cycle)
      ) with (fillfactor = 50);
      insert into subscription_totals
        select store_id, dev_mode, cycle, count(*), sum(amount_cents)
        from subscriptions where status = 'ACTIVE' group by store_id, dev_mode, cycle;
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
      drop index subscriptions_mrr;
      create index subscriptions_in_trial on subscriptions (store_id, dev_mode, trial_ends_at) include (cycle, amount_cents)
        where status = 'ACTIVE' and trial_ends_at is not null;
    `);
  }
}
