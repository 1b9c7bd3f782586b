import { Migration } from '@mikro-orm/migrations';

/** What active subscriptions add up to, kept per store, environment and cycle, so that MRR is five rows and not all of them. */
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
      create function add_subscription_to_totals() returns trigger language plpgsql as $$
      begin
        insert into subscription_totals
        select store_id, dev_mode, cycle, sum(count), sum(cents) from (
          select old.store_id, old.dev_mode, old.cycle, -1 as count, -old.amount_cents as cents
          where tg_op = 'UPDATE' and old.status = 'ACTIVE'
          union all
          select new.store_id, new.dev_mode, new.cycle, 1, new.amount_cents where new.status = 'ACTIVE'
        ) change
        group by store_id, dev_mode, cycle order by cycle
        on conflict (store_id, dev_mode, cycle) do update set
          active_count = subscription_totals.active_count + excluded.active_count,
          amount_cents = subscription_totals.amount_cents + excluded.amount_cents;
        return null;
      end $$;
      create trigger subscriptions_are_counted after insert on subscriptions
        for each row execute function add_subscription_to_totals();
      create trigger changed_subscriptions_are_counted after update on subscriptions
        for each row when ((old.status, old.cycle, old.amount_cents) is distinct from (new.status, new.cycle, new.amount_cents))
        execute function add_subscription_to_totals();
      drop index subscriptions_mrr;
      create index subscriptions_in_trial on subscriptions (store_id, dev_mode, trial_ends_at) include (cycle, amount_cents)
        where status = 'ACTIVE' and trial_ends_at is not null;
    `);
  }
}
