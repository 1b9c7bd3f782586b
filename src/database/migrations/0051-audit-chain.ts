import { OnlineMigration } from './online-migration.ts';

/**
 * Lines of the audit log name people, API keys and the command line, and form one chain for each store: each line has
 * the hash of the line before it, and `audit_chains` has the number and the hash of the last one. The lines that are
 * there are chained in the order in which they were written.
 *
 * Triggers do it, so that lines of the previous release are chained too while it still runs. Their functions run with
 * the rights of the role that migrates; the application's own role needs no more than to insert lines.
 *
 * One transaction: no line may be written between the last line that is chained here and the trigger. Readers and writers
 * of lines wait for it.
 */
export class AuditChain extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change(`
      lock table audit_lines in access exclusive mode;
      ${COLUMNS}
      ${HASHES}
      drop trigger if exists audit_lines_never_change on audit_lines;
      ${CHAIN_OLD_LINES}
      ${CHAIN_NEW_LINES}
      ${REFUSE_CHANGES}
      ${FORGET_PEOPLE}
    `);
    await this.index('audit_lines_by_actor', 'audit_lines (store_id, actor_kind, created_at, id)');
    await this.index('audit_lines_to_forget', 'audit_lines (created_at) where salt is not null');
  }
}

const COLUMNS = `
  alter table audit_lines
    alter column store_id drop not null,
    alter column user_id drop not null,
    alter column role drop not null,
    alter column address drop not null,
    add column if not exists actor_kind text not null default 'PERSON',
    add column if not exists key_id text references api_keys (id),
    add column if not exists operator text,
    add column if not exists details text,
    add column if not exists position bigint,
    add column if not exists previous_hash text,
    add column if not exists hash text,
    add column if not exists salt text,
    add column if not exists personal_digest text;
  alter table audit_lines drop constraint if exists audit_lines_actor;
  alter table audit_lines add constraint audit_lines_actor check (
    actor_kind in ('PERSON', 'API_KEY', 'CLI', 'SYSTEM')
    and (actor_kind = 'PERSON') = (user_id is not null)
    and (actor_kind = 'PERSON') = (role is not null)
    and (actor_kind = 'API_KEY') = (key_id is not null)
    and (actor_kind in ('CLI', 'SYSTEM') or store_id is not null)
  );
  create table if not exists audit_chains (
    chain text primary key,
    lines bigint not null,
    hash text not null
  );
  create table if not exists audit_checkpoints (
    chain text primary key,
    lines bigint not null,
    hash text not null,
    verified_at timestamptz not null
  );`;

/**
 * The hash of a line (contract section 12). Each value is written with its length in bytes, so that no two lists of
 * values have the same text.
 */
const HASHES = `
  create or replace function audit_digest(variadic parts text[]) returns text language sql immutable
    set search_path = pg_catalog, pg_temp as $$
    select encode(sha256(convert_to(string_agg(
      coalesce(octet_length(part) || ':' || part, '-') || E'\\n', '' order by at), 'UTF8')), 'hex')
    from unnest(parts) with ordinality as each (part, at)
  $$;
  create or replace function audit_line_hash(line audit_lines) returns text language sql stable
    set search_path = public, pg_temp as $$
    select audit_digest('audit line 1', line.previous_hash, line.position::text, line.store_id, line.id,
      ((extract(epoch from line.created_at) * 1000000)::bigint)::text, line.actor_kind, line.user_id, line.role,
      line.key_id, line.dev_mode::text, line.action, line.subject_id, line.submission, line.details,
      line.personal_digest)
  $$;
  create or replace function audit_chain_of(store_id text) returns text language sql immutable
    set search_path = pg_catalog, pg_temp as $$ select coalesce(store_id, 'service') $$;`;

const CHAIN_OLD_LINES = `
  do $$
  declare
    line audit_lines;
    head audit_chains;
  begin
    for line in select * from audit_lines where hash is null order by audit_chain_of(store_id), created_at, id loop
      if head.chain is distinct from audit_chain_of(line.store_id) then
        if head.chain is not null then insert into audit_chains select head.*; end if;
        head := row(audit_chain_of(line.store_id), 0, '');
      end if;
      line.position := head.lines + 1;
      line.previous_hash := head.hash;
      line.salt := replace(gen_random_uuid()::text, '-', '');
      line.personal_digest := audit_digest(line.salt, line.address, line.operator);
      line.hash := audit_line_hash(line);
      update audit_lines set position = line.position, previous_hash = line.previous_hash, salt = line.salt,
        personal_digest = line.personal_digest, hash = line.hash where id = line.id;
      head.lines := line.position;
      head.hash := line.hash;
    end loop;
    if head.chain is not null then insert into audit_chains select head.*; end if;
  end $$;
  alter table audit_lines
    alter column position set not null,
    alter column previous_hash set not null,
    alter column hash set not null,
    alter column personal_digest set not null;
  create unique index if not exists audit_lines_in_order on audit_lines (audit_chain_of(store_id), position);`;

/**
 * Detects a form that is sent twice while it holds the lock of the chain, so that the skipped line does not advance the chain.
 */
const CHAIN_NEW_LINES = `
  create or replace function chain_audit_line() returns trigger language plpgsql security definer
    set search_path = public, pg_temp as $$
  declare
    head audit_chains;
  begin
    insert into audit_chains (chain, lines, hash) values (audit_chain_of(new.store_id), 0, '') on conflict do nothing;
    select * into strict head from audit_chains where chain = audit_chain_of(new.store_id) for update;
    if new.submission is not null and exists (
      select from audit_lines where user_id = new.user_id and submission = new.submission
    ) then
      return null;
    end if;
    new.position := head.lines + 1;
    new.previous_hash := head.hash;
    new.salt := replace(gen_random_uuid()::text, '-', '');
    new.personal_digest := audit_digest(new.salt, new.address, new.operator);
    new.hash := audit_line_hash(new);
    update audit_chains set lines = new.position, hash = new.hash where chain = head.chain;
    return new;
  end $$;
  create or replace trigger audit_lines_are_chained before insert on audit_lines
    for each row execute function chain_audit_line();`;

/** Only the people that a line names can still be erased (`forget_audit_people`): no hash includes them. */
const REFUSE_CHANGES = `
  create or replace function refuse_to_change_audit_line() returns trigger language plpgsql
    set search_path = public, pg_temp as $$
  declare
    erased audit_lines := old;
  begin
    erased.address := null;
    erased.operator := null;
    erased.salt := null;
    if new is distinct from erased then
      raise exception 'what people have done stays as it was written down';
    end if;
    return new;
  end $$;
  create or replace trigger audit_lines_never_change before update on audit_lines
    for each row execute function refuse_to_change_audit_line();
  create or replace trigger audit_lines_never_go before delete or truncate on audit_lines
    for each statement execute function refuse_to_change_the_audit();
  create or replace function refuse_to_change_audit_chain() returns trigger language plpgsql as $$
  begin
    if tg_op in ('DELETE', 'TRUNCATE') or pg_trigger_depth() < 2 then
      raise exception 'what people have done stays as it was written down';
    end if;
    return null;
  end $$;
  create or replace trigger audit_chains_follow_lines before insert or update or delete or truncate on audit_chains
    for each statement execute function refuse_to_change_audit_chain();`;

/** Records of access are kept for six months (Lei 12.965/2014, Marco Civil da Internet, art. 15). */
const FORGET_PEOPLE = `
  create or replace function forget_audit_people(before timestamptz, at_most integer) returns integer language plpgsql
    security definer set search_path = public, pg_temp as $$
  declare
    erased integer;
  begin
    -- The server's own clock: the application must not be able to choose another time.
    if before > now() - interval '6 months' then
      raise exception 'addresses of the last six months are kept (Lei 12.965/2014, art. 15)';
    end if;
    update audit_lines set address = null, operator = null, salt = null where id in (
      select id from audit_lines where created_at < before and salt is not null limit at_most);
    get diagnostics erased = row_count;
    return erased;
  end $$;`;
