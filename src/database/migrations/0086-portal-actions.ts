import { OnlineMigration } from './online-migration.ts';

/** What payers may do in the customer portal, and audit lines about it. */
export class PortalActions extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(
      `create table if not exists portal_settings (
         store_id text not null references stores (id),
         dev_mode boolean not null,
         cancellation text not null,
         undoes_cancellation boolean not null,
         longest_pause_days integer,
         changes_card boolean not null,
         updated_at timestamptz not null,
         primary key (store_id, dev_mode),
         constraint portal_settings_pause check (longest_pause_days between 1 and 366)
       );`,
    );
    await this.change(ALLOW_PAYERS);
    await this.execute('alter table audit_lines validate constraint audit_lines_actor');
    await this.uniqueIndex(
      'audit_lines_payer_submission',
      `audit_lines (store_id, submission) where actor_kind = 'PAYER'`,
    );
    await this.change(CHAIN_NEW_LINES);
  }
}

/** All lines of earlier releases fulfil it. `not valid` spares the lock of a check of all lines. */
const ALLOW_PAYERS = `
  alter table audit_lines drop constraint if exists audit_lines_actor;
  alter table audit_lines add constraint audit_lines_actor check (
    actor_kind in ('PERSON', 'API_KEY', 'CLI', 'SYSTEM', 'PAYER')
    and (actor_kind = 'PERSON') = (user_id is not null)
    and (actor_kind = 'PERSON') = (role is not null)
    and (actor_kind = 'API_KEY') = (key_id is not null)
    and (actor_kind in ('CLI', 'SYSTEM') or store_id is not null)
  ) not valid;`;

/** As in migration 51, and a payer's form that is sent twice is found as well. */
const CHAIN_NEW_LINES = `
  create or replace function chain_audit_line() returns trigger language plpgsql security definer
    set search_path = public, pg_temp as $$
  declare
    head audit_chains;
  begin
    insert into audit_chains (chain, lines, hash) values (audit_chain_of(new.store_id), 0, '') on conflict do nothing;
    select * into strict head from audit_chains where chain = audit_chain_of(new.store_id) for update;
    if new.submission is not null and (exists (
      select from audit_lines where user_id = new.user_id and submission = new.submission
    ) or new.actor_kind = 'PAYER' and exists (
      select from audit_lines
      where actor_kind = 'PAYER' and store_id = new.store_id and submission = new.submission
    )) then
      return null;
    end if;
    new.position := head.lines + 1;
    new.previous_hash := head.hash;
    new.salt := replace(gen_random_uuid()::text, '-', '');
    new.personal_digest := audit_digest(new.salt, new.address, new.operator);
    new.hash := audit_line_hash(new);
    update audit_chains set lines = new.position, hash = new.hash where chain = head.chain;
    return new;
  end $$;`;
