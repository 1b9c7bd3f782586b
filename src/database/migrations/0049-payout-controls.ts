import { OnlineMigration } from './online-migration.ts';

/**
 * Limits of payouts, and payouts that wait for an approval. Existing payouts wait for none. The trigger also stops workers of
 * the previous release from sending payouts that wait. Keys that people created get their creator from the audit log.
 */
export class PayoutControls extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      create table if not exists payout_controls (
        store_id text not null references stores (id),
        dev_mode boolean not null,
        max_payout_cents bigint check (max_payout_cents > 0),
        max_day_cents bigint check (max_day_cents > 0),
        max_payee_day_cents bigint check (max_payee_day_cents > 0),
        approval_above_cents bigint check (approval_above_cents >= 0),
        new_payee_wait_hours int check (new_payee_wait_hours > 0),
        requires_second_factor boolean not null,
        updated_at timestamptz not null,
        primary key (store_id, dev_mode)
      )`);
    await this.change(`
      alter table payouts
        add column if not exists payee_key text,
        add column if not exists creator_id text,
        add column if not exists approval text,
        add column if not exists approval_reasons text[],
        add column if not exists approval_due_at timestamptz,
        add column if not exists approval_decided_at timestamptz,
        add column if not exists approval_decider_id text`);
    await this.change('alter table api_keys add column if not exists creator_id text');
    await this.execute(`
      update api_keys set creator_id = line.user_id from audit_lines line
      where line.action = 'keys/create' and line.subject_id = api_keys.id and creator_id is null`);
    await this.index(
      'payouts_by_payee',
      `payouts (store_id, dev_mode, (coalesce(payee_key, pix_key)), created_at) where pix_key is not null`,
    );
    await this.index(
      'payouts_waiting',
      `payouts (store_id, dev_mode, approval_due_at) where approval = 'WAITING'`,
    );
    await this.change(`
      create or replace function refuse_unapproved_order() returns trigger language plpgsql as $$
      begin
        if exists (
          select from payouts where id = new.subject_id and approval in ('WAITING', 'REJECTED', 'EXPIRED')
        ) then
          raise exception 'payout % is not approved', new.subject_id using errcode = 'check_violation';
        end if;
        return new;
      end $$;
      create or replace trigger money_orders_are_approved before insert on money_orders
        for each row execute function refuse_unapproved_order()`);
  }
}
