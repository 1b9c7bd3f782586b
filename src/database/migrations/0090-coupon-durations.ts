import { OnlineMigration } from './online-migration.ts';

/** What a subscription pays per month counts once its trial is over. */
const PAYS = (row: string) => `(${row}.status = 'ACTIVE' and ${row}.cycle_number > 0)`;

/** What a subscription's cycle costs now, without usage. */
const NET = (row: string) => `(${row}.amount_cents - ${row}.recurring_discount_cents)`;

const MONTH_OF = (instant: string) =>
  `date_trunc('month', ${instant} at time zone 'America/Sao_Paulo')::date`;

/** What is paid per year, in which cycles of different length can be compared. */
const YEARLY = (row: string) =>
  `${NET(row)} * case ${row}.cycle when 'WEEKLY' then 52 when 'MONTHLY' then 12 when 'QUARTERLY' then 4
    when 'SEMIANNUALLY' then 2 else 1 end`;

/**
 * Coupons that discount several cycles of a subscription. Existing coupons discount one, and existing subscriptions
 * have none, so the sums of recurring revenue stay as they are. From now on they count what cycles cost after the
 * discount.
 */
export class CouponDurations extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      alter table coupons
        add column if not exists duration text not null default 'ONCE',
        add column if not exists duration_cycles integer`);
    await this.change(`
      alter table subscriptions
        add column if not exists discount json,
        add column if not exists recurring_discount_cents bigint not null default 0`);
    await this.change(`
      alter table installments add column if not exists discount_cents bigint not null default 0;
      alter table installments drop constraint if exists installments_amount_cents_check;
      alter table installments drop constraint if exists installments_amount_not_below_zero;
      alter table installments add constraint installments_amount_not_below_zero
        check (amount_cents >= 0 and discount_cents >= 0) not valid`);
    await this.execute('alter table installments validate constraint installments_amount_not_below_zero');
    await this.totals();
    await this.mrrChanges();
    await this.index(
      'subscriptions_trials',
      `subscriptions (store_id, dev_mode, trial_ends_at) include (cycle, amount_cents, recurring_discount_cents)
       where status = 'ACTIVE' and trial_ends_at is not null`,
    );
    await this.execute('drop index concurrently if exists subscriptions_in_trial');
  }

  /** The functions of migration 0038, for totals. */
  private totals(): Promise<void> {
    const add = `
      on conflict (store_id, dev_mode, cycle) do update set
        active_count = subscription_totals.active_count + excluded.active_count,
        amount_cents = subscription_totals.amount_cents + excluded.amount_cents`;
    return this.change(`
      create or replace function add_to_subscription_totals() returns trigger language plpgsql as $$
      begin
        insert into subscription_totals
        select store_id, dev_mode, cycle, count(*), sum(${NET('added')})
        from added where status = 'ACTIVE' group by store_id, dev_mode, cycle order by store_id, dev_mode, cycle
        ${add};
        return null;
      end $$;
      create or replace function change_subscription_totals() returns trigger language plpgsql as $$
      begin
        insert into subscription_totals
        select store_id, dev_mode, cycle, sum(count), sum(cents) from (
          select store_id, dev_mode, cycle, -1 as count, -${NET('before')} as cents from before where status = 'ACTIVE'
          union all
          select store_id, dev_mode, cycle, 1, ${NET('after')} from after where status = 'ACTIVE'
        ) change
        group by store_id, dev_mode, cycle having sum(count) <> 0 or sum(cents) <> 0
        order by store_id, dev_mode, cycle
        ${add};
        return null;
      end $$`);
  }

  /** The functions of migration 0038, for recurring revenue. */
  private mrrChanges(): Promise<void> {
    const add = `
      on conflict (store_id, dev_mode, month, change, cycle) do update set
        subscriptions = mrr_changes.subscriptions + excluded.subscriptions,
        cycle_cents = mrr_changes.cycle_cents + excluded.cycle_cents`;
    return this.change(`
      create or replace function tell_mrr_of_new_subscriptions() returns trigger language plpgsql as $$
      begin
        insert into mrr_changes
        select store_id, dev_mode, ${MONTH_OF('created_at')}, 'NEW', cycle, count(*), sum(${NET('added')})
        from added where ${PAYS('added')} group by 1, 2, 3, 5 order by 1, 2, 3, 5
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
            select change, before.cycle, case change when 'CHURN' then 1 else 0 end as subscriptions, -${NET('before')} as cents
            where ${PAYS('before')}
            union all
            select change, after.cycle, 1, ${NET('after')} where ${PAYS('after')}
          ) part
          where (${PAYS('before')}, ${NET('before')}, before.cycle) is distinct from (${PAYS('after')}, ${NET('after')}, after.cycle)
            and (${PAYS('before')} or ${PAYS('after')})
        ) changed
        group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
        ${add};
        return null;
      end $$`);
  }
}
